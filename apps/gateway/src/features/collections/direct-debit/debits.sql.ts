// The statements of debits. A debit is a row of `transactions` and one of `debits` with the same id.

import { sessionRows } from '#core/outgoing.ts'
import type { Rows } from '#core/rows.ts'
import { numbers } from '#kit/arrays.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type Row = Pick<
  Rows['debits'],
  | 'id'
  | 'merchant_id'
  | 'mandate_id'
  | 'kobo'
  | 'narration'
  | 'session_id'
  | 'connector'
  | 'message'
  | 'sent_at'
  | 'questions'
  | 'question_at'
> &
  Pick<
    Rows['transactions'],
    | 'reference'
    | 'payment_reference'
    | 'customer_name'
    | 'customer_email'
    | 'meta_data'
    | 'split'
    | 'product_type'
    | 'product_reference'
  > &
  Pick<Rows['mandates'], 'bank_code' | 'account_name'> & {
    mandate_code: Rows['mandates']['code']
    /** Of the transaction. */
    status: Rows['transactions']['status']
    /** Of the mandate: whose account it is. */
    account_number: Rows['mandates']['account_number']
  }

const COLUMNS = `d.id, d.merchant_id, d.mandate_id, m.code as mandate_code, d.kobo, d.narration, d.session_id, d.connector, d.message, d.sent_at,
  d.questions, d.question_at, t.status, t.reference, t.payment_reference, t.customer_name, t.customer_email, t.meta_data, t.split,
  t.product_type, t.product_reference, m.account_number, m.bank_code, m.account_name`
const FROM = `debits d join transactions t on t.id = d.id and t.merchant_id = d.merchant_id
join mandates m on m.id = d.mandate_id and m.merchant_id = d.merchant_id`

const TAKEN: Statement = {
  name: 'debits_reference_taken',
  text: 'select 1 from payment_references where merchant_id = $1 and payment_reference = $2',
}
/** Whether the merchant has used a payment reference, for whatever. */
export const isTaken = async (read: Read, merchantId: bigint, paymentReference: string): Promise<boolean> =>
  (await read.query(TAKEN, [merchantId, paymentReference])).length > 0

const INSERT: Statement = {
  name: 'debits_insert',
  text: `with made as (
  insert into debits (id, merchant_id, mandate_id, kobo, narration, session_id, message, connector) values ($1, $2, $3, $4, $5, $6, $7, $10)
  returning id, merchant_id
)
insert into agenda (kind, merchant_id, subject, due_at) select $8, merchant_id, id, $9::timestamptz from made`,
}
/** With the timer that sends it. */
export const insert = (
  t: Tx,
  row: Pick<Row, 'id' | 'merchant_id' | 'mandate_id' | 'kobo' | 'narration' | 'session_id' | 'message' | 'connector'>,
  timer: string,
): Promise<unknown> =>
  t.query(INSERT, [
    ...[row.id, row.merchant_id, row.mandate_id, row.kobo, row.narration, row.session_id, row.message],
    ...[timer, t.now, row.connector],
  ])

const FIND: Statement = {
  name: 'debits_find',
  text: `select ${COLUMNS} from ${FROM} where t.merchant_id = $1
  and t.id = (select transaction_id from payment_references where merchant_id = $1 and payment_reference = $2)`,
}
export const find = async (read: Read, merchantId: bigint, paymentReference: string): Promise<Row | null> =>
  (await read.query<Row>(FIND, [merchantId, paymentReference]))[0] ?? null

const OF_MANDATE: Statement = {
  name: 'debits_of_mandate',
  text: `select ${COLUMNS}, t.created_at from ${FROM} where d.merchant_id = $1 and d.mandate_id = $2 and d.id < $3
order by d.id desc limit $4`,
}
/** The newest that are older than one. */
export const ofMandate = (read: Read, merchantId: bigint, mandateId: bigint, before: string, limit: number) =>
  read.query<Row & Pick<Rows['transactions'], 'created_at'>>(OF_MANDATE, [merchantId, mandateId, before, limit])

export const rows = sessionRows<Row>({
  name: 'debits',
  table: 'debits',
  columns: COLUMNS,
  from: FROM,
  alias: 'd',
  pending: 'question_at is not null', // its state is the transaction's
})
export const { byIds } = rows

const CLAIM: Statement = {
  name: 'debits_claim',
  text: `
-- all merchants: whoever sets out to send them asks what became of them
with mine as (
  update debits d set sent_at = $2, question_at = $3 from transactions t
  where d.id = any($1::bigint[]) and d.sent_at is null and t.id = d.id and t.merchant_id = d.merchant_id and t.status = 'PENDING'
  returning d.id, d.merchant_id
), asked as (
  insert into agenda (kind, merchant_id, subject, due_at) select $4, merchant_id, id, $3 from mine
)
select id from mine`,
}
/** Those of the given debits that nobody has set out to send; a question follows each, also if its sender
 *  dies. */
export const claim = async (t: Tx, ids: readonly bigint[], questionAt: Date, timer: string): Promise<bigint[]> =>
  (await t.query<Pick<Rows['debits'], 'id'>>(CLAIM, [numbers(ids), t.now, questionAt, timer])).map(({ id }) => id)

const ENDED: Statement = {
  name: 'debits_ended',
  text: 'update debits set message = $3, question_at = null where merchant_id = $1 and id = $2',
}
export const setEnded = (t: Tx, row: Pick<Row, 'id' | 'merchant_id'>, message: string): Promise<unknown> =>
  t.query(ENDED, [row.merchant_id, row.id, message])
