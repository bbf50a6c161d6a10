import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type SealedKey = { readonly sealed: string; readonly digest: Buffer }

const BEGIN: Statement = {
  name: 'auth_begin_overlap',
  text: `update merchants set next_secret_sealed = $3, next_secret_digest = $4, overlap_until = $5
where id = $1 and credential = $2 and overlap_until is null returning id`,
}
/** A second key beside the one of this credential; false when that is not the only one in force. */
export const beginOverlap = async (t: Tx, merchantId: bigint, credential: number, key: SealedKey, until: Date) =>
  (await t.query(BEGIN, [merchantId, credential, key.sealed, key.digest, until])).length === 1

const REPLACE: Statement = {
  name: 'auth_replace_key',
  text: `update merchants set secret_sealed = $3, secret_digest = $4, credential = credential + 1
where id = $1 and credential = $2 and overlap_until is null returning id`,
}
/** The new key in place of the one of this credential; false as above. */
export const replaceKey = async (t: Tx, merchantId: bigint, credential: number, key: SealedKey) =>
  (await t.query(REPLACE, [merchantId, credential, key.sealed, key.digest])).length === 1

const NEXT_BECOMES_CURRENT = `secret_sealed = next_secret_sealed, secret_digest = next_secret_digest, credential = credential + 1,
  next_secret_sealed = null, next_secret_digest = null, overlap_until = null`

const END: Statement = {
  name: 'auth_end_overlap',
  text: `update merchants set ${NEXT_BECOMES_CURRENT}
where id = $1 and credential + 1 = $2 and overlap_until is not null returning id`,
}
/** The key of this credential is the next one and becomes the only one; false when it is not the next. */
export const endOverlap = async (t: Tx, merchantId: bigint, next: number) =>
  (await t.query(END, [merchantId, next])).length === 1

const CANCEL: Statement = {
  name: 'auth_cancel_overlap',
  text: `update merchants set credential = credential + 2, next_secret_sealed = null, next_secret_digest = null, overlap_until = null
where id = $1 and credential = $2 and overlap_until is not null returning id`,
}
/** The key of this credential is the only one again. The number of the other is passed over, so that nothing
 *  issued for it opens later. False when it has no other. */
export const cancelOverlap = async (t: Tx, merchantId: bigint, credential: number) =>
  (await t.query(CANCEL, [merchantId, credential])).length === 1

const END_DUE: Statement = {
  name: 'auth_end_due_overlaps',
  text: `
-- all merchants: their timers have fallen due
update merchants m set ${NEXT_BECOMES_CURRENT}
from unnest($1::bigint[], $2::timestamptz[]) as due (merchant_id, due_at)
where m.id = due.merchant_id and m.overlap_until <= due.due_at`,
}
/** A timer ends the overlap it was set for. One that began after an early finish ends later than this timer
 *  was due. */
export const endDueOverlaps = (t: Tx, due: readonly { merchantId: bigint; dueAt: Date }[]) =>
  t.query(END_DUE, [due.map(({ merchantId }) => merchantId), due.map(({ dueAt }) => dueAt)])

const FIND: Statement = {
  name: 'auth_find_credentials',
  text: 'select credential, overlap_until is not null as overlaps from merchants where id = $1',
}
export const findCredentials = async (read: Read, merchantId: bigint) =>
  (await read.query<{ overlaps: boolean; credential: Rows['merchants']['credential'] }>(FIND, [merchantId]))[0] ?? null

const CONFIRM: Statement = {
  name: 'auth_confirm_credential',
  text: `select id from merchants
where id = $1 and (credential = $2 or (overlap_until is not null and credential + 1 = $2)) for update`,
}
/** Whether the secret key of this credential is in force, held until the end of the transaction. */
export const lockCredential = async (t: Tx, merchantId: bigint, credential: number): Promise<boolean> =>
  (await t.query(CONFIRM, [merchantId, credential])).length === 1
