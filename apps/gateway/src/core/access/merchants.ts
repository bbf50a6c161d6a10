// Merchants as the request path sees them: one record with everything a request is held against, remembered
// so that a payment costs no look-up. Any change to any merchant raises its cell's revision; each process
// asks for that number every second and forgets what it remembers when it has moved, so a revoked key, a new
// address or a new fee is in force within five seconds everywhere. (Reading each merchant anew every five
// seconds instead cost a thousand busy merchants 200 statements a second.)

import { DEFAULT_POLICY, type PaymentPolicy, payerKey } from '@cowrie/contract/collections/payment-policy'
import { type Brand, plainBrand } from '@cowrie/contract/kit/brand'
import { FEATURES, type FeatureName, featureError } from '@cowrie/contract/kit/features'
import type { Rows } from '#core/rows.ts'
import { monotonicMs } from '#kit/clock.ts'
import { open } from '#kit/crypto.ts'
import type { Ctx, Statement } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { blockList, lists } from '#kit/http/addresses.ts'
import { type CellId, cellOfApiKey } from '#kit/ids.ts'
import { findCell, readAll } from '../cells/cells.ts'
import type { Actor } from './actor.ts'
import { type FeeRow, type Fees, toFees } from './fees.ts'
import { type KeyRow, type LimitedKey, toLimitedKey } from './limited-keys.ts'
import { type TransferRow, type TransferRules, toTransferRules } from './transfer-rules.ts'

export type { TransferRules } from './transfer-rules.ts'

export type Merchant = {
  readonly id: bigint
  readonly cell: CellId
  readonly name: string
  readonly email: string
  /** Suspended or closed: nothing of it is served, and money that arrives is returned. */
  readonly suspended: boolean
  /** As its customers see it. */
  readonly brand: Brand
  /** Of its own pair of keys, whichever key the request came with. */
  readonly apiKey: string
  readonly secretDigest: Buffer
  /** Counts the secret keys of its own pair from 1; 0 where the request came with a limited key. */
  readonly credential: number
  /** The limited key that the request came with; null: its own pair, which may everything. */
  readonly key: LimitedKey | null
  /** Who of its people sent the request; null of a program. */
  readonly person: Actor | null
  /** The merchant as each of its limited keys sees it, by the key's number; those in force. */
  readonly keys: ReadonlyMap<number, Merchant>
  /** The number of the newest limited key, also when it has ended. */
  readonly newestKey: number
  /** The secret key that follows, credential + 1, while two overlap. */
  readonly next: { readonly secretDigest: Buffer; readonly overlapUntil: Date } | null
  /** Whether a credential is in force: the current one until the overlap ends, the next one from the moment
   *  it is given. The instant is held against the clock here, so a timer that is late lets nobody in. */
  opens(credential: number): boolean
  readonly contracts: ReadonlySet<string>
  /** All versions, also those that are still to come. */
  readonly fees: Fees
  /** What it may ask for in one payment and in a day; null: no limit. */
  readonly collects: { readonly perPaymentKobo: bigint | null; readonly perDayKobo: bigint | null }
  readonly wallet: { readonly accountNumber: string; readonly bankCode: string }
  readonly transfers: TransferRules
  /** What the operator has granted. TRANSFERS is in it when transfers are approved (`transfers.approved`). */
  readonly features: ReadonlySet<FeatureName>
  /** What is done with transfers that do not fit, and whose are never taken. */
  readonly policy: PaymentPolicy
  readonly barred: ReadonlySet<string>
  /** Whether requests from an address are honoured. */
  allows(address: string): boolean
  /** Whether its people come in from an address, owners apart. */
  letsIn(address: string): boolean
  readonly requestsPerSecond: number
  /** Key the signatures of notifications: the current one, and the next while two overlap; opened when first
   *  needed. */
  signingKeys(): readonly [current: string, ...next: string[]]
}

const FRESH_MS = 5_000
const LOOK_AGAIN_MS = 1_000
/** Keys of refused logins that are remembered per cell, so that trying one again asks the database
 *  nothing. */
const REFUSED_MAX = 10_000
const NEVER = Number.NEGATIVE_INFINITY

type Row = Pick<
  Rows['merchants'],
  | 'id'
  | 'name'
  | 'email'
  | 'suspended'
  | 'api_key'
  | 'secret_sealed'
  | 'secret_digest'
  | 'credential'
  | 'next_secret_sealed'
  | 'next_secret_digest'
  | 'overlap_until'
  | 'allowed_addresses'
  | 'people_addresses'
  | 'requests_per_second'
  | 'wallet_number'
  | 'wallet_bank_code'
  | 'transfer_otp'
