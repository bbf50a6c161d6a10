// The statement of a day as a file, as somebody takes it from the bank's portal: all that was booked since
// the one before. The bank publishes no form for it, so this is one that banks use: rows and columns, with
// the session of a transfer in the narration.
import { type Books, nairaOf } from './books.ts'

/** For each transfer that goes out, charged once a day, with value added tax of 7.5 %. */
const CHARGE_KOBO = 1_000n
const taxOf = (kobo: bigint): bigint => (kobo * 75n) / 1_000n

export type Printed = { readonly text: string; readonly chargedKobo: string }
type Line = { readonly reference: string; readonly narration: string; readonly inward: boolean; readonly kobo: bigint }

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

export function createStatements(books: Books) {
  const printed = new Set<string>()
  const isNew = (reference: string): boolean => !printed.has(reference) && printed.add(reference) !== undefined

  return (date: string): Printed => {
    const credits = books.credits
      .filter(({ settlementId }) => isNew(settlementId))
      .map(({ settlementId, sessionId, remarks, accountNumber, kobo }): Line => {
        const narration = `NIP/${sessionId}/${remarks} TO ${accountNumber}`
        return { reference: settlementId, narration, inward: true, kobo }
      })
    const payouts = books.orders
      .filter(({ status, reference }) => status === 'SUCCESS' && isNew(reference))
      .map(({ reference, session, accountNumber, kobo }): Line => {
        const narration = `NIP TRANSFER TO ${accountNumber} ${session}`
        return { reference, narration, inward: false, kobo }
      })
    const charge = CHARGE_KOBO * BigInt(payouts.length)
    const day = date.replaceAll('-', '')
    const charges: Line[] =
      charge === 0n
        ? []
        : [
            { reference: `CHG${day}1`, narration: 'NIP CHARGES OF THE DAY', inward: false, kobo: charge },
            { reference: `CHG${day}2`, narration: 'VAT ON NIP CHARGES', inward: false, kobo: taxOf(charge) },
          ]
    const rows = [...credits, ...payouts, ...charges].map(({ reference, narration, inward, kobo }) => {
      const amount = nairaOf(kobo)
      const [debit, credit] = inward ? ['', amount] : [amount, '']
      return [date.split('-').toReversed().join('/'), reference, quoted(narration), debit, credit].join(',')
    })
    const text = ['Date,Reference,Narration,Debit,Credit', ...rows, ''].join('\r\n')
    return { text, chargedKobo: String(charges.reduce((sum, { kobo }) => sum + kobo, 0n)) }
  }
}
