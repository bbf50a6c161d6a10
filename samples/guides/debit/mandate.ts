import { moveClock, until } from '../bank.ts'
import { contractCode, cowrie } from '../cowrie.ts'

const mandateReference = `school-${crypto.randomUUID()}`
const clock = new Date((await cowrie.sandbox.clock()).now)
/** West Africa Time, some days ahead. */
const day = (days: number) => {
  const date = new Date(clock.getTime() + days * 86_400_000 + 3_660_000)
  return date.toISOString().slice(0, 19).replace('T', ' ')
}

// #region mandate
const { mandateCode, mandateStatus } = await cowrie.mandates.create({
  contractCode,
  mandateReference,
  customerName: 'Ngozi Bello',
  customerEmailAddress: 'ngozi@example.com',
  customerPhoneNumber: '08031234567',
  customerAddress: '14 Marina, Lagos',
  customerAccountNumber: '2001237788',
  customerAccountBankCode: '057',
  mandateDescription: 'School fees',
  mandateStartDate: day(0), // 2026-11-17 18:00:00, West Africa Time
  mandateEndDate: day(60),
  mandateAmount: '90000.00', // for the whole life of the mandate
})
console.log(mandateStatus) // INITIATED: the customer is emailed what to do
// #endregion

// #region authorise
// In the sandbox, be the customer, who pays the token of 50 naira.
await fetch(`${process.env.COWRIE_BANK_URL}/api/mandates/${encodeURIComponent(mandateCode)}/authorize`, {
  method: 'POST',
})
// #endregion
await moveClock(120)
await until(async () => {
  const [found] = await cowrie.mandates.get({ mandateReferences: mandateReference })
  return found?.mandateStatus === 'ACTIVE' ? found : null
})

// #region debit
const paymentReference = `${mandateReference}-term-1`
await cowrie.mandates.debit({
  mandateCode,
  paymentReference,
  debitAmount: '30000.00',
  narration: 'First term',
  customerEmail: 'ngozi@example.com',
})
// #endregion

// #region status
const { transactionStatus } = await until(async () => {
  const found = await cowrie.mandates.debitStatus({ paymentReference })
  return found.transactionStatus === 'PENDING' ? null : found
})
console.log(transactionStatus) // PAID
// #endregion
