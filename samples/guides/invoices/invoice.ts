import { transfer, until } from '../bank.ts'
import { contractCode, cowrie } from '../cowrie.ts'

const invoiceReference = `INV-${crypto.randomUUID()}`
const inThirtyDays = new Date((await cowrie.sandbox.clock()).now)
inThirtyDays.setUTCDate(inThirtyDays.getUTCDate() + 30)
const expiryDate = `${inThirtyDays.toISOString().slice(0, 10)} 18:00:00`

// #region invoice
const invoice = await cowrie.invoices.create({
  invoiceReference,
  amount: '12900.00', // the lines and the VAT add up to it
  lineItems: [{ description: 'Ankara gown', quantity: '1', unitAmount: '12000.00' }],
  vatAmount: '900.00',
  description: 'Ankara gown',
  customerName: 'Ngozi Bello',
  customerEmail: 'ngozi@example.com', // gets the invoice by mail
  expiryDate, // West Africa Time: 2026-12-17 18:00:00
  currencyCode: 'NGN',
  contractCode,
})
console.log(invoice.checkoutUrl) // where it can be paid
console.log(`${invoice.checkoutUrl}/invoice.pdf`)
// #endregion

const page = await fetch(`${invoice.checkoutUrl}/invoice.pdf`)
console.log(page.status, page.headers.get('content-type'))
await transfer(invoice.accountNumber ?? '', '12900.00')
// #region paid
const { invoiceStatus, amountDue } = await until(async () => {
  const found = await cowrie.invoices.get({ invoiceReference })
  return found.invoiceStatus === 'PENDING' ? null : found
})
console.log(invoiceStatus, amountDue) // PAID 0.00
// #endregion
