import { transfer, until } from '../bank.ts'
import { contractCode, cowrie } from '../cowrie.ts'

const accountNumber = `1${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}7`

// #region partner
const [partner] = await cowrie.subAccounts.create([
  {
    currencyCode: 'NGN',
    bankCode: '058',
    accountNumber,
    email: 'weaver@example.com',
    defaultSplitPercentage: 20,
  },
])
const subAccountCode = partner?.subAccountCode ?? ''
console.log(partner?.accountName) // as the bank has it
// #endregion

// #region split
const { transactionReference } = await cowrie.transactions.init({
  amount: '1500.00',
  customerEmail: 'ngozi@example.com',
  paymentReference: `split-${crypto.randomUUID()}`,
  currencyCode: 'NGN',
  contractCode,
  incomeSplitConfig: [{ subAccountCode, splitPercentage: 20, feeBearer: true, feePercentage: 20 }],
})
// #endregion
await transfer((await cowrie.transactions.initPayment({ transactionReference })).accountNumber, '1500.00')
await until(async () =>
  (await cowrie.transactions.get({ transactionReference })).paymentStatus === 'PAID' ? true : null,
)
console.log('PAID')
