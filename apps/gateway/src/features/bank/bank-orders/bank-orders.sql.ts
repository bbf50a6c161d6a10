// Every statement of bank orders.

import type { OrderPurpose } from '@cowrie/contract/bank/bank-orders'
import { sessionRows } from '#core/outgoing.ts'
import type { Rows } from '#core/rows.ts'
import { numbers, texts } from '#kit/arrays.ts'
import type { Statement, Tx } from '#kit/ctx.ts'
import { FIRST_CONNECTOR_ID } from '#kit/ids.ts'

export type OrderStatus = 'AWAITING' | 'SENT' | 'PAID' | 'FAILED' | 'REVERSED'

export type OrderRow = Pick<
  Rows['bank_orders'],
  | 'id'
  | 'merchant_id'
  | 'subject'
  | 'version'
  | 'kobo'
  | 'account_number'
  | 'account_name'
  | 'narration'
  | 'session_id'
  | 'questions'
  | 'question_at'
  | 'description'
  | 'created_at'
  | 'completed_at'
> & {
  purpose: OrderPurpose
  status: OrderStatus
  /** Null where it goes to a card. */
  bank_code: Rows['bank_orders']['bank_code']
  /** The charge whose card gets the money back; null where it goes to an account. */
  charge_reference: Rows['bank_orders']['charge_reference']
  /** The number of the connector that it goes through; decided when it is sent. */
  connector: Rows['bank_orders']['connector']
}

const COLUMNS = `id, merchant_id, purpose, subject, status, version, kobo, bank_code, account_number, account_name, charge_reference, narration, session_id,
  connector, questions, question_at, description, created_at, completed_at`

export type NewOrder = {
  readonly merchantId: bigint
  readonly purpose: OrderPurpose
  /** The refund or settlement it pays. */
  readonly subject: bigint
  readonly kobo: bigint
  readonly to: OrderDestination
  readonly narration: string
}
export type OrderDestination =
  | { readonly bankCode: string; readonly accountNumber: string; readonly accountName: string }
  /** Back to a card goes by the connector that its charge went through. */
  | { readonly chargeReference: string; readonly connector: number }

const INSERT: Statement = {
  name: 'orders_insert',
  text: `
insert into bank_orders (id, merchant_id, purpose, subject, status, kobo, bank_code, account_number, account_name, charge_reference, narration,
  description, created_at, connector)
select id, merchant_id, purpose, subject, 'AWAITING', kobo, bank_code, account_number, account_name, charge_reference, narration, $11, $12,
  connector
from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[],
  $13::smallint[]) as x(id, merchant_id, purpose, subject, kobo, bank_code, account_number, account_name, charge_reference, narration, connector)`,
}
export const insert = (
  t: Tx,
  ids: readonly bigint[],
  orders: readonly NewOrder[],
  description: string,
): Promise<unknown> =>
  t.query(INSERT, [
    numbers(ids),
    numbers(orders.map((order) => order.merchantId)),
    texts(orders.map((order) => order.purpose)),
    numbers(orders.map((order) => order.subject)),
    numbers(orders.map((order) => order.kobo)),
    texts(orders.map(({ to }) => ('bankCode' in to ? to.bankCode : null))),
    texts(orders.map(({ to }) => ('bankCode' in to ? to.accountNumber : null))),
    texts(orders.map(({ to }) => ('bankCode' in to ? to.accountName : null))),
    texts(orders.map(({ to }) => ('chargeReference' in to ? to.chargeReference : null))),
    texts(orders.map((order) => order.narration)),
    description,
    t.now,
    numbers(orders.map(({ to }) => ('connector' in to ? to.connector : FIRST_CONNECTOR_ID))),
  ])

export const rows = sessionRows<OrderRow>({
  name: 'orders',
  table: 'bank_orders',
  columns: COLUMNS,
  from: 'bank_orders',
  alias: 'bank_orders',
  pending: `status = 'SENT'`,
})

const LOCK: Statement = {
  name: 'orders_lock',
  text: `
-- all merchants: orders that come to their ends together, in the order in which everybody locks
select ${COLUMNS} from bank_orders where id = any($1::bigint[]) order by id for update`,
}
/** As they are, from now until the end of the transaction. */
export const lock = (t: Tx, ids: readonly bigint[]): Promise<OrderRow[]> => t.query<OrderRow>(LOCK, [numbers(ids)])
