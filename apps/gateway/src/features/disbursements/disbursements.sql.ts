// The statements that find transfers. Those that accept them are in accept.sql.ts.
import { sessionRows } from '../../core/outgoing.ts'
import type { Read, Statement, Tx } from '../../kit/ctx.ts'

export type Status =
  | 'AWAITING_PROCESSING'
  | 'PENDING'
  | 'PENDING_AUTHORIZATION'
  | 'PENDING_BATCH_AUTHORIZATION'
  | 'OTP_EMAIL_DISPATCH_FAILED'
  | 'SUCCESS'
  | 'FAILED'
  | 'REVERSED'
  | 'EXPIRED'

export type Row = {
  id: bigint
  merchant_id: bigint
  reference: string
  transaction_reference: string
  batch_id: bigint | null
  status: Status
  version: number
  kobo: bigint
  fee_kobo: bigint
  narration: string
  source_account: string
  bank_code: string
  account_number: string
  account_name: string | null
  given_name: string | null
  name_score: number | null
  two_fa: boolean
  sender_info: string | null
  description: string
  session_id: string | null
  questions: number
  question_at: Date | null
  created_at: Date
  completed_at: Date | null
}

export const COLUMNS = `id, merchant_id, reference, transaction_reference, batch_id, status, version, kobo, fee_kobo, narration, source_account,
  bank_code, account_number, account_name, given_name, name_score, two_fa, sender_info, description, session_id, questions,
  question_at, created_at, completed_at`

const FIND: Statement = {
  name: 'disbursements_find',
  text: `select ${COLUMNS} from disbursements where merchant_id = $1 and reference = $2`,
}
export const find = async (read: Read, merchantId: bigint, reference: string): Promise<Row | null> =>
  (await read.query<Row>(FIND, [merchantId, reference]))[0] ?? null

const LOCK: Statement = {
  name: 'disbursements_lock',
  text: `select ${COLUMNS} from disbursements where merchant_id = $1 and reference = $2 for update`,
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
