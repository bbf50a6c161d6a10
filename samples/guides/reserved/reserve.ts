import { transfer, until } from '../bank.ts'
import { contractCode, cowrie } from '../cowrie.ts'

const customer = `customer-${crypto.randomUUID()}`

// #region reserve
const { accounts } = await cowrie.reservedAccounts.reserve({
  accountReference: customer, // your own name for it
  accountName: 'Ada Obi',
  customerName: 'Ada Nneka Obi',
  customerEmail: `${customer}@example.com`,
  bvn: '22222222222', // or nin: the person is looked up first
  currencyCode: 'NGN',
  contractCode,
  getAllAvailableBanks: false,
  preferredBanks: ['50515'],
})
for (const { bankName, accountNumber } of accounts) console.log(bankName, accountNumber) // show these to the customer
// #endregion

await transfer(accounts[0]?.accountNumber ?? '', '4000.00')
// #region received
const received = await until(async () => {
  const { content } = await cowrie.reservedAccounts.transactions({ accountReference: customer, size: 10 })
  return content.length > 0 ? content : null
})
for (const { paymentReference, amount, paymentStatus } of received) console.log(paymentReference, amount, paymentStatus)
// #endregion