> & {
  contracts: string[] | null
  keys: KeyRow[] | null
  newest_key: number | null
  policy: (Omit<PaymentPolicy, 'toleranceKobo'> & { toleranceKobo: string }) | null
  transfers: TransferRow | null
  features: FeatureName[] | null
  brand: (Omit<Brand, 'name' | 'logoUrl'> & { logo: string | null }) | null
  fees: FeeRow[] | null
  collects: { per_payment: string | null; per_day: string | null } | null
}

const FIND: Statement = {
  name: 'merchants_find',
  text: `
-- all merchants: at this point nobody knows yet whose request it is
select m.id, m.name, m.email, m.suspended, m.api_key, m.secret_sealed, m.secret_digest, m.credential,
  m.next_secret_sealed, m.next_secret_digest, m.overlap_until, m.allowed_addresses, m.people_addresses, m.requests_per_second,
  (select array_agg(c.code) from contracts c where c.merchant_id = m.id) as contracts,
  (select json_agg(json_build_object('id', f.id::text, 'method', f.method, 'basis_points', f.basis_points, 'flat_kobo', f.flat_kobo::text,
    'cap_kobo', f.cap_kobo::text, 'bearer', f.bearer, 'valid_from', f.valid_from)
    order by f.valid_from desc) from fee_schedules f where f.merchant_id = m.id) as fees,
  (select json_build_object('per_payment', l.per_payment_kobo::text, 'per_day', l.per_day_kobo::text) from merchant_limits l
    where l.merchant_id = m.id and l.kind = 'COLLECTIONS' order by l.valid_from desc, l.id desc limit 1) as collects,
  (select json_build_object('less', p.less, 'more', p.more, 'extra', p.extra, 'toleranceKobo', p.tolerance_kobo::text,
    'barredPayers', p.barred_payers::json) from payment_policies p where p.merchant_id = m.id
    order by p.valid_from desc, p.id desc limit 1) as policy,
  (select json_build_object('colour', b.colour, 'supportEmail', b.support_email, 'supportPhone', b.support_phone,
    'logo', b.logo_digest || '.' || b.logo_type) from brandings b where b.merchant_id = m.id) as brand,
  m.wallet_number, m.wallet_bank_code, m.transfer_otp,
  (select json_build_object('approved', s.approved, 'per_transfer', s.per_transfer_kobo::text, 'per_day', s.per_day_kobo::text,
    'low_balance', s.low_balance_kobo::text, 'approval_url', s.approval_url, 'approval_above', s.approval_above_kobo::text,
    'above_day', s.above_day_kobo::text, 'above_new', s.above_new_kobo::text) from disbursement_settings s where s.merchant_id = m.id) as transfers,
  (select array_agg(g.feature) from (select distinct on (f.feature) f.feature, f.granted from feature_grants f
    where f.merchant_id = m.id order by f.feature, f.id desc) g where g.granted and g.feature <> 'TRANSFERS') as features,
  (select json_agg(json_build_object('number', k.number, 'api_key', k.api_key, 'name', k.name, 'digest', encode(k.secret_digest, 'hex'), 'scope', k.scope,
    'makers', array_remove(array[lower(k.created_by), lower(k.approved_by)], null), 'contracts', k.contracts, 'addresses', k.addresses)) from api_keys k where k.merchant_id = m.id and k.ended_at is null) as keys,
  (select max(k.number) from api_keys k where k.merchant_id = m.id) as newest_key
from merchants m where m.id = $1 or m.api_key = $2
  or m.id = (select k.merchant_id from api_keys k where k.api_key = $2 and k.ended_at is null)`,
}

function merchantOf(ctx: Ctx, cell: CellId, row: Row): Merchant {
  const transfers = toTransferRules(row.transfers, row.transfer_otp)
  const policy = row.policy ? { ...row.policy, toleranceKobo: BigInt(row.policy.toleranceKobo) } : DEFAULT_POLICY
  const keys = new Map<number, Merchant>()
  const merchant: Merchant = {
    id: row.id,
    cell,
    name: row.name,
    email: row.email,
    suspended: row.suspended,
    brand: brandOf(ctx, cell, row),
    apiKey: row.api_key,
    secretDigest: row.secret_digest,
    credential: row.credential,
    key: null,
    person: null,
    keys,
    newestKey: row.newest_key ?? 0,
    ...credentialsOf(ctx, row),
    contracts: new Set(row.contracts ?? []),
    fees: toFees(row.fees ?? []),
    collects: { perPaymentKobo: koboOf(row.collects?.per_payment), perDayKobo: koboOf(row.collects?.per_day) },
    wallet: { accountNumber: row.wallet_number, bankCode: row.wallet_bank_code },
    transfers,
    features: new Set([...(row.features ?? []), ...(transfers.approved ? (['TRANSFERS'] as const) : [])]),
    policy,
    barred: new Set(policy.barredPayers.map(payerKey)),
    allows: rememberedVerdict(blockList(row.allowed_addresses)),
    letsIn: row.people_addresses.length === 0 ? anywhere : rememberedVerdict(blockList(row.people_addresses)),
    requestsPerSecond: row.requests_per_second,
  }
  for (const key of row.keys ?? []) keys.set(key.number, limitedTo(merchant, key))
  return merchant
}

