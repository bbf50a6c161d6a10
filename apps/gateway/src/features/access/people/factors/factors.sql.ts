// The statements of authenticator apps and recovery codes.
import type { Read, Statement, Tx } from '#kit/ctx.ts'

const SET_NEXT: Statement = { name: 'totp_set_next', text: 'update people set totp_next_sealed = $2 where id = $1' }
export const setNextSeed = (t: Tx, personId: bigint, sealed: string) => t.query(SET_NEXT, [personId, sealed])

const CONFIRM: Statement = {
  name: 'totp_confirm',
  text: `update people set totp_sealed = totp_next_sealed, totp_last_step = $2, totp_next_sealed = null
where id = $1 and totp_next_sealed is not null returning id`,
}
export const confirmSeed = async (t: Tx, personId: bigint, step: bigint): Promise<boolean> =>
  (await t.query(CONFIRM, [personId, step])).length === 1

const USE_STEP: Statement = {
  name: 'totp_use_step',
  text: 'update people set totp_last_step = $2 where id = $1 and totp_last_step < $2 returning id',
}
/** False when a code of this step, or of a later one, was taken before. */
export const useStep = async (t: Tx, personId: bigint, step: bigint): Promise<boolean> =>
  (await t.query(USE_STEP, [personId, step])).length === 1

const DELETE_CODES: Statement = {
  name: 'recovery_codes_delete',
  text: 'delete from recovery_codes where person_id = $1',
}
const INSERT_CODES: Statement = {
  name: 'recovery_codes_insert',
  text: 'insert into recovery_codes (person_id, digest) select $1, unnest($2::bytea[])',
}
export async function replaceCodes(t: Tx, personId: bigint, digests: readonly Buffer[]): Promise<void> {
  await t.query(DELETE_CODES, [personId])
  await t.query(INSERT_CODES, [personId, digests])
}

const USE_CODE: Statement = {
  name: 'recovery_codes_use',
  text: `update recovery_codes set used_at = $3 where person_id = $1 and digest = $2 and used_at is null returning person_id`,
}
export const useCode = async (t: Tx, personId: bigint, digest: Buffer): Promise<boolean> =>
  (await t.query(USE_CODE, [personId, digest, t.now])).length === 1

const SET_WRONG: Statement = {
  name: 'people_set_wrong_factors',
  text: 'update people set wrong_factors = $2 where id = $1',
}
/** How many codes were wrong since the last right one. */
export const setWrong = (t: Tx, personId: bigint, wrong: number) => t.query(SET_WRONG, [personId, wrong])

const FORGET_WRONG: Statement = {
  name: 'people_forget_wrong_factors',
  text: 'update people set wrong_factors = 0 where id = $1 and wrong_factors > 0',
}
/** After a passkey, which nobody guesses. */
export const forgetWrong = (t: Tx, personId: bigint) => t.query(FORGET_WRONG, [personId])

const LEFT: Statement = {
  name: 'recovery_codes_left',
  text: 'select count(*)::int as left from recovery_codes where person_id = $1 and used_at is null',
}
export const codesLeft = async (read: Read, personId: bigint): Promise<number> =>
  (await read.query<{ left: number }>(LEFT, [personId]))[0]?.left ?? 0
