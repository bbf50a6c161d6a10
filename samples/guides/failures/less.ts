import { moveClock, transfer, until } from '../bank.ts'
import { contractCode, cowrie } from '../cowrie.ts'

async function ask(amount: string) {
  const { transactionReference } = await cowrie.transactions.init({
    amount,
    customerEmail: 'ngozi@example.com',
    paymentReference: `failure-${crypto.randomUUID()}`,
    currencyCode: 'NGN',
    contractCode,
  })
  const { accountNumber } = await cowrie.transactions.initPayment({ transactionReference })
  return { transactionReference, accountNumber }
}
const statusWhen = (transactionReference: string, isSo: (status: string) => boolean) =>
  until(async () => {
    const { paymentStatus } = await cowrie.transactions.get({ transactionReference })
    return isSo(paymentStatus) ? paymentStatus : null
  })
const ended = (transactionReference: string) => statusWhen(transactionReference, (status) => status !== 'PENDING')

// #region less
const short = await ask('1500.00')
await transfer(short.accountNumber, '900.00')
console.log(await ended(short.transactionReference)) // PARTIALLY_PAID

const over = await ask('1500.00')
await transfer(over.accountNumber, '1600.00')
console.log(await ended(over.transactionReference)) // OVERPAID
// #endregion

// #region expire
const unpaid = await ask('1500.00')
await moveClock(41 * 60)
console.log(await ended(unpaid.transactionReference)) // EXPIRED
// #endregion

// #region late
const late = await ask('1500.00')
const { sessionId } = await transfer(late.accountNumber, '1500.00', 'late')
await moveClock(45 * 60)
const returned = await until(async () => {
  const answer = await fetch(`${process.env.COWRIE_BANK_URL}/api/transfers/${sessionId}`)
  const { returnSessionId } = (await answer.json()) as { returnSessionId?: string }
  return returnSessionId ?? null
})
console.log(returned) // the payer has the money again, under this session
// #endregion
