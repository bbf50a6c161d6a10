// The statements that find transfers. Those that accept them are in accept.sql.ts.
import { sessionRows } from '../../core/outgoing.ts'
import type { Read, Statement, Tx } from '../../kit/ctx.ts'
import type { Row } from './acceptance/accept.sql.ts'

export type { Row }

export const COLUMNS = `id, merchant_id, reference, transaction_reference, batch_id, status, version, kobo, fee_kobo, narration, source_account,
  bank_code, account_number, account_name, given_name, name_score, two_fa, sender_info, description, session_id, questions,
  question_at, created_at, completed_at`

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
