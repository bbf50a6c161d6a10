// The statements of sessions and devices.

import type { Side } from '@cowrie/contract/kit/permissions'
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'

export type NewSession = {
  readonly id: bigint
  readonly personId: bigint
  readonly membershipId: bigint
  readonly side: Side
  readonly digest: Buffer
  readonly half: boolean
  readonly provedAt: Date | null
  readonly endsAt: Date
  readonly device: string
  readonly address: string
}
export const insertSession = (t: Tx, s: NewSession) =>
  insertInto('sessions', t, {
    id: s.id,
    person_id: s.personId,
    membership_id: s.membershipId,
    side: s.side,
    digest: s.digest,
    half: s.half,
    created_at: t.now,
    used_at: t.now,
    proved_at: s.provedAt,
    ends_at: s.endsAt,
    device: s.device,
    address: s.address,
  })

/** A session with who it is of and what that person is now. */
export type SessionRow = Readonly<
  Pick<
    Rows['sessions'],
    'id' | 'person_id' | 'membership_id' | 'half' | 'created_at' | 'used_at' | 'proved_at' | 'ends_at' | 'ended_at'
  >
> &
  Readonly<Pick<Rows['people'], 'email' | 'name'>> &
  Readonly<Pick<Rows['memberships'], 'member_of' | 'role' | 'approves_from'>> & {
    readonly side: Side
    readonly second_factor: boolean
    readonly merchant_cell: CellId | null
    readonly membership_ended_at: Rows['memberships']['ended_at']
  }
const FIND: Statement = {
  name: 'sessions_find',
  text: `
select s.id, s.person_id, s.membership_id, s.side, s.half, s.created_at, s.used_at, s.proved_at, s.ends_at, s.ended_at, p.email, p.name,
  p.totp_sealed is not null or p.has_passkey as second_factor, m.merchant_cell, m.member_of, m.role, m.approves_from,
  m.ended_at as membership_ended_at
from sessions s join people p on p.id = s.person_id join memberships m on m.id = s.membership_id where s.digest = $1`,
}
export const findSession = async (read: Read, digest: Buffer): Promise<SessionRow | null> =>
  (await read.query<SessionRow>(FIND, [digest]))[0] ?? null

const USE: Statement = {
  name: 'sessions_use',
  text: 'update sessions set used_at = greatest(used_at, $2) where id = $1 and ended_at is null',
}
export const useSession = (t: Tx, id: bigint) => t.query(USE, [id, t.now])

const END: Statement = {
  name: 'sessions_end',
  text: 'update sessions set ended_at = $3 where id = $1 and person_id = $2 and ended_at is null returning id',
}
/** Ends one session of a person; false when it is none that is open. */
export const endSession = async (t: Tx, id: bigint, personId: bigint): Promise<boolean> =>
  (await t.query(END, [id, personId, t.now])).length === 1

const END_ALL: Statement = {
  name: 'sessions_end_all',
  text: 'update sessions set ended_at = $2 where person_id = $1 and id <> $3 and ended_at is null returning id',
}
/** Ends every session of a person, but one; answers how many that were. */
export const endSessions = async (t: Tx, personId: bigint, but = 0n): Promise<number> =>
  (await t.query(END_ALL, [personId, t.now, but])).length

const END_OF_MEMBERSHIP: Statement = {
  name: 'sessions_end_of_membership',
  text: 'update sessions set ended_at = $2 where membership_id = $1 and ended_at is null',
}
export const endSessionsOfMembership = (t: Tx, membershipId: bigint) =>
  t.query(END_OF_MEMBERSHIP, [membershipId, t.now])

export type OpenSession = Readonly<Pick<Rows['sessions'], 'id' | 'created_at' | 'used_at' | 'device' | 'address'>> & {
  readonly side: Side
}
const LIST: Statement = {
  name: 'sessions_list',
  text: `select id, side, created_at, used_at, device, address from sessions
where person_id = $1 and side = $2 and not half and ended_at is null and ends_at > $3 and used_at > $4 order by used_at desc limit 100`,
}
export const listSessions = (read: Read, personId: bigint, side: Side, idleSince: Date) =>
  read.query<OpenSession>(LIST, [personId, side, read.now, idleSince])

const FORGET: Statement = {
  name: 'sessions_forget',
  text: 'delete from sessions where id in (select id from sessions where ends_at < $1 limit 1000)',
}
/** Sessions that ended long ago. */
export const forgetSessions = (t: Tx, before: Date) => t.query(FORGET, [before])

// ---- devices

const KNOWN: Statement = {
  name: 'devices_known',
  text: `select from devices d join people p on p.id = d.person_id where p.email = $1 and d.digest = $2`,
}
/** Whether the person with this address has come in from the device before. */
export const isKnownDevice = async (read: Read, email: string, digest: Buffer): Promise<boolean> =>
  (await read.query(KNOWN, [email, digest])).length === 1

const SEE: Statement = {
  name: 'devices_see',
  text: `
insert into devices (person_id, digest, name, first_seen, last_seen, trusted) values ($1, $2, $3, $4, $4, $5)
on conflict on constraint devices_pkey do update set last_seen = excluded.last_seen, trusted = devices.trusted or excluded.trusted
returning (xmax = 0) as added`,
}
/** Notes that a person has logged in from a device; true when it is a new one. */
export const seeDevice = async (t: Tx, personId: bigint, digest: Buffer, name: string, trusted: boolean) =>
  (await t.query<{ added: boolean }>(SEE, [personId, digest, name, t.now, trusted]))[0]?.added ?? false

const HAS_DEVICES: Statement = {
  name: 'devices_any',
  text: 'select exists (select from devices where person_id = $1) as found',
}
export const hasDevices = async (read: Read, personId: bigint): Promise<boolean> =>
  (await read.query<{ found: boolean }>(HAS_DEVICES, [personId]))[0]?.found ?? false

const FORGET_DEVICES: Statement = {
  name: 'devices_forget',
  text: `delete from devices where (person_id, digest) in (
  select person_id, digest from devices where last_seen < $1 limit 1000)`,
}
/** Devices that nobody has come in from for long. */
export const forgetDevices = (t: Tx, before: Date) => t.query(FORGET_DEVICES, [before])
