// Idempotency-Key: the row of a key commits with the work it stands for, so a key is never spent without the
// work nor the work done without the key. While the first is in flight a second gets 409; afterwards it gets
// the same status and bytes. Refusals are kept as well, except those a retry can change (401, 409, 429, 5xx).
//
// Work in several steps, with a call to the outside between them, claims the key in a transaction of its own.
// Its answer is filed in the transaction that does the work: as the last word, or as an early one (an answer
// without a status), when what follows may still change the answer. If the process dies, the key is free
// again after a minute, unless an early answer is filed: that is the answer then. A claim is known by its
// time. Who lost its claim to a later try neither files nor does the work; it answers what the later try
// filed. A repeat is answered when a standby has what it repeats (cells/standbys.ts).
//
// Of the request only keyed digests are kept, one per field: enough to name what differs, nothing to read. An
// answer that tells who somebody is, is kept sealed, and opens for this key only.

import { KEY_DAYS } from '@cowrie/contract/access/idempotency'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { isRawNumber } from '@cowrie/contract/kit/exact-json'
import type { Rows } from '#core/rows.ts'
import { moments, numbers, texts } from '#kit/arrays.ts'
import { hmacHex, open, seal } from '#kit/crypto.ts'
import type { Ctx, Read, Statement, Tx } from '#kit/ctx.ts'
import { Failure, fail } from '#kit/fail.ts'
import { type JsonValue, readJson } from '#kit/validation/json.ts'
import type { Merchant } from './access/merchants.ts'
import { tx } from './cells/cells.ts'
import { confirmSeen } from './cells/standbys.ts'
import type { SealedTable } from './keys/reseal.ts'

export type Answer = { readonly status: number; readonly body: string }
export type KeyedRequest = {
  readonly key: string
  readonly method: string
  readonly path: string
  readonly body: string
  /** Fields of which nothing may rest, not even a digest; they are not compared. */
  readonly secretFields?: readonly string[]
  /** As the route's. */
  readonly bodyKeysMax?: number
  readonly sealsAnswer?: true
}

type Row = Pick<
  Rows['requests'],
  'key' | 'method' | 'path' | 'fields' | 'status' | 'answer' | 'created_at' | 'completed_at'
>

const LOCK: Statement = {
  name: 'requests_lock',
  text: 'select pg_try_advisory_xact_lock(hashtextextended($2, $1::bigint)) as free',
}
const FIND: Statement = {
  name: 'requests_find',
  text: `select key, method, path, fields, status, answer, created_at, completed_at from requests
    where merchant_id = $1 and key = $2 and created_at > $3`,
}
// Only over a key that is forgotten, or a claim that was abandoned: an answer that was filed in the meantime
// stays.
const CLAIM: Statement = {
  name: 'requests_claim',
  text: `insert into requests as r (merchant_id, key, method, path, fields, created_at) values ($1, $2, $3, $4, $5, $6)
    on conflict (merchant_id, key) do update set method = excluded.method, path = excluded.path, fields = excluded.fields,
    created_at = excluded.created_at, status = null, answer = null, completed_at = null
    where r.created_at <= $7 or (r.status is null and r.answer is null and r.created_at <= $8) returning key`,
}
// A filed answer is final, and so is an early one for everybody but whoever filed it.
const FINISH: Statement = {
  name: 'requests_finish',
  text: `update requests set status = $3, answer = $4, completed_at = $5
    where merchant_id = $1 and key = $2 and created_at = $6 and status is null returning key`,
}
const REFUSE: Statement = {
  name: 'requests_refuse',
  text: `update requests set status = $3, answer = $4, completed_at = $5
    where merchant_id = $1 and key = $2 and created_at = $6 and status is null and answer is null returning key`,
}
const RELEASE: Statement = {
  name: 'requests_release',
  text: `delete from requests where merchant_id = $1 and key = $2 and created_at = $3 and status is null and answer is null
    returning key`,
}
const HOLD: Statement = {
  name: 'requests_hold',
  text: `
-- all merchants: each claim names its own
select x.place::int as place from unnest($1::bigint[], $2::text[], $3::timestamptz[]) with ordinality as x(merchant_id, key, claimed_at, place)
join requests r on r.merchant_id = x.merchant_id and r.key = x.key and r.created_at = x.claimed_at and r.status is null and r.answer is null
for update of r`,
}
const FILE_EARLY: Statement = {
  name: 'requests_file_early',
  text: `
-- all merchants: each claim names its own
update requests r set answer = x.answer from unnest($1::bigint[], $2::text[], $3::timestamptz[], $4::text[]) as x(merchant_id, key, claimed_at, answer)
where r.merchant_id = x.merchant_id and r.key = x.key and r.created_at = x.claimed_at and r.status is null returning r.key`,
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

const keptSince = (now: Date): Date => new Date(now.getTime() - KEY_DAYS * DAY_MS)

/** One text per value, whatever the order of its keys. */
function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value !== null && typeof value === 'object' && !isRawNumber(value)) {
    const keys = Object.keys(value).sort()
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key] as JsonValue)}`).join(',')}}`
  }
  return JSON.stringify(value)
}

