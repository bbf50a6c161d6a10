// Idempotency-Key: the row of a key commits with the work it stands for, so a key is never spent without the work nor
// the work done without the key. While the first is in flight a second is told so (409); afterwards it gets the same
// status and bytes. Refusals are kept as well, except those a retry can change (401, 409, 429, 5xx).
//
// Work in several steps, with a call to the outside between them, claims the key in a transaction of its own and files
// the answer with its last step. If the process dies between the two, the key is free again after a minute.
//
// Of the request only keyed digests are kept, one per field: enough to name what differs, nothing to read.
import { KEY_DAYS } from '@cowrie/contract/idempotency'
import { hmacHex } from '../kit/crypto.ts'
import type { Ctx, Read, Statement, Tx } from '../kit/ctx.ts'
import { Failure, fail } from '../kit/fail.ts'
import { type JsonValue, readJson } from '../kit/json.ts'
import { tx } from './cells.ts'
import type { Merchant } from './merchants.ts'

export type Answer = { readonly status: number; readonly body: string }
export type KeyedRequest = {
  readonly key: string
  readonly method: string
  readonly path: string
  readonly body: string
  /** Fields of which nothing may rest, not even a digest; they are not compared. */
  readonly secrets?: readonly string[]
  /** As the route's. */
  readonly membersMax?: number
}

type Row = {
  key: string
  method: string
  path: string
  fields: string
  status: number | null
  answer: string | null
  created_at: Date
  completed_at: Date | null
}

const LOCK: Statement = {
  name: 'requests_lock',
  text: 'select pg_try_advisory_xact_lock(hashtextextended($2, $1::bigint)) as free',
}
const FIND: Statement = {
  name: 'requests_find',
  text: `select key, method, path, fields, status, answer, created_at, completed_at from requests
    where merchant_id = $1 and key = $2 and created_at > $3`,
}
const CLAIM: Statement = {
  name: 'requests_claim',
  text: `insert into requests (merchant_id, key, method, path, fields, created_at) values ($1, $2, $3, $4, $5, $6)
    on conflict (merchant_id, key) do update set method = excluded.method, path = excluded.path, fields = excluded.fields,
    created_at = excluded.created_at, status = null, answer = null, completed_at = null`,
}
const FINISH: Statement = {
  name: 'requests_finish',
  text: 'update requests set status = $3, answer = $4, completed_at = $5 where merchant_id = $1 and key = $2',
}
const RELEASE: Statement = {
  name: 'requests_release',
  text: 'delete from requests where merchant_id = $1 and key = $2 and status is null',
}
const SAVEPOINT: Statement = { name: 'requests_savepoint', text: 'savepoint work' }
const ROLLBACK: Statement = { name: 'requests_rollback', text: 'rollback to savepoint work' }
const FORGET: Statement = {
  name: 'requests_forget',
  text: `
-- all merchants: keys are forgotten by age alone
delete from requests where ctid in (select ctid from requests where created_at <= $1 limit 1000)`,
}

/** How long work in steps may take before its key counts as abandoned: longer than every wait in it. */
const CLAIM_MS = 60_000

const keptSince = (now: Date): Date => new Date(now.getTime() - KEY_DAYS * 86_400_000)

/** One text per value, whatever the order of its keys. */
function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const keys = Object.keys(value).sort()
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key] as JsonValue)}`).join(',')}}`
  }
  return JSON.stringify(value)
}

function digests(ctx: Ctx, request: KeyedRequest): Record<string, string> {
  const digest = (text: string) => hmacHex('sha256', ctx.keys.requests, text).slice(0, 24)
  const value = request.body === '' ? {} : readJson(request.body, undefined, request.membersMax)
  if (value === undefined) return { body: digest(request.body) }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return { body: digest(canonical(value)) }
  const kept = Object.entries(value).filter(([field]) => !request.secrets?.includes(field))
  return Object.fromEntries(kept.map(([field, inner]) => [field, digest(canonical(inner))]))
}

function differences(row: Row, request: KeyedRequest, fields: Record<string, string>): string[] {
  const before = JSON.parse(row.fields) as Record<string, string>
  const names = [...new Set([...Object.keys(before), ...Object.keys(fields)])].filter(
    (name) => before[name] !== fields[name],
  )
  if (row.method !== request.method || row.path !== request.path) names.unshift('path')
  return names
}

