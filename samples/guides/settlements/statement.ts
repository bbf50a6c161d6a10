import { transfer, until } from '../bank.ts'
import { contractCode, cowrie } from '../cowrie.ts'

const { transactionReference } = await cowrie.transactions.init({
  amount: '1000.00',
  customerEmail: 'ngozi@example.com',
  paymentReference: `settled-${crypto.randomUUID()}`,
  currencyCode: 'NGN',
  contractCode,
})
await transfer((await cowrie.transactions.initPayment({ transactionReference })).accountNumber, '1000.00')
await until(async () =>
  (await cowrie.transactions.get({ transactionReference })).paymentStatus === 'PAID' ? true : null,
)
/** The settlement that has the payment in it; in live it is made every evening. */
const settlementReference = await until(async () => {
  await cowrie.settlements.run()
  const { content } = await cowrie.settlements.list({ size: 20 })
  for (const { settlementReference: reference, beneficiaryType } of content) {
    if (beneficiaryType !== 'MERCHANT') continue // partners have statements of their own
    const { lines } = await cowrie.settlements.statement({ settlementReference: reference })
    if (lines.some((line) => line.transactionReference === transactionReference)) return reference
  }
  return null
})

// #region statement
import { kobo, naira } from '@cowrie/sdk'

const statement = await cowrie.settlements.statement({ settlementReference })
let total = 0n
for (const { kind, amount, fee, net } of statement.lines) {
  console.log(kind, amount, fee, net) // COLLECTION 1000.00 15.00 985.00
  total += kobo(net)
}
console.log(naira(total)) // what was paid into your wallet or account
// #endregion
