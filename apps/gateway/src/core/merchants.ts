// Merchants as the request path sees them: one record with everything a request is held against, kept for a few seconds
// so that a payment costs no look-up, and read again after that so that a revoked key, a new address or a new fee is in
// force within five seconds everywhere.

import type { BlockList } from 'node:net'
import { WEBHOOK_KINDS, type WebhookKind } from '@cowrie/contract/kit'
import type { FeeRule } from '@cowrie/contract/money'
import { blockList } from '../kit/addresses.ts'
import { monotonicMs } from '../kit/clock.ts'
import { open } from '../kit/crypto.ts'
import type { Ctx, Read, Statement, Tx } from '../kit/ctx.ts'
import { type CellId, cellOfApiKey } from '../kit/ids.ts'
import { findCell, readAll } from './cells.ts'

export type FeeSchedule = FeeRule & { readonly id: bigint; readonly validFrom: Date }

export type Merchant = {
  readonly id: bigint
  readonly cell: CellId
  readonly name: string
  readonly email: string
  readonly apiKey: string
  readonly secretDigest: Buffer
  readonly credential: number
  readonly contracts: ReadonlySet<string>
  readonly feeSchedules: readonly FeeSchedule[]
  readonly allowedAddresses: BlockList
  readonly requestsPerSecond: number
  /** Keys the signatures of notifications; opened when first needed. */
  secretKey(): string
}

const FRESH_MS = 5_000

type Row = {
  id: bigint
  name: string
  email: string
  api_key: string
  secret_sealed: string
  secret_digest: Buffer
  credential: number
  allowed_addresses: string[]
  requests_per_second: number
  contracts: string[] | null
  fees: { id: string; basis_points: number; cap_kobo: string; valid_from: string }[] | null
}

const FIND: Statement = {
  name: 'merchants_find',
  text: `
-- all merchants: at this point nobody knows yet whose request it is
select m.id, m.name, m.email, m.api_key, m.secret_sealed, m.secret_digest, m.credential, m.allowed_addresses, m.requests_per_second,
  (select array_agg(c.code) from contracts c where c.merchant_id = m.id) as contracts,
  (select json_agg(json_build_object('id', f.id::text, 'basis_points', f.basis_points, 'cap_kobo', f.cap_kobo::text, 'valid_from', f.valid_from)
    order by f.valid_from desc) from fee_schedules f where f.merchant_id = m.id) as fees
from merchants m where m.id = $1 or m.api_key = $2`,
}

function merchantOf(ctx: Ctx, cell: CellId, row: Row): Merchant {
  let secret: string | null = null
  return {
    id: row.id,
    cell,
    name: row.name,
    email: row.email,
    apiKey: row.api_key,
    secretDigest: row.secret_digest,
    credential: row.credential,
    contracts: new Set(row.contracts ?? []),
    feeSchedules: (row.fees ?? []).map((fee) => ({
      id: BigInt(fee.id),
      basisPoints: BigInt(fee.basis_points),
      capKobo: BigInt(fee.cap_kobo),
      validFrom: new Date(fee.valid_from),
    })),
    allowedAddresses: blockList(row.allowed_addresses),
    requestsPerSecond: row.requests_per_second,
    secretKey: () => {
      secret ??= open(ctx.keys, row.secret_sealed, row.api_key)
      return secret
    },
  }
}

export type Merchants = {
  byApiKey(apiKey: string): Promise<Merchant | null>
  byId(cell: CellId, id: bigint): Promise<Merchant | null>
  /** Forgets what is remembered of a merchant: its next request reads anew. */
  forget(merchant: Merchant): void
}

export function createMerchants(ctx: Ctx): Merchants {
  const known = new Map<string, { at: number; merchant: Promise<Merchant | null> }>()
  const remember = (key: string, load: () => Promise<Merchant | null>): Promise<Merchant | null> => {
    const entry = known.get(key)
    if (entry && monotonicMs() - entry.at < FRESH_MS) return entry.merchant
    if (known.size > 50_000) known.clear()
    const merchant = load()
    known.set(key, { at: monotonicMs(), merchant })
    merchant.then(
      (found) => {
        if (!found) known.delete(key) // strangers do not fill the map
      },
      () => known.delete(key),
    )
    return merchant
  }
  const load = async (cell: CellId, id: bigint | null, apiKey: string | null): Promise<Merchant | null> => {
    const rows = await readAll(ctx, cell, (r) => r.query<Row>(FIND, [id, apiKey]))
    return rows[0] ? merchantOf(ctx, cell, rows[0]) : null
  }
  return {
    byApiKey: async (apiKey) => {
      const cell = findCell(ctx, cellOfApiKey(apiKey))
      return cell ? remember(apiKey, () => load(cell.id, null, apiKey)) : null
    },
    byId: async (cell, id) => (findCell(ctx, cell) ? remember(`${cell}/${id}`, () => load(cell, id, null)) : null),
    forget: (merchant) => {
      known.delete(merchant.apiKey)
      known.delete(`${merchant.cell}/${merchant.id}`)
    },
  }
}

const URLS: Statement = { name: 'webhook_urls', text: 'select kind, url from webhook_urls where merchant_id = $1' }
const SET_URLS: Statement = {
  name: 'webhook_urls_set',
  text: `insert into webhook_urls (merchant_id, kind, url) select $1, kind, url from unnest($2::text[], $3::text[]) as u(kind, url)
    on conflict (merchant_id, kind) do update set url = excluded.url`,
}
const CLEAR_URLS: Statement = {
  name: 'webhook_urls_clear',
  text: 'delete from webhook_urls where merchant_id = $1 and kind = any($2::text[])',
}

export type WebhookUrls = Record<WebhookKind, string | null>

export async function webhookUrls(read: Read, merchantId: bigint): Promise<WebhookUrls> {
  const rows = await read.query<{ kind: WebhookKind; url: string }>(URLS, [merchantId])
  const urls = Object.fromEntries(WEBHOOK_KINDS.map((kind) => [kind, null])) as WebhookUrls
  for (const { kind, url } of rows) urls[kind] = url
  return urls
}

export async function setWebhookUrls(t: Tx, merchantId: bigint, urls: Partial<WebhookUrls>): Promise<void> {
  const entries = Object.entries(urls)
  const set = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const cleared = entries.filter(([, url]) => url === null).map(([kind]) => kind)
  if (set.length > 0) await t.query(SET_URLS, [merchantId, set.map(([kind]) => kind), set.map(([, url]) => url)])
  if (cleared.length > 0) await t.query(CLEAR_URLS, [merchantId, cleared])
}

/** The fee schedule in force at a moment. */
export const feeScheduleAt = (merchant: Merchant, at: Date): FeeSchedule | null =>
  merchant.feeSchedules.find((schedule) => schedule.validFrom <= at) ?? null
