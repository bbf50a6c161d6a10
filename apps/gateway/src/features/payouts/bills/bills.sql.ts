// Every statement of bills.

import { sessionRows } from '#core/outgoing.ts'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type BillRow = Pick<
  Rows['bills'],
  | 'id'
  | 'merchant_id'
  | 'transaction_reference'
  | 'status'
  | 'version'
  | 'kobo'
  | 'commission_kobo'
  | 'product_code'
  | 'product_name'
  | 'biller_code'
  | 'biller_name'
  | 'customer_id'
  | 'token'
  | 'description'
  | 'session_id'
  | 'connector'
  | 'questions'
  | 'question_at'
  | 'created_at'
  | 'completed_at'
> & {
  /** The merchant's own. */
  reference: Rows['bills']['reference']
}

const COLUMNS = `id, merchant_id, reference, transaction_reference, status, version, kobo, commission_kobo, product_code, product_name,
  biller_code, biller_name, customer_id, token, description, session_id, questions, question_at, created_at, completed_at, connector`

const IS_USED: Statement = {
  name: 'bills_reference_used',
  text: 'select 1 from bill_references where merchant_id = $1 and reference = $2',
}
/** Also by a bill that has left with its month. */
export const isUsed = async (read: Read, merchantId: bigint, reference: string): Promise<boolean> =>
  (await read.query(IS_USED, [merchantId, reference])).length > 0

const INSERT: Statement = {
  name: 'bills_insert',
  text: `
with named as (
  insert into bill_references (merchant_id, reference, bill_id) values ($2, $3, $1)
), asked as (
  insert into agenda (kind, merchant_id, subject, due_at) values ($20, $2, $1, $18)
)
insert into bills (${COLUMNS})
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, null, $21)`,
}
/** With its name, and the timer of the first question: also if whoever sets out to send it dies, somebody
 *  asks. */
export const insert = (t: Tx, row: BillRow, timer: string): Promise<unknown> =>
  t.query(INSERT, [
    ...[row.id, row.merchant_id, row.reference, row.transaction_reference, row.status, row.version, row.kobo],
    ...[row.commission_kobo, row.product_code, row.product_name, row.biller_code, row.biller_name, row.customer_id],
    ...[
      row.token,
      row.description,
      row.session_id,
      row.questions,
      row.question_at,
      row.created_at,
      timer,
      row.connector,
    ],
  ])

const FIND: Statement = {
  name: 'bills_find',
  text: `select ${COLUMNS} from bills where merchant_id = $1
  and id = (select r.bill_id from bill_references r where r.merchant_id = $1 and r.reference = $2)`,
}
export const find = async (read: Read, merchantId: bigint, reference: string): Promise<BillRow | null> =>
  (await read.query<BillRow>(FIND, [merchantId, reference]))[0] ?? null

export const rows = sessionRows<BillRow>({
  name: 'bills',
  table: 'bills',
  columns: COLUMNS,
  from: 'bills',
  alias: 'bills',
  pending: `status = 'IN_PROGRESS'`,
})
export const { byIds } = rows
