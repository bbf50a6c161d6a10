// The statements of which receipts a merchant has sent.
import type { Rows } from '#core/rows.ts'
import type { Read, Statement, Tx } from '#kit/ctx.ts'

export type ReceiptSettings = Readonly<Pick<Rows['receipt_settings'], 'payments' | 'refunds' | 'payouts'>>
const FIND_SETTINGS: Statement = {
  name: 'receipt_settings_find',
  text: 'select payments, refunds, payouts from receipt_settings where merchant_id = $1',
}
export const findSettings = async (read: Read, merchantId: bigint): Promise<ReceiptSettings> =>
  (await read.query<ReceiptSettings>(FIND_SETTINGS, [merchantId]))[0] ?? {
    payments: false,
    refunds: false,
    payouts: false,
  }

// Who had none sent gets them for what is numbered from now on: an event of the last moments may still be
// among it. Else the place stays: what was not looked at yet is looked at by the new setting.
const SET_SETTINGS: Statement = {
  name: 'receipt_settings_set',
  text: `
insert into receipt_settings as r (merchant_id, payments, refunds, payouts, looked_at)
values ($1, $2, $3, $4, coalesce((select last_number from event_counters where merchant_id = $1), 0))
on conflict on constraint receipt_settings_pkey do update set payments = excluded.payments, refunds = excluded.refunds,
  payouts = excluded.payouts,
  looked_at = case when r.payments or r.refunds or r.payouts then r.looked_at else greatest(r.looked_at, excluded.looked_at) end`,
}
export const setSettings = (
  t: Tx,
  merchantId: bigint,
  { payments, refunds, payouts }: ReceiptSettings,
): Promise<unknown> => t.query(SET_SETTINGS, [merchantId, payments, refunds, payouts])
