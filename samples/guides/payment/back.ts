import { transfer, until } from '../bank.ts'
import { contractCode, cowrie } from '../cowrie.ts'

// #region back
/** For the page that the payer returns to: `https://shop.example/thanks?paymentReference=order-1029`. */
async function statusOf(paymentReference: string): Promise<'paid' | 'waiting' | 'not paid'> {
  const { paymentStatus, amountPaid } = await cowrie.transactions.query({ paymentReference })
  if (paymentStatus === 'PAID' || paymentStatus === 'OVERPAID') return 'paid'
  if (paymentStatus === 'PENDING') return 'waiting'
  console.log(`${paymentReference}: ${paymentStatus}, ${amountPaid} naira were received`)
  return 'not paid'
}
// #endregion

const order = process.argv[2] ?? 'order-1030'
const { transactionReference } = await cowrie.transactions.init({
  amount: '1500.00',
  customerEmail: 'ngozi@example.com',
  paymentReference: order,
  currencyCode: 'NGN',
  contractCode,
})
const before = await statusOf(order)
const { accountNumber } = await cowrie.transactions.initPayment({ transactionReference })
await transfer(accountNumber, '1500.00')
await until(async () => ((await statusOf(order)) === 'paid' ? true : null))
console.log(`${before}, then paid`)
