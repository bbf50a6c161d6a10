import type { PasskeyPurpose } from '@cowrie/contract/access/passkeys'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type PasskeyRow = Readonly<
  Pick<
    Rows['passkeys'],
    'id' | 'person_id' | 'credential_id' | 'public_key' | 'counter' | 'name' | 'transports' | 'created_at' | 'used_at'
  >
>
const COLUMNS = 'id, person_id, credential_id, public_key, counter, name, transports, created_at, used_at'

const LIST: Statement = {
  name: 'passkeys_list',
  text: `select ${COLUMNS} from passkeys where person_id = $1 and ended_at is null order by id`,
}
export const list = (read: Read, personId: bigint) => read.query<PasskeyRow>(LIST, [personId])

const FIND: Statement = {
  name: 'passkeys_find',
  text: `select ${COLUMNS} from passkeys where credential_id = $1 and ended_at is null`,
}
export const find = async (read: Read, credentialId: Buffer) =>
  (await read.query<PasskeyRow>(FIND, [credentialId]))[0] ?? null

const INSERT: Statement = {
  name: 'passkeys_insert',
  text: `insert into passkeys (id, person_id, credential_id, public_key, counter, name, transports, created_at)
values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (credential_id) do nothing returning ${COLUMNS}`,
}
/** Null when the credential is or was somebody's. */
export const insert = async (t: Tx, row: Omit<PasskeyRow, 'created_at' | 'used_at'>): Promise<PasskeyRow | null> =>
  (
    await t.query<PasskeyRow>(INSERT, [
      row.id,
      row.person_id,
      row.credential_id,
      row.public_key,
      row.counter,
      row.name,
      row.transports,
      t.now,
    ])
  )[0] ?? null

const RENAME: Statement = {
  name: 'passkeys_rename',
  text: `update passkeys set name = $3 where id = $2 and person_id = $1 and ended_at is null returning ${COLUMNS}`,
}
export const rename = async (t: Tx, personId: bigint, id: bigint, name: string) =>
  (await t.query<PasskeyRow>(RENAME, [personId, id, name]))[0] ?? null

const END: Statement = {
  name: 'passkeys_end',
  text: `update passkeys set ended_at = $3 where id = $2 and person_id = $1 and ended_at is null returning ${COLUMNS}`,
}
export const end = async (t: Tx, personId: bigint, id: bigint) =>
  (await t.query<PasskeyRow>(END, [personId, id, t.now]))[0] ?? null

const USE: Statement = {
  name: 'passkeys_use',
  text: `update passkeys set counter = $2, used_at = $3
where id = $1 and ended_at is null and (counter < $2 or (counter = 0 and $2 = 0)) returning id`,
}
/** False when the counter did not go forward, or the passkey was ended meanwhile. */
export const use = async (t: Tx, id: bigint, counter: bigint): Promise<boolean> =>
  (await t.query(USE, [id, counter, t.now])).length === 1

const USE_CHALLENGE: Statement = {
  name: 'challenges_use',
  text: `with expired as (delete from challenges where expires_at < $5)
insert into challenges (digest, purpose, person_id, expires_at) values ($1, $2, $3, $4) on conflict do nothing returning purpose`,
}
/** False when it was used before. Those that have expired go. */
export const useChallenge = async (
  t: Tx,
  challenge: { readonly digest: Buffer; readonly expiresAt: Date },
  purpose: PasskeyPurpose | 'oidc',
  personId: bigint | null,
): Promise<boolean> =>
  (await t.query(USE_CHALLENGE, [challenge.digest, purpose, personId, challenge.expiresAt, t.now])).length === 1
