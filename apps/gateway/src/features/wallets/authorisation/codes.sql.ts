// The statements of authorization codes: digests, tries and times; never a code.
import type { Rows } from '#core/rows.ts'
import { moments } from '#kit/arrays.ts'
import type { Statement, Tx } from '#kit/ctx.ts'

export type NewCode = {
  readonly subject: bigint
  readonly merchantId: bigint
  readonly digest: Buffer
  readonly expiresAt: Date
}

const INSERT: Statement = {
  name: 'codes_insert',
  text: `insert into authorizations as a (subject, merchant_id, digest, expires_at)
    select * from unnest($1::bigint[], $2::bigint[], $3::bytea[], $4::timestamptz[])
    on conflict (subject) do update set digest = excluded.digest, expires_at = excluded.expires_at, tries = 0, codes = a.codes + 1
    where a.merchant_id = excluded.merchant_id and a.used_at is null`,
}
/** A code for something that has none, or another in place of the one before. */
export const insertCode = async (t: Tx, codes: readonly NewCode[]): Promise<void> => {
  if (codes.length === 0) return
  await t.query(INSERT, [
    codes.map((code) => code.subject),
    codes.map((code) => code.merchantId),
    codes.map((code) => code.digest),
    codes.map((code) => code.expiresAt),
  ])
}

export type CodeRow = Pick<Rows['authorizations'], 'digest' | 'expires_at' | 'tries' | 'codes' | 'used_at'>
const LOCK: Statement = {
  name: 'codes_lock',
  text: 'select digest, expires_at, tries, codes, used_at from authorizations where merchant_id = $1 and subject = $2 for update',
}
export const lockCode = async (t: Tx, merchantId: bigint, subject: bigint): Promise<CodeRow | null> =>
  (await t.query<CodeRow>(LOCK, [merchantId, subject]))[0] ?? null

const TRIED: Statement = {
  name: 'codes_tried',
  text: `update authorizations set tries = tries + $3, used_at = $4 where merchant_id = $1 and subject = $2`,
}
export const setTried = (t: Tx, merchantId: bigint, subject: bigint, right: boolean): Promise<unknown> =>
  t.query(TRIED, [merchantId, subject, right ? 0 : 1, right ? t.now : null])

export type Guard = Pick<Rows['code_guards'], 'wrong_at' | 'locked_at'>
const GUARD: Statement = {
  name: 'codes_guard',
  text: `insert into code_guards as g (merchant_id) values ($1)
    on conflict (merchant_id) do update set wrong_at = g.wrong_at returning wrong_at, locked_at`,
}
/** The wrong codes of a merchant, held until the end of the transaction: guesses of a merchant come one after
 *  the other. */
export const lockGuard = async (t: Tx, merchantId: bigint): Promise<Guard> =>
  (await t.query<Guard>(GUARD, [merchantId]))[0] as Guard

const SET_GUARD: Statement = {
  name: 'codes_set_guard',
  text: 'update code_guards set wrong_at = $2::timestamptz[], locked_at = $3 where merchant_id = $1',
}
export const setGuard = (t: Tx, merchantId: bigint, guard: Guard): Promise<unknown> =>
  t.query(SET_GUARD, [merchantId, moments(guard.wrong_at), guard.locked_at])
