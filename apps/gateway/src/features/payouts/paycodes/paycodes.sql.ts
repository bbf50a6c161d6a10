// Every statement of paycodes.
import { insertInto } from '#core/insert-into.ts'
import type { Rows } from '#core/rows.ts'
import { moments, numbers } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type PaycodeRow = Pick<
  Rows['paycodes'],
  | 'id'
  | 'merchant_id'
  | 'reference'
  | 'paycode_reference'
  | 'status'
  | 'version'
  | 'kobo'
  | 'fee_kobo'
  | 'beneficiary_name'
  | 'code_digest'
  | 'code_tail'
  | 'expires_at'
  | 'created_by'
  | 'modified_by'
  | 'created_at'
  | 'ended_at'
  | 'session_id'
  | 'agent_id'
> & {
  /** Of the price; null: the tariff for all. */
  fee_schedule_id: Rows['paycodes']['fee_schedule_id']
  /** Null once it is over. */
  code_sealed: Rows['paycodes']['code_sealed']
}

const COLUMNS = `id, merchant_id, reference, paycode_reference, status, version, kobo, fee_kobo, beneficiary_name, code_sealed, code_digest,
  code_tail, expires_at, created_by, modified_by, created_at, ended_at, session_id, agent_id, fee_schedule_id`

export const insert = (t: Tx, row: PaycodeRow): Promise<unknown> => insertInto('paycodes', t, row)

const FIND: Statement = {
  name: 'paycodes_find',
  text: `select ${COLUMNS} from paycodes where merchant_id = $1 and paycode_reference = $2`,
}
export const find = async (read: Read, merchantId: bigint, paycodeReference: string): Promise<PaycodeRow | null> =>
  (await read.query<PaycodeRow>(FIND, [merchantId, paycodeReference]))[0] ?? null

const LOCK: Statement = {
  name: 'paycodes_lock',
  text: `select ${COLUMNS} from paycodes where merchant_id = $1 and paycode_reference = $2 for update`,
}
export const lock = async (t: Tx, merchantId: bigint, paycodeReference: string): Promise<PaycodeRow | null> =>
  (await t.query<PaycodeRow>(LOCK, [merchantId, paycodeReference]))[0] ?? null

const BY_IDS: Statement = {
  name: 'paycodes_by_ids',
  text: `
-- all merchants: the paycodes whose time is up
select merchant_id, paycode_reference from paycodes where id = any($1::bigint[])`,
}
export const byIds = (
  read: Read,
  ids: readonly bigint[],
): Promise<Pick<PaycodeRow, 'merchant_id' | 'paycode_reference'>[]> => read.query(BY_IDS, [numbers(ids)])

const TAKEN: Statement = {
  name: 'paycodes_taken',
  text: `
-- all merchants: no code is given twice
select exists (select from paycodes where code_digest = $1) as taken`,
}
export const isTaken = async (t: Tx, digest: Buffer): Promise<boolean> =>
  (await t.query<{ taken: boolean }>(TAKEN, [digest]))[0]?.taken === true

const LOCK_CODE: Statement = {
  name: 'paycodes_lock_code',
  text: `
-- all merchants: an agent has the code and nothing else
select ${COLUMNS} from paycodes where code_digest = $1 for update`,
}
/** Found by its code, and held: whoever else would end it waits. */
export const lockByCode = async (t: Tx, digest: Buffer): Promise<PaycodeRow | null> =>
  (await t.query<PaycodeRow>(LOCK_CODE, [digest]))[0] ?? null

const BY_CODE: Statement = {
  name: 'paycodes_by_code',
  text: `
-- all merchants: an agent has the code and nothing else
select ${COLUMNS} from paycodes where code_digest = $1`,
}
export const byCode = async (t: Tx, digest: Buffer): Promise<PaycodeRow | null> =>
  (await t.query<PaycodeRow>(BY_CODE, [digest]))[0] ?? null

const BY_SESSION: Statement = {
  name: 'paycodes_by_session',
  text: `
-- all merchants: a session is the network's, and redeems one code
select ${COLUMNS} from paycodes where session_id = $1`,
}
export const bySession = async (t: Tx, sessionId: string): Promise<PaycodeRow | null> =>
  (await t.query<PaycodeRow>(BY_SESSION, [sessionId]))[0] ?? null

const GUARD: Statement = {
  name: 'paycodes_guard',
  text: `insert into paycode_guards as g (agent_id) values ($1)
    on conflict (agent_id) do update set wrong_at = g.wrong_at returning wrong_at`,
}
/** The wrong codes of an agent, held until the end of the transaction: guesses of an agent come one after the
 *  other. */
export const lockGuard = async (t: Tx, agentId: string): Promise<Date[]> =>
  (await t.query<Pick<Rows['paycode_guards'], 'wrong_at'>>(GUARD, [agentId]))[0]?.wrong_at ?? []

const SET_GUARD: Statement = {
  name: 'paycodes_set_guard',
  text: 'update paycode_guards set wrong_at = $2::timestamptz[] where agent_id = $1',
}
export const setGuard = (t: Tx, agentId: string, wrongAt: readonly Date[]): Promise<unknown> =>
  t.query(SET_GUARD, [agentId, moments([...wrongAt])])

export type Filter = {
  readonly reference: string | null
  readonly beneficiaryName: string | null
  readonly status: string | null
  readonly from: Date | null
  readonly to: Date | null
}
const FITS = `($2::text is null or reference = $2) and ($3::text is null or lower(beneficiary_name) = lower($3))
    and ($4::text is null or status = $4)
    and created_at >= coalesce($5::timestamptz, '-infinity') and created_at <= coalesce($6::timestamptz, 'infinity')`
const COUNT: Statement = {
  name: 'paycodes_count',
  text: `select count(*) as total from paycodes where merchant_id = $1 and ${FITS}`,
}
const LIST: Statement = {
  name: 'paycodes_list',
  text: `select ${COLUMNS} from paycodes where merchant_id = $1 and ${FITS} order by created_at desc, id desc offset $7 limit $8`,
}
export async function list(
  read: Read,
  merchantId: bigint,
  { reference, beneficiaryName, status, from, to }: Filter,
  { offset, size }: { offset: number; size: number },
): Promise<{ rows: PaycodeRow[]; total: number }> {
  const values = [merchantId, reference, beneficiaryName, status, from, to]
  const [counted] = await read.query<{ total: bigint }>(COUNT, values)
  const total = Number(counted?.total ?? 0n)
  return { rows: offset < total ? await read.query<PaycodeRow>(LIST, [...values, offset, size]) : [], total }
}
