// The statements of invitations and of who belongs where.
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import type { Where } from './known/persons.ts'

const at = (where: Where) => [where?.cell ?? null, where?.id ?? null] as const
const AT = (first: number) =>
  `merchant_cell is not distinct from $${first}::text and member_of is not distinct from $${first + 1}::bigint`

export type Member = Readonly<Pick<Rows['memberships'], 'id' | 'person_id' | 'role'>> &
  Readonly<Pick<Rows['people'], 'email' | 'name'>>
const FIND_MEMBER: Statement = {
  name: 'team_find_member',
  text: `select m.id, m.person_id, p.email, p.name, m.role from memberships m join people p on p.id = m.person_id
where p.email = $3 and m.ended_at is null and ${AT(1)}`,
}
export const findMember = async (read: Read, where: Where, email: string): Promise<Member | null> =>
  (await read.query<Member>(FIND_MEMBER, [...at(where), email]))[0] ?? null

const LOCK_WITH_ROLE: Statement = {
  name: 'team_lock_with_role',
  text: `select id from memberships where role = $3 and ended_at is null and ${AT(1)} order by id for update`,
}
/** Those with a role, held: two of them cannot demote each other at once. */
export const lockWithRole = (t: Tx, where: Where, role: string) =>
  t.query<Pick<Rows['memberships'], 'id'>>(LOCK_WITH_ROLE, [...at(where), role])

const ANY_WITH_ROLES: Statement = {
  name: 'team_any_with_roles',
  text: `select exists (select from memberships where role = any($3::text[]) and ended_at is null and ${AT(1)}) as found`,
}
export const anyWithRoles = async (read: Read, where: Where, roles: readonly string[]): Promise<boolean> =>
  (await read.query<{ found: boolean }>(ANY_WITH_ROLES, [...at(where), roles]))[0]?.found ?? false

const END_MEMBERSHIP: Statement = {
  name: 'team_end_membership',
  text: 'update memberships set ended_at = $2 where id = $1 and ended_at is null returning id',
}
export const endMembership = async (t: Tx, id: bigint): Promise<boolean> =>
  (await t.query(END_MEMBERSHIP, [id, t.now])).length === 1

export type TeamRow = {
  readonly email: string
  readonly name: string
  readonly role: string
  readonly state: 'ACTIVE' | 'INVITED'
  readonly totp: boolean
  readonly passkey: boolean
  readonly since: Date
  readonly used_at: Date | null
}
const LIST: Statement = {
  name: 'team_list',
  text: `
select p.email, p.name, m.role, 'ACTIVE' as state, p.totp_sealed is not null as totp, p.has_passkey as passkey, m.created_at as since,
  (select max(s.used_at) from sessions s where s.membership_id = m.id) as used_at
from memberships m join people p on p.id = m.person_id where m.ended_at is null and ${AT(1)}
union all
select email, name, role, 'INVITED', false, false, created_at, null from invitations
where used_at is null and not resets and expires_at > $3 and ${AT(1)}
order by state, email limit 1000`,
}
export const listTeam = (read: Read, where: Where) => read.query<TeamRow>(LIST, [...at(where), read.now])

// ---- invitations

export type Invitation = Readonly<
  Pick<Rows['invitations'], 'id' | 'email' | 'name' | 'member_of' | 'role' | 'resets' | 'invited_by'>
