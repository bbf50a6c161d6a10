// The statements that find transfers. Those that accept them are in accept.sql.ts.

import { sessionRows } from '#core/outgoing.ts'
import type { Rows } from '#core/rows.ts'
import { numbers } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'
import type { Row } from './acceptance/accept.sql.ts'

export type { Row }

export const COLUMNS = `id, merchant_id, reference, transaction_reference, batch_id, status, version, kobo, fee_kobo, fee_schedule_id, narration, source_account,
  wallet_id, fee_owner, bank_code, account_number, account_name, given_name, name_score, two_fa, sender_info, description, session_id, connector, questions,
  question_at, created_at, completed_at, approval`

const OF_REFERENCE =
  'id = (select p.disbursement_id from payout_references p where p.merchant_id = $1 and p.reference = $2)'

const FIND: Statement = {
  name: 'disbursements_find',
  text: `select ${COLUMNS} from disbursements where merchant_id = $1 and ${OF_REFERENCE}`,
}
export const find = async (read: Read, merchantId: bigint, reference: string): Promise<Row | null> =>
  (await read.query<Row>(FIND, [merchantId, reference]))[0] ?? null

const LOCK: Statement = {
  name: 'disbursements_lock',
  text: `select ${COLUMNS} from disbursements where merchant_id = $1 and ${OF_REFERENCE} for update`,
}
export const lock = async (t: Tx, merchantId: bigint, reference: string): Promise<Row | null> =>
  (await t.query<Row>(LOCK, [merchantId, reference]))[0] ?? null

export const rows = sessionRows<Row>({
  name: 'disbursements',
  table: 'disbursements',
  columns: COLUMNS,
  from: 'disbursements',
  alias: 'disbursements',
  pending: `status = 'PENDING'`,
})
export const { byIds } = rows

// ---- the approval of the merchant's server

const ASK_APPROVAL: Statement = {
  name: 'disbursements_ask_approval',
  text: `
-- all merchants: each was found to need it before it is sent
with held as (select id from disbursements where id = any($1::bigint[]) order by id for update)
update disbursements d set approval = 'ASKED' from held where d.id = held.id and d.approval is null
  and d.status in ('PENDING_AUTHORIZATION', 'OTP_EMAIL_DISPATCH_FAILED', 'AWAITING_PROCESSING')
returning d.id`,
}
/** Those that wait for approval from now on; not one that somebody else sends. */
export const askApproval = async (t: Tx, ids: readonly bigint[]): Promise<ReadonlySet<bigint>> =>
  new Set((await t.query<Pick<Rows['disbursements'], 'id'>>(ASK_APPROVAL, [numbers(ids)])).map(({ id }) => id))

const RELEASE: Statement = {
  name: 'disbursements_release',
  text: `update disbursements set approval = null where merchant_id = $1 and id = $2 and approval = 'PERSON' returning id`,
}
/** It no longer waits for a person; false when it never did. */
export const takeMark = async (t: Tx, merchantId: bigint, id: bigint): Promise<boolean> =>
  (await t.query(RELEASE, [merchantId, id])).length === 1

const DECIDE_APPROVAL: Statement = {
  name: 'disbursements_decide_approval',
  text: `update disbursements set approval = $3 where merchant_id = $1 and id = $2 and approval = 'ASKED' returning id`,
}
/** Records the answer; false when there is one already. */
export const decideApproval = async (
  t: Tx,
  merchantId: bigint,
  id: bigint,
  approval: 'GIVEN' | 'REFUSED',
): Promise<boolean> => (await t.query(DECIDE_APPROVAL, [merchantId, id, approval])).length === 1
