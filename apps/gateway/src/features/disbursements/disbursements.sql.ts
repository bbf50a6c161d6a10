// The statements that find transfers. Those that accept them are in accept.sql.ts.
import { numbers } from '../../kit/arrays.ts'
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

const BY_IDS: Statement = {
  name: 'disbursements_by_ids',
  text: `
-- all merchants: their timers have fallen due
select ${COLUMNS} from disbursements where id = any($1::bigint[])`,
}
export const byIds = (read: Read, ids: readonly bigint[]): Promise<Row[]> => read.query<Row>(BY_IDS, [numbers(ids)])

const BY_SESSION: Statement = {
  name: 'disbursements_by_session',
  text: `
-- all merchants: a bank names a transfer by its session, which belongs to one of them
select ${COLUMNS} from disbursements where session_id = $1`,
}
export const bySession = async (read: Read, sessionId: string): Promise<Row | null> =>
  (await read.query<Row>(BY_SESSION, [sessionId]))[0] ?? null

const ASK_AGAIN: Statement = {
  name: 'disbursements_ask_again',
  text: `
with later as (
  update disbursements set questions = questions + 1, question_at = $3 where merchant_id = $1 and id = $2 and status = 'PENDING'
  returning id, merchant_id
)
insert into agenda (kind, merchant_id, subject, due_at) select $4, merchant_id, id, $3 from later`,
}
/** The bank has not said how it ended: it is asked again then. */
export const askAgain = (t: Tx, row: Pick<Row, 'id' | 'merchant_id'>, at: Date, kind: string): Promise<unknown> =>
  t.query(ASK_AGAIN, [row.merchant_id, row.id, at, kind])
