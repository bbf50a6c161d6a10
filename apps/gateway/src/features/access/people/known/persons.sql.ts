// The statements of people and where they belong.

import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'

export type Person = Readonly<
  Pick<
    Rows['people'],
    | 'id'
    | 'email'
    | 'name'
    | 'password_digest'
    | 'totp_sealed'
    | 'totp_last_step'
    | 'totp_next_sealed'
    | 'has_passkey'
    | 'wrong_factors'
  >
>
const COLUMNS =
  'id, email, name, password_digest, totp_sealed, totp_last_step, totp_next_sealed, has_passkey, wrong_factors'

const BY_ID: Statement = { name: 'people_by_id', text: `select ${COLUMNS} from people where id = $1` }
export const findPersonById = async (read: Read, id: bigint): Promise<Person | null> =>
  (await read.query<Person>(BY_ID, [id]))[0] ?? null

const BY_EMAIL: Statement = { name: 'people_by_email', text: `select ${COLUMNS} from people where email = $1` }
export const findPersonByEmail = async (read: Read, email: string): Promise<Person | null> =>
  (await read.query<Person>(BY_EMAIL, [email]))[0] ?? null

const LOCK: Statement = { name: 'people_lock', text: `select ${COLUMNS} from people where id = $1 for update` }
/** The person, held until the end of the transaction: what is used once is used once. */
export const lockPerson = async (t: Tx, id: bigint): Promise<Person | null> =>
  (await t.query<Person>(LOCK, [id]))[0] ?? null

export const insertPerson = (
  t: Tx,
  person: {
    readonly id: bigint
    readonly email: string
    readonly name: string
    readonly passwordDigest: string | null
  },
) =>
  insertInto('people', t, {
    id: person.id,
    email: person.email,
    name: person.name,
    password_digest: person.passwordDigest,
    created_at: t.now,
  })

const SET_PASSWORD: Statement = {
  name: 'people_set_password',
  text: 'update people set password_digest = $2 where id = $1',
}
export const setPassword = (t: Tx, id: bigint, digest: string) => t.query(SET_PASSWORD, [id, digest])

const FORMER: Statement = {
  name: 'former_passwords_list',
  text: `select digest from (
  select password_digest as digest, 2147483647 as number from people where id = $1 and password_digest is not null
  union select digest, number from former_passwords where person_id = $1
) d group by digest order by max(number) desc limit $2`,
}
/** The present password first, then those before it. */
export const lastPasswords = async (read: Read, id: bigint, most: number): Promise<string[]> =>
  (await read.query<Pick<Rows['former_passwords'], 'digest'>>(FORMER, [id, most])).map(({ digest }) => digest)

const KEEP_FORMER: Statement = {
  name: 'former_passwords_keep',
  text: `insert into former_passwords (person_id, number, digest)
select p.id, coalesce((select max(number) from former_passwords where person_id = p.id), 0) + 1, p.password_digest
from people p where p.id = $1 and p.password_digest is not null`,
}
const FORGET_FORMER: Statement = {
  name: 'former_passwords_forget',
  text: `delete from former_passwords where person_id = $1
and number <= (select max(number) from former_passwords where person_id = $1) - $2`,
}
/** Keeps the present password with those before it. */
export async function keepFormer(t: Tx, id: bigint, most: number): Promise<void> {
  await t.query(KEEP_FORMER, [id])
  await t.query(FORGET_FORMER, [id, most])
}

const SET_PASSKEY: Statement = { name: 'people_set_passkey', text: 'update people set has_passkey = $2 where id = $1' }
/** Whether the person has a passkey: then a password alone opens nothing. */
export const setHasPasskey = (t: Tx, id: bigint, has: boolean) => t.query(SET_PASSKEY, [id, has])

/** Of a merchant's people its cell and id; null of the operator's. */
export type Where = { readonly cell: CellId; readonly id: bigint } | null

export type Membership = Readonly<Pick<Rows['memberships'], 'id' | 'person_id' | 'member_of' | 'role'>> & {
  readonly merchant_cell: CellId | null
}
const OPEN_OF: Statement = {
  name: 'memberships_of_person',
  text: `select id, person_id, merchant_cell, member_of, role from memberships where person_id = $1 and ended_at is null order by id desc`,
}
/** Where a person belongs now, the newest first. */
export const listMemberships = (read: Read, personId: bigint): Promise<Membership[]> =>
  read.query<Membership>(OPEN_OF, [personId])

export const insertMembership = (
  t: Tx,
  member: {
    readonly id: bigint
    readonly personId: bigint
    readonly where: Where
    readonly role: string
    readonly by: string
    /** Whether it is the role of those who manage the others. */
    readonly managed: boolean
    /** Null: at once. */
    readonly approvesFrom: Date | null
  },
) =>
  insertInto('memberships', t, {
    id: member.id,
    person_id: member.personId,
    merchant_cell: member.where?.cell ?? null,
    member_of: member.where?.id ?? null,
    role: member.role,
    created_at: t.now,
    created_by: member.by,
    managed: member.managed,
    approves_from: member.approvesFrom,
  })

const SET_ROLE: Statement = {
  name: 'memberships_set_role',
  text: `update memberships set role = $2, managed = managed or $3, approves_from = coalesce($4::timestamptz, approves_from)
where id = $1 and ended_at is null returning id`,
}
/** What managed once, managed for ever. */
export const setRole = async (
  t: Tx,
  id: bigint,
  to: { readonly role: string; readonly managed: boolean; readonly approvesFrom: Date | null },
): Promise<boolean> => (await t.query(SET_ROLE, [id, to.role, to.managed, to.approvesFrom])).length === 1

const COUNT_MANAGERS: Statement = {
  name: 'memberships_count_managers',
  text: 'select count(*)::int as count from memberships where member_of is null and managed',
}
/** Operators who manage the others or ever did, also those who were ended. */
export const countManagers = async (read: Read): Promise<number> =>
  (await read.query<{ count: number }>(COUNT_MANAGERS, []))[0]?.count ?? 0

const LIST_WITH_ROLE: Statement = {
  name: 'memberships_list_with_role',
  text: `select p.email from memberships m join people p on p.id = m.person_id
where m.role = $3 and m.ended_at is null and m.merchant_cell is not distinct from $1::text and m.member_of is not distinct from $2::bigint
order by m.id`,
}
export const listWithRole = async (read: Read, where: Where, role: string): Promise<string[]> =>
  (await read.query<Pick<Rows['people'], 'email'>>(LIST_WITH_ROLE, [where?.cell ?? null, where?.id ?? null, role])).map(
    ({ email }) => email,
  )