> & {
  readonly merchant_cell: CellId | null
}
const INSERT: Statement = {
  name: 'invitations_insert',
  text: `insert into invitations (id, email, name, merchant_cell, member_of, role, resets, digest, invited_by, created_at, expires_at, opens_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
}
export const insertInvitation = (
  t: Tx,
  invitation: {
    readonly id: bigint
    readonly email: string
    readonly name: string
    readonly where: Where
    readonly role: string
    readonly resets: boolean
    readonly digest: Buffer
    readonly by: string
    readonly expiresAt: Date
    /** Null: at once. */
    readonly opensAt: Date | null
  },
) => {
  const { id, email, name, where, role, resets, digest, by, expiresAt, opensAt } = invitation
  return t.query(INSERT, [id, email, name, ...at(where), role, resets, digest, by, t.now, expiresAt, opensAt])
}

const LOCK_INVITING: Statement = {
  name: 'invitations_lock_inviting',
  text: `select pg_advisory_xact_lock(hashtextextended('invitations of ' || coalesce($1::text || $2::bigint, ''), 0))`,
}
/** Two of a team at once count each other's. */
export const lockInviting = (t: Tx, where: Where): Promise<unknown> => t.query(LOCK_INVITING, [...at(where)])

const COUNT: Statement = {
  name: 'invitations_count',
  text: `
select count(*) filter (where ${AT(1)} and created_at > $4::timestamptz)::int as of_team,
  count(*) filter (where email = $3 and created_at > $5::timestamptz)::int as of_address
from invitations where created_at > $4::timestamptz`,
}
/** Links that were sent: by a team, and to an address by whomever. */
export async function countInvitations(
  read: Read,
  where: Where,
  { email, dayAgo, hourAgo }: { email: string; dayAgo: Date; hourAgo: Date },
): Promise<{ of_team: number; of_address: number }> {
  type Row = { of_team: number; of_address: number }
  const [row] = await read.query<Row>(COUNT, [...at(where), email, dayAgo, hourAgo])
  return row ?? { of_team: 0, of_address: 0 }
}

const COLUMNS = 'id, email, name, merchant_cell, member_of, role, resets, invited_by'
const OPEN = 'expires_at > $2 and (opens_at is null or opens_at <= $2)'
const FIND: Statement = {
  name: 'invitations_find',
  text: `select ${COLUMNS} from invitations where digest = $1 and used_at is null and ${OPEN}`,
}
export const findInvitation = async (read: Read, digest: Buffer): Promise<Invitation | null> =>
  (await read.query<Invitation>(FIND, [digest, read.now]))[0] ?? null

const USE: Statement = {
  name: 'invitations_use',
  text: `update invitations set used_at = $2 where digest = $1 and used_at is null and ${OPEN} returning ${COLUMNS}`,
}
/** Once, and in time; null otherwise. */
export const useInvitation = async (t: Tx, digest: Buffer): Promise<Invitation | null> =>
  (await t.query<Invitation>(USE, [digest, t.now]))[0] ?? null

const VOID: Statement = {
  name: 'invitations_void',
  text: `update invitations set expires_at = least(expires_at, $4) where email = $3 and used_at is null and expires_at > $4 and ${AT(1)} returning id`,
}
/** Invitations that were not used are no longer good; answers whether there were any. */
export const voidInvitations = async (t: Tx, where: Where, email: string): Promise<boolean> =>
  (await t.query(VOID, [...at(where), email, t.now])).length > 0

const VOID_ROLE: Statement = {
  name: 'invitations_void_role',
  text: `update invitations set expires_at = least(expires_at, $4) where role = $3 and used_at is null and not resets and ${AT(1)}`,
}
/** All that were not used, whoever was invited. */
export const voidInvitationsAs = (t: Tx, where: Where, role: string) => t.query(VOID_ROLE, [...at(where), role, t.now])

const ANY_OPERATOR: Statement = {
  name: 'memberships_any_operator',
  text: 'select exists (select from memberships where member_of is null) as found',
}
/** Whether there ever was an operator. */
export const wasOperator = async (read: Read): Promise<boolean> =>
  (await read.query<{ found: boolean }>(ANY_OPERATOR, []))[0]?.found ?? false

const VOID_OPERATORS: Statement = {
  name: 'invitations_void_operators',
  text: 'update invitations set expires_at = least(expires_at, $1) where member_of is null and used_at is null',
}
export const voidOperatorInvitations = (t: Tx) => t.query(VOID_OPERATORS, [t.now])

const FORGET: Statement = {
  name: 'invitations_forget',
  text: 'delete from invitations where id in (select id from invitations where expires_at < $1 limit 1000)',
}
/** Whether they were used or not; one that is used ends before it expires. */
export const forgetInvitations = (t: Tx, before: Date) => t.query(FORGET, [before])
