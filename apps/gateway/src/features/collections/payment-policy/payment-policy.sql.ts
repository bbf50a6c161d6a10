import type { Payer, PaymentPolicy } from '@cowrie/contract/collections/payment-policy'
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

const FIND: Statement = {
  name: 'payment_policies_find',
  text: `select less, more, extra, tolerance_kobo, barred_payers from payment_policies where merchant_id = $1
    order by valid_from desc, id desc limit 1`,
}
type Row = Pick<PaymentPolicy, 'less' | 'more' | 'extra'> &
  Pick<Rows['payment_policies'], 'tolerance_kobo' | 'barred_payers'>
/** The policy a merchant has set last; null when it never has. */
export async function find(read: Read, merchantId: bigint): Promise<PaymentPolicy | null> {
  const [row] = await read.query<Row>(FIND, [merchantId])
  if (!row) return null
  const { less, more, extra, tolerance_kobo, barred_payers } = row
  return { less, more, extra, toleranceKobo: tolerance_kobo, barredPayers: JSON.parse(barred_payers) as Payer[] }
}

const INSERT: Statement = {
  name: 'payment_policies_insert',
  text: `insert into payment_policies (id, merchant_id, less, more, extra, tolerance_kobo, barred_payers, valid_from)
    values ($1, $2, $3, $4, $5, $6, $7, greatest($8::timestamptz,
      (select max(valid_from) + interval '1 microsecond' from payment_policies where merchant_id = $2)))`,
}
/** After every other of the merchant, also one that a process with a faster clock wrote: the last word stays
 *  in force. */
export const insert = (t: Tx, id: bigint, merchantId: bigint, policy: PaymentPolicy): Promise<unknown> =>
  t.query(INSERT, [
    id,
    merchantId,
    policy.less,
    policy.more,
    policy.extra,
    policy.toleranceKobo,
    JSON.stringify(policy.barredPayers),
    t.now,
  ])