function digests(ctx: Ctx, request: KeyedRequest): Record<string, string> {
  const digest = (text: string) => hmacHex('sha256', ctx.keys.requests, text).slice(0, 24)
  const value = request.body === '' ? {} : readJson(request.body, 'exact', request.bodyKeysMax)
  if (value === undefined) return { body: digest(request.body) }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return { body: digest(canonical(value)) }
  const kept = Object.entries(value).filter(([field]) => !request.secretFields?.includes(field))
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

/** The right of one try to do the work of a key. */
export type Claim = { readonly merchantId: bigint; readonly key: string; readonly claimedAt: Date }

const isAbandoned = (row: Row, now: Date): boolean => now.getTime() - row.created_at.getTime() >= CLAIM_MS

function checkSame(row: Row, request: KeyedRequest, fields: Record<string, string>): void {
  const differing = differences(row, request, fields)
  if (differing.length > 0) fail('IDEMPOTENCY_MISMATCH', { fields: differing.join(', ') })
}

/** The answer that is kept for a key, or the claim to do its work. Refuses a key that is in use, or was for
 *  something else. */
async function claimed(
  t: Tx,
  merchant: Merchant,
  request: KeyedRequest,
  fields: Record<string, string>,
): Promise<Answer | Claim> {
  const [lock] = await t.query<{ free: boolean }>(LOCK, [merchant.id, request.key])
  if (!lock?.free) fail('IDEMPOTENCY_IN_FLIGHT')
  const [known] = await t.query<Row>(FIND, [merchant.id, request.key, keptSince(t.now)])
  if (known?.status && known.answer !== null) {
    checkSame(known, request, fields)
    await confirmSeen(t)
    return { status: known.status, body: known.answer }
  }
  if (known && !isAbandoned(known, t.now)) fail('IDEMPOTENCY_IN_FLIGHT')
  if (known && known.answer !== null) {
    checkSame(known, request, fields)
    return finishEarly(t, merchant, known)
  }
  const row = [merchant.id, request.key, request.method, request.path, JSON.stringify(fields), t.now]
  const abandonedBefore = new Date(t.now.getTime() - CLAIM_MS)
  const made = await t.query(CLAIM, [...row, keptSince(t.now), abandonedBefore])
  if (made.length === 0) fail('IDEMPOTENCY_IN_FLIGHT')
  return { merchantId: merchant.id, key: request.key, claimedAt: t.now }
}

/** Bodies are JSON and never begin so. */
const isSealed = (body: string): boolean => body.startsWith('v1.')
const sealContext = (merchantId: bigint, key: string): string => `request/${merchantId}/${key}`
/** Where answers that hold a secret key are kept. */
export const sealedAnswers: SealedTable = {
  table: 'requests',
  key: { merchant_id: 'bigint', key: 'text' },
  columns: { answer: (row) => sealContext(row['merchant_id'] as bigint, row['key'] as string) },
}
const opened = (ctx: Ctx, merchantId: bigint, key: string, body: string): string =>
  isSealed(body) ? open(ctx.keys, body, sealContext(merchantId, key)) : body

const DONE = 200
/** Nobody is left who could file more: the early answer is the answer. */
async function finishEarly(t: Tx, merchant: Merchant, { key, answer, created_at }: Row): Promise<Answer> {
  const early = { status: DONE, body: answer ?? '' }
  const done = await finish(t, { merchantId: merchant.id, key, claimedAt: created_at }, early)
  return done ? early : fail('IDEMPOTENCY_IN_FLIGHT')
}

const finish = async (t: Tx, { merchantId, key, claimedAt }: Claim, answer: Answer, how = FINISH): Promise<boolean> =>
  (await t.query(how, [merchantId, key, answer.status, answer.body, t.now, claimedAt])).length > 0

/** Does `work` once for this key. `refuse` turns a refusal into the answer that is kept. */
export async function withIdempotencyKey(
  ctx: Ctx,
  merchant: Merchant,
  request: KeyedRequest,
  work: (t: Tx) => Promise<Answer>,
  refuse: (failure: Failure) => Answer,
): Promise<Answer & { readonly replayed: boolean }> {
  const fields = digests(ctx, request)
  return tx(ctx, merchant.cell, merchant.id, async (t) => {
    const claim = await claimed(t, merchant, request, fields)
    if ('body' in claim) return { ...claim, replayed: true }
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
    await finish(t, claim, answer)
    return { ...answer, replayed: false }
  })
}

/** An early answer of a claim. */
export type Filing = { readonly claim: Claim; readonly body: string }

/** Files the answer of a keyed request; does nothing without a key. Called plainly in the transaction that
 *  ends the work: it refuses the transaction when another try has the claim by now. */
export type StoreResponse<Reply> = {
  (t: Tx, reply: Reply): Promise<unknown>
  /** In the transaction that does the work, when the answer may still change until it is given. Refuses
   *  likewise. */
  readonly early: (t: Tx, reply: Reply) => Promise<unknown>
  /** What became of work that is done already. Never refuses: nobody may roll back what the outside knows
   *  of. */
  readonly late: (t: Tx, reply: Reply) => Promise<unknown>
  /** For work that is done together with that of others: see `lostClaims` and `fileEarly`. */
  readonly claim: Claim | null
  readonly filing: (reply: Reply) => Filing | null
  /** Likewise: writes the line of the audit trail, where the request has one. Otherwise that is done with the
   *  answer. */
  readonly line: ((t: Tx) => Promise<void>) | null
}

/** For requests without a key. */
export const discardResponse: StoreResponse<unknown> = Object.assign(async () => undefined, {
  early: async () => undefined,
  late: async () => undefined,
  claim: null,
  filing: () => null,
  line: null,
})

/** Holds claims until the end of the transaction; answers the places of those that are lost to a later
 *  try. */
export async function lostClaims(t: Tx, claims: readonly (Claim | null)[]): Promise<ReadonlySet<number>> {
  const asked = claims.flatMap((claim, at) => (claim ? [{ ...claim, at }] : []))
  if (asked.length === 0) return new Set()
  const held = await t.query<{ place: number }>(HOLD, [
    numbers(asked.map(({ merchantId }) => merchantId)),
    texts(asked.map(({ key }) => key)),
    moments(asked.map(({ claimedAt }) => claimedAt)),
  ])
  const kept = new Set(held.map(({ place }) => asked[place - 1]?.at))
  return new Set(asked.flatMap(({ at }) => (kept.has(at) ? [] : [at])))
}

/** Files early answers; refuses the transaction when a claim is lost. */
export async function fileEarly(t: Tx, filings: readonly (Filing | null)[]): Promise<void> {
  const given = filings.flatMap((filing) => (filing ? [filing] : []))
  if (given.length === 0) return
  const filed = await t.query(FILE_EARLY, [
    numbers(given.map(({ claim }) => claim.merchantId)),
    texts(given.map(({ claim }) => claim.key)),
    moments(given.map(({ claim }) => claim.claimedAt)),
    texts(given.map(({ body }) => body)),
  ])
  if (filed.length !== given.length) fail('IDEMPOTENCY_IN_FLIGHT')
}

function storeFor<Reply>(claim: Claim, answerOf: (reply: Reply) => Answer): StoreResponse<Reply> {
  const filing = (reply: Reply): Filing => ({ claim, body: answerOf(reply).body })
  const late = (t: Tx, reply: Reply) => finish(t, claim, answerOf(reply))
  const store = async (t: Tx, reply: Reply) => (await late(t, reply)) || fail('IDEMPOTENCY_IN_FLIGHT')
  const early = (t: Tx, reply: Reply) => fileEarly(t, [filing(reply)])
  return Object.assign(store, { early, late, claim, filing, line: null })
}

/** The same for work in several steps. `work` calls `store` in the transaction that does it. */
export async function withIdempotencyKeyInSteps<Reply>(
  ctx: Ctx,
  merchant: Merchant,
  request: KeyedRequest,
  work: (store: StoreResponse<Reply>) => Promise<Reply>,
  answerOf: (reply: Reply) => Answer,
  refuse: (failure: Failure) => Answer,
): Promise<Answer & { readonly replayed: boolean }> {
  const fields = digests(ctx, request)
  const inTx = <T>(step: (t: Tx) => Promise<T>) => tx(ctx, merchant.cell, merchant.id, step)
  const claim = await inTx((t) => claimed(t, merchant, request, fields))
  const replay = ({ status, body }: Answer) => ({
    status,
    body: opened(ctx, merchant.id, request.key, body),
    replayed: true,
  })
  if ('body' in claim) return replay(claim)
  const kept = (reply: Reply): Answer => {
    const answer = answerOf(reply)
    if (!request.sealsAnswer) return answer
    return { ...answer, body: seal(ctx.keys, answer.body, sealContext(merchant.id, request.key)) }
  }
  try {
    const reply = await work(storeFor(claim, kept))
    return { ...answerOf(reply), replayed: false }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const answer = refuse(error)
    const instead = await inTx((t) => refused(t, merchant, claim, answer))
    if (instead) return replay(instead)
    if (!isKept(answer.status)) throw error
    return { ...answer, replayed: false }
  }
}

/** Files a refusal, or frees the key. Where a later try has filed its answer, or this one has filed an early
 *  one before it was refused, that is the answer. */
async function refused(t: Tx, merchant: Merchant, claim: Claim, answer: Answer): Promise<Answer | null> {
  const { merchantId, key, claimedAt } = claim
  if (isKept(answer.status) && (await finish(t, claim, answer, REFUSE))) return null
  if (!isKept(answer.status) && (await t.query(RELEASE, [merchantId, key, claimedAt])).length > 0) return null
  const [known] = await t.query<Row>(FIND, [merchantId, key, keptSince(t.now)])
  if (known?.status && known.answer !== null) {
    await confirmSeen(t)
    return { status: known.status, body: known.answer }
  }
  if (known && known.answer !== null && known.created_at.getTime() === claimedAt.getTime())
    return finishEarly(t, merchant, known)
  return fail('IDEMPOTENCY_IN_FLIGHT')
}

/** What became of a key. An early answer counts once nobody is left to file another. */
export async function lookUp(ctx: Ctx, read: Read, merchantId: bigint, key: string): Promise<Row | null> {
  const [found] = await read.query<Row>(FIND, [merchantId, key, keptSince(read.now)])
  const row = found && {
    ...found,
    answer: found.answer === null ? null : opened(ctx, merchantId, key, found.answer),
  }
  if (!row || row.status !== null || row.answer === null) return row ?? null
  return isAbandoned(row, read.now) ? { ...row, status: DONE, completed_at: row.created_at } : { ...row, answer: null }
}

/** Deletes keys that are older than they are kept, some at a time. */
export const purgeExpired = (t: Tx): Promise<unknown> => t.query(FORGET, [keptSince(t.now)])