const anywhere = (): boolean => true

/** The merchant as one of its limited keys sees it. */
function limitedTo(merchant: Merchant, row: KeyRow): Merchant {
  const listed = row.addresses && rememberedVerdict(blockList(row.addresses))
  return {
    ...merchant,
    key: toLimitedKey(row),
    secretDigest: Buffer.from(row.digest, 'hex'),
    credential: 0,
    next: null,
    opens: (given) => given === 0,
    allows: (address) => merchant.allows(address) && (listed === null || listed(address)),
  }
}

const koboOf = (text: string | null | undefined): bigint | null => (text ? BigInt(text) : null)

/** Where a logo is shown; `name` is its digest and type. */
export const logoUrl = (publicUrl: string, cell: CellId, name: string): string => `${publicUrl}/brand/${cell}-${name}`

function brandOf(ctx: Ctx, cell: CellId, { name, brand }: Row): Brand {
  if (!brand) return plainBrand(name)
  const { colour, supportEmail, supportPhone, logo } = brand
  return {
    name,
    logoUrl: logo === null ? null : logoUrl(ctx.publicUrl, cell, logo),
    colour,
    supportEmail,
    supportPhone,
  }
}

function credentialsOf(ctx: Ctx, row: Row): Pick<Merchant, 'next' | 'opens' | 'signingKeys'> {
  const remembered = (sealed: string): (() => string) => {
    let secret: string | null = null
    return () => {
      secret ??= open(ctx.keys, sealed, row.api_key)
      return secret
    }
  }
  const current = remembered(row.secret_sealed)
  const { credential, next_secret_sealed: sealed, next_secret_digest: secretDigest, overlap_until: overlapUntil } = row
  if (sealed === null || secretDigest === null || overlapUntil === null)
    return { next: null, opens: (given) => given === credential, signingKeys: () => [current()] }
  const next = remembered(sealed)
  const overlaps = (): boolean => ctx.clock.now() < overlapUntil
  return {
    next: { secretDigest, overlapUntil },
    opens: (given) => given === credential + 1 || (given === credential && overlaps()),
    signingKeys: () => (overlaps() ? [current(), next()] : [next()]),
  }
}

/** A merchant calls from few addresses; reading one costs more than remembering its verdict. */
function rememberedVerdict(list: ReturnType<typeof blockList>): (address: string) => boolean {
  const verdicts = new Map<string, boolean>()
  return (address) => {
    let verdict = verdicts.get(address)
    if (verdict === undefined) {
      if (verdicts.size > 1000) verdicts.clear()
      verdict = lists(list, address)
      verdicts.set(address, verdict)
    }
    return verdict
  }
}

export type Merchants = {
  /** Also by a limited key that is in force: then as that key sees it. */
  byApiKey(apiKey: string): Promise<Merchant | null>
  /** The work that an unknown key costs, for a key that is known but came with a wrong secret: the time of a
   *  refused login does not tell which keys exist. */
  asIfUnknown(apiKey: string): Promise<void>
  byId(cell: CellId, id: bigint): Promise<Merchant | null>
  /** The merchant that a row of ours names: it exists. */
  must(cell: CellId, id: bigint): Promise<Merchant>
  /** The merchant, if it is known and was found unchanged a moment ago. */
  known(cell: CellId, id: bigint): Merchant | null
  /** Something about a merchant was changed by this process: look before believing what is remembered. */
  forget(cell: CellId): void
}

const REVISION: Statement = { name: 'merchants_revision', text: 'select revision from merchant_revision' }

/** What is remembered of one cell's merchants, and when it was last found to be true. */
type Memory = {
  readonly merchants: Map<string, Merchant>
  /** API keys of logins that were refused: unknown ones, and known ones that came with a wrong secret. */
  readonly refused: Map<string, 'unknown' | 'known'>
  revision: bigint | null
  checkedAt: number
  /** A question asked before this instant may have missed a change that this process has made. */
  forgottenAt: number
  checking: Promise<void> | null
}

