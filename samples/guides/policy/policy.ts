import { transfer, until } from '../bank.ts'
import { contractCode, cowrie } from '../cowrie.ts'

const before = await cowrie.paymentPolicy.get()

// #region policy
await cowrie.paymentPolicy.put({
  less: 'TOP_UP', // a part counts, and so does the rest, until the transaction expires
  more: 'COMPLETE', // OVERPAID: refund the difference
  extra: 'RETURN', // a late payment, a second one: back to the payer
  tolerance: '5.00', // that much too little or too much is PAID
  barredPayers: [],
})
// #endregion

const asked = await cowrie.transactions.init({
  amount: '1500.00',
  customerEmail: 'ngozi@example.com',
  paymentReference: `parts-${crypto.randomUUID()}`,
  currencyCode: 'NGN',
  contractCode,
})
const { transactionReference } = asked
const { accountNumber } = await cowrie.transactions.initPayment({ transactionReference })
const statusAfter = async (amount: string, status: string) => {
  await transfer(accountNumber, amount)
  return until(async () => {
    const { paymentStatus, amountPaid } = await cowrie.transactions.get({ transactionReference })
    return paymentStatus === status ? `${paymentStatus} ${amountPaid}` : null
  })
}
// The new policy is in force everywhere within five seconds.
await until(async () => ((await cowrie.paymentPolicy.get()).less === 'TOP_UP' ? true : null))
console.log(await statusAfter('900.00', 'PARTIALLY_PAID'))
console.log(await statusAfter('597.00', 'PAID'))
await cowrie.paymentPolicy.put(before)
