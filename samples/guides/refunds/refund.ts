import { transfer, until } from '../bank.ts'
import { contractCode, cowrie } from '../cowrie.ts'

const order = `order-${crypto.randomUUID()}`
const asked = await cowrie.transactions.init({
  amount: '1500.00',
  customerEmail: 'ngozi@example.com',
  paymentReference: order,
  currencyCode: 'NGN',
  contractCode,
})
const { transactionReference } = asked
await transfer((await cowrie.transactions.initPayment({ transactionReference })).accountNumber, '1500.00')
await until(async () =>
  (await cowrie.transactions.get({ transactionReference })).paymentStatus === 'PAID' ? true : null,
)

// #region refund
const refund = await cowrie.refunds.initiate({
  transactionReference, // of the payment
  refundReference: `refund-${order}`, // your own
  refundAmount: '500.00',
  refundReason: 'One yard was sold out', // for you, at most 64 characters
  customerNote: 'Adire, refund', // for the payer, at most 16 characters
})
console.log(refund.refundStatus, refund.fee) // PENDING or COMPLETED, 10.00
// #endregion

// #region ask
const { refundStatus, refundType } = await until(async () => {
  const found = await cowrie.refunds.get({ refundReference: refund.refundReference })
  return found.refundStatus === 'PENDING' ? null : found
})
console.log(refundStatus, refundType) // COMPLETED PARTIAL_REFUND
// #endregion
