// Limited keys: API keys that can do less than a merchant's own pair, for one server or one partner each.
//   made, its secret key shown once → [end] refused everywhere within five seconds, for good
// What a key may is never changed: another one is made. Nothing is signed with its secret key, so only a
// keyed digest of it stays. The same two commands serve the routes of the key pair and the acts of people;
// the owner is mailed both. A key may no more than the person who makes it: a scope that goes further waits
// for an owner, who is shown the secret key then.
import { createKey, endKey, KEYS_MAX, type listKeys } from '@cowrie/contract/access/keys'
import type { KeyScope } from '@cowrie/contract/kit/permissions'
import type { BodyOf, ReplyOf } from '@cowrie/contract/kit/spec'
import type { Actor } from '#core/access/actor.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { rejectAsked } from '#core/acts/run.ts'
import { cellById, engineTx, readAs } from '#core/cells/cells.ts'
import type { Shared } from '#core/feature.ts'
import { type Caller, confirmCredential } from '#features/access/auth/auth.ts'
import { newSecretKey } from '#features/access/auth/rotation.ts'
import { queueMail } from '#features/events/mails/mails.ts'
import { loginDigest, randomCharacters } from '#kit/crypto.ts'
import type { Ctx, Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { isNetwork } from '#kit/http/addresses.ts'
import type { CellId } from '#kit/ids.ts'
import { spacedText } from '#kit/times.ts'
import * as sql from './keys.sql.ts'

type Asked = BodyOf<typeof createKey>
type Made = ReplyOf<typeof createKey>
type Shown = Omit<Made, 'secretKey'>

/** What is issued before the transaction. */
export type NewPair = {
  readonly id: bigint
  readonly mailId: bigint
  readonly apiKey: string
  readonly secretKey: string
  readonly digest: Buffer
}

export async function newPair(ctx: Ctx, cell: CellId): Promise<NewPair> {
  const [id, mailId] = (await cellById(ctx, cell).takeIds(2)) as [bigint, bigint]
  const secretKey = newSecretKey()
  const apiKey = `MK_${ctx.environment === 'live' ? 'PROD' : 'TEST'}_${cell}${randomCharacters(8)}`
  return { id, mailId, apiKey, secretKey, digest: loginDigest(ctx.keys, secretKey) }
}

/** Refuses limits that a key cannot have. */
export function checkNewKey({ contracts }: Merchant, asked: Asked): void {
  if (asked.contracts && asked.scope !== 'COLLECTIONS') fail('API_KEY_LIMITS_CONFLICT', { field: 'contracts' })
  if (asked.contracts?.some((code) => !contracts.has(code))) fail('CONTRACT_UNKNOWN', { field: 'contracts' })
  if (asked.addresses?.some((text) => !isNetwork(text)))
    fail('FIELD_INVALID', { field: 'addresses', why: 'must be addresses or networks like 203.0.113.0/24' })
}

// ---- make

export async function make(
  t: Tx,
  merchant: Merchant,
  asked: Asked,
  pair: NewPair,
  by: string,
  approvedBy: string | null = null,
): Promise<Made> {
  checkNewKey(merchant, asked)
  const { in_force, newest } = await sql.count(t, merchant.id)
  if (in_force >= KEYS_MAX) fail('API_KEYS_TOO_MANY')
  const row = {
    id: pair.id,
    api_key: pair.apiKey,
    secret_digest: pair.digest,
    name: asked.name,
    scope: asked.scope,
    contracts: asked.contracts ? [...new Set(asked.contracts)] : null,
    addresses: asked.addresses ? [...new Set(asked.addresses)] : null,
    created_by: by,
    approved_by: approvedBy,
  }
  if (!(await sql.insert(t, merchant.id, newest + 1, row))) fail('UNAVAILABLE', {}, 'an API key was issued twice')
  await queueMail(
    t,
    pair.mailId,
    merchant,
    mailOf('made', row, approvedBy === null ? by : `${by} with the approval of ${approvedBy}`, t.now),
  )
  return { ...view({ ...row, created_at: t.now }), secretKey: pair.secretKey }
}

// ---- end

/** With what it asked for and still waits: nobody could approve it, and its money would stay held. */
export async function end(
  shared: Shared,
  t: Tx,
  merchant: Merchant,
  apiKey: string,
  mailId: bigint,
  by: Actor,
): Promise<Shown> {
  const row = (await sql.end(t, merchant.id, apiKey, by.name)) ?? fail('API_KEY_UNKNOWN')
  await rejectAsked(shared, t, merchant, apiKey, by)
  await queueMail(t, mailId, merchant, mailOf('ended', row, by.name, t.now))
  return view(row)
}

/** Ends every key of a merchant that is in force, but those that are named; answers which. */
export const endOthers = (t: Tx, merchantId: bigint, kept: readonly string[], by: string): Promise<string[]> =>
  sql.endOthers(t, merchantId, kept, by)

/** Refuses a name that none of a merchant's keys in force has. */
export async function needInForce(read: Read, merchantId: bigint, apiKeys: readonly string[]): Promise<void> {
  if (apiKeys.length === 0) return
  const inForce = new Set((await sql.list(read, merchantId)).flatMap((row) => (row.ended_at ? [] : [row.api_key])))
  if (!apiKeys.every((apiKey) => inForce.has(apiKey))) fail('API_KEY_UNKNOWN')
}

// ---- with the merchant's own key pair

const thePair = ({ apiKey }: Merchant): Actor => ({
  ...{ kind: 'key', side: 'merchant', personId: null, name: apiKey, role: null, address: null, requestId: null },
  may: () => true,
})

export const createKeys = (shared: Shared) => {
  const { ctx, merchants } = shared
  const changed = (cell: CellId): void => {
    merchants.forget(cell)
    ctx.wake(cell) // a mail is due
  }
  return {
    changed,
    make: async ({ merchant, credential, keep }: Caller, asked: Asked): Promise<Made> => {
      const pair = await newPair(ctx, merchant.cell)
      const made = await engineTx(ctx, merchant.cell, async (t) => {
        await confirmCredential(t, merchant.id, credential)
        const reply = await make(t, merchant, asked, pair, merchant.apiKey)
        const { secretKey: _, ...kept } = reply
        await keep(t, createKey, kept)
        return reply
      })
      changed(merchant.cell)
      return made
    },
    end: async ({ merchant, credential, keep }: Caller, apiKey: string): Promise<void> => {
      const [mailId] = (await cellById(ctx, merchant.cell).takeIds(1)) as [bigint]
      await engineTx(ctx, merchant.cell, async (t) => {
        await confirmCredential(t, merchant.id, credential)
        await end(shared, t, merchant, apiKey, mailId, thePair(merchant))
        await keep(t, endKey, { apiKey })
      })
      changed(merchant.cell)
    },
  }
}

// ---- show

const view = (row: Omit<sql.Row, 'ended_at'>): Shown => ({
  apiKey: row.api_key,
  name: row.name,
  scope: row.scope as KeyScope,
  contracts: row.contracts,
  addresses: row.addresses,
  createdAt: row.created_at.toISOString(),
  createdBy: row.created_by,
})

export async function list(ctx: Ctx, merchant: Merchant): Promise<ReplyOf<typeof listKeys>> {
  const rows = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.list(r, merchant.id))
  return rows.map((row) => ({ ...view(row), endedAt: row.ended_at?.toISOString() ?? null }))
}

/** Keys in force that somebody made, or let be made and was shown: they know the secret keys. */
export async function listKeysMadeBy(ctx: Ctx, { cell, id }: Merchant, email: string) {
  const rows = await readAs(ctx, cell, id, (r) => sql.listMadeBy(r, id, email))
  return rows.map(({ api_key: apiKey, name, scope }) => ({ apiKey, name, scope }))
}

const mailOf = (what: 'made' | 'ended', row: Pick<sql.Row, 'api_key' | 'name' | 'scope'>, by: string, now: Date) => ({
  subject: `A limited API key was ${what}`,
  text: [
    `${row.api_key} (${row.name}), scope ${row.scope}, was ${what} by ${by} on ${spacedText(now).slice(0, 16)} (West Africa Time).`,
    what === 'made'
      ? 'If this was not you, end that key, replace your secret key at once and contact support.'
      : 'The key and everything that was logged in with it is refused. If this was not you, contact support.',
  ].join('\n\n'),
})