const isKept = (status: number): boolean => status < 500 && status !== 401 && status !== 409 && status !== 429

/** The answer that is kept for a key; null when there is none yet. Refuses a key that is in use, or was for something else. */
async function claimed(
  t: Tx,
  merchant: Merchant,
  request: KeyedRequest,
  fields: Record<string, string>,
): Promise<Answer | null> {
  const [lock] = await t.query<{ free: boolean }>(LOCK, [merchant.id, request.key])
  if (!lock?.free) fail('IDEMPOTENCY_IN_FLIGHT')
  const [known] = await t.query<Row>(FIND, [merchant.id, request.key, keptSince(t.now)])
  if (known?.status && known.answer !== null) {
    const differing = differences(known, request, fields)
    if (differing.length > 0) fail('IDEMPOTENCY_MISMATCH', { fields: differing.join(', ') })
    return { status: known.status, body: known.answer }
  }
  if (known && t.now.getTime() - known.created_at.getTime() < CLAIM_MS) fail('IDEMPOTENCY_IN_FLIGHT')
  await t.query(CLAIM, [merchant.id, request.key, request.method, request.path, JSON.stringify(fields), t.now])
  return null
}

const finish = (t: Tx, merchant: Merchant, key: string, answer: Answer): Promise<unknown> =>
  t.query(FINISH, [merchant.id, key, answer.status, answer.body, t.now])

/** Does `work` once for this key. `refuse` turns a refusal into the answer that is kept. */
export async function once(
  ctx: Ctx,
  merchant: Merchant,
  request: KeyedRequest,
  work: (t: Tx) => Promise<Answer>,
  refuse: (failure: Failure) => Answer,
): Promise<Answer & { readonly replayed: boolean }> {
  const fields = digests(ctx, request)
  return tx(ctx, merchant.cell, merchant.id, async (t) => {
    const kept = await claimed(t, merchant, request, fields)
    if (kept) return { ...kept, replayed: true }
    await t.query(SAVEPOINT, [])
    let answer: Answer
    try {
      answer = await work(t)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      answer = refuse(error)
      if (!isKept(answer.status)) throw error
      await t.query(ROLLBACK, [])
    }
    await finish(t, merchant, request.key, answer)
    return { ...answer, replayed: false }
  })
}

/** Files the answer of a keyed request with the last step of its work; does nothing where there is no key. */
export type Keep<Reply> = (t: Tx, reply: Reply) => Promise<unknown>

/** Where there is no key. */
export const keepNothing: Keep<unknown> = async () => undefined

/** The same for work in several steps. `work` calls `keep` in the transaction that ends it. */
export async function onceInSteps<Reply>(
  ctx: Ctx,
  merchant: Merchant,
  request: KeyedRequest,
  work: (keep: Keep<Reply>) => Promise<Reply>,
  answerOf: (reply: Reply) => Answer,
  refuse: (failure: Failure) => Answer,
): Promise<Answer & { readonly replayed: boolean }> {
  const fields = digests(ctx, request)
  const inTx = <T>(step: (t: Tx) => Promise<T>) => tx(ctx, merchant.cell, merchant.id, step)
  const known = await inTx((t) => claimed(t, merchant, request, fields))
  if (known) return { ...known, replayed: true }
  try {
    const reply = await work((t, last) => finish(t, merchant, request.key, answerOf(last)))
    return { ...answerOf(reply), replayed: false }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const answer = refuse(error)
    const kept = isKept(answer.status)
    await inTx((t) => (kept ? finish(t, merchant, request.key, answer) : t.query(RELEASE, [merchant.id, request.key])))
    if (!kept) throw error
    return { ...answer, replayed: false }
  }
}

/** What became of a key. */
export async function lookUp(read: Read, merchantId: bigint, key: string): Promise<Row | null> {
  const rows = await read.query<Row>(FIND, [merchantId, key, keptSince(read.now)])
  return rows[0] ?? null
}

/** Deletes keys that are older than they are kept, some at a time. */
export const forget = (t: Tx): Promise<unknown> => t.query(FORGET, [keptSince(t.now)])
