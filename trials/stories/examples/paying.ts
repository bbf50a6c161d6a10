// What many examples need first: a transaction that is open, or one that is paid.
import {
  initPayment,
  initTransaction,
  queryTransaction,
} from '../../../packages/contract/src/collections/transactions.ts'
import { at, type Stage } from './stage.ts'

export const NGOZI = { customerName: 'Ngozi Bello', customerEmail: 'ngozi@example.com' }

export const orderBody = ({ cast }: Stage, paymentReference: string, by = cast.main) => ({
  amount: 1500,
  ...NGOZI,
  paymentReference,
  paymentDescription: 'Two yards of adire',
  currencyCode: 'NGN',
  contractCode: by.contractCode,
})

/** Its transaction reference. */
export const opened = async (stage: Stage, reference: string, by = stage.cast.main): Promise<string> =>
  at(await stage.prepare(initTransaction, { body: orderBody(stage, reference, by) }, by), 'transactionReference')

export async function untilPaid(stage: Stage, paymentReference: string, by = stage.cast.main): Promise<void> {
  await stage.h.until(`${paymentReference} is paid`, async () => {
    const record = await stage.prepare(queryTransaction, { query: { paymentReference } }, by)
    return at(record, 'paymentStatus') === 'PAID'
  })
}

export async function paid(stage: Stage, reference: string, by = stage.cast.main): Promise<string> {
  const transactionReference = await opened(stage, reference, by)
  await stage.pay(at(await stage.prepare(initPayment, { body: { transactionReference } }, by), 'accountNumber'), 1500)
  await untilPaid(stage, reference, by)
  return transactionReference
}