const nothingYet = (): Memory => ({
  merchants: new Map(),
  refused: new Map(),
  revision: null,
  checkedAt: NEVER,
  forgottenAt: NEVER,
  checking: null,
})

export function createMerchants(ctx: Ctx): Merchants {
  const memories = new Map([...ctx.cells.keys()].map((cell) => [cell, nothingYet()]))

  /** One small question per cell and second, whatever the number of merchants: has anything about any of them
   *  changed? */
  const check = (cell: CellId, memory: Memory): Promise<void> => {
    memory.checking ??= (async () => {
      try {
        const asked = monotonicMs()
        const [row] = await readAll(ctx, cell, (r) =>
          r.query<Pick<Rows['merchant_revision'], 'revision'>>(REVISION, []),
        )
        if (row?.revision !== memory.revision) {
          memory.merchants.clear()
          memory.refused.clear()
        }
        memory.revision = row?.revision ?? null
        memory.checkedAt = asked > memory.forgottenAt ? asked : NEVER
      } finally {
        memory.checking = null
      }
    })()
    return memory.checking
  }

  /** Remembered merchants, if what is remembered may still be used; asks in the background before it gets
   *  old. */
  const fresh = (cell: CellId, memory: Memory): Map<string, Merchant> | null => {
    const age = monotonicMs() - memory.checkedAt
    if (age > LOOK_AGAIN_MS) {
      check(cell, memory).catch((error: unknown) => ctx.log.warn('merchant cache not refreshed', { cell, error }))
    }
    return age < FRESH_MS ? memory.merchants : null
  }

  const refuse = ({ refused }: Memory, apiKey: string, is: 'unknown' | 'known'): void => {
    if (refused.size >= REFUSED_MAX) refused.delete(refused.keys().next().value as string)
    refused.set(apiKey, is)
  }

  const load = async (cell: CellId, id: bigint | null, apiKey: string | null): Promise<Merchant | null> => {
    const memory = memories.get(cell)
    if (!memory) return null
    const known = fresh(cell, memory)?.get(apiKey ?? String(id))
    if (known) return known
    if (fresh(cell, memory) === null) await check(cell, memory)
    if (apiKey !== null && memory.refused.get(apiKey) === 'unknown') return null
    const before = memory.revision
    const [row] = await readAll(ctx, cell, (r) => r.query<Row>(FIND, [id, apiKey]))
    if (!row) {
      if (apiKey !== null && memory.revision === before) refuse(memory, apiKey, 'unknown')
      return null
    }
    const merchant = merchantOf(ctx, cell, row)
    if (memory.revision === before) {
      memory.merchants.set(merchant.apiKey, merchant)
      memory.merchants.set(String(merchant.id), merchant)
      for (const limited of merchant.keys.values()) memory.merchants.set(limited.key?.apiKey ?? '', limited)
    }
    if (apiKey === null || apiKey === merchant.apiKey) return merchant
    return [...merchant.keys.values()].find(({ key }) => key?.apiKey === apiKey) ?? null
  }

  const known = (cell: CellId, id: bigint): Merchant | null => {
    const memory = memories.get(cell)
    return (memory && fresh(cell, memory)?.get(String(id))) ?? null
  }

  return {
    byApiKey: async (apiKey) => {
      const cell = findCell(ctx, cellOfApiKey(apiKey))
      return cell ? load(cell.id, null, apiKey) : null
    },
    asIfUnknown: async (apiKey) => {
      const cell = findCell(ctx, cellOfApiKey(apiKey))
      const memory = cell && memories.get(cell.id)
      if (!memory || memory.refused.has(apiKey)) return
      await readAll(ctx, cell.id, (r) => r.query<Row>(FIND, [null, apiKey]))
      refuse(memory, apiKey, 'known')
    },
    byId: (cell, id) => load(cell, id, null),
    must: async (cell, id) =>
      known(cell, id) ?? (await load(cell, id, null)) ?? fail('INTERNAL', {}, `merchant ${id} not found`),
    known,
    forget: (cell) => {
      const memory = memories.get(cell)
      if (!memory) return
      memory.checkedAt = NEVER
      memory.forgottenAt = monotonicMs()
    },
  }
}

/** Refuses a merchant that was not granted the feature, with how to get it. */
export function needFeature({ features }: Merchant, feature: FeatureName): void {
  if (!features.has(feature)) fail(featureError(feature), { feature: FEATURES[feature] })
}
