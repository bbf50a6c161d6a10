// The statement of the account that payouts are debited from, as the bank that has it sends it: MT940, with
// the session of a transfer in the text, because its own field has room for sixteen characters only.
import { koboOf } from '../../../packages/connector-kit/src/statements/amounts.ts'

/** For each transfer, and value added tax of 7.5 % on it, charged once a day. */
const CHARGE_KOBO = 1_000n
const taxOf = (kobo: bigint): bigint => (kobo * 75n) / 1_000n
/** How wide the text of a line is. */
const WIDTH = 65

const amountOf = (kobo: bigint): string => {
  const text = String(kobo).padStart(3, '0')
  return `${text.slice(0, -2)},${text.slice(-2)}`
}
const wrapped = (text: string): string => text.match(new RegExp(`.{1,${WIDTH}}`, 'g'))?.join('\r\n') ?? ''

/** What a statement shows of an order. */
type Paid = {
  readonly status: string
  readonly session: string
  readonly reference: string
  readonly kobo: bigint
  readonly accountNumber: string
}
export type Printed = { readonly text: string; readonly chargedKobo: string }

/** `returned`: references of transfers that the other bank sent back after they were paid. A status query
 *  goes on saying that they were paid. */
export function createStatements(orders: readonly Paid[], returned: ReadonlySet<string>, account: string) {
  const printed = new Set<string>()
  const isNew = (name: string): boolean => !printed.has(name) && printed.add(name) !== undefined
  let balance = koboOf('0')

  return (date: string): Printed => {
    const day = date.slice(2).replaceAll('-', '')
    const line = (mark: 'C' | 'D', kobo: bigint, type: string, reference: string, text: string): string => {
      balance += mark === 'C' ? kobo : -kobo
      return `:61:${day}${day.slice(2)}${mark}${amountOf(kobo)}N${type}NONREF//${reference}\r\n:86:${wrapped(text)}`
    }
    const balanceLine = (tag: string): string =>
      `:${tag}:${balance < 0n ? 'D' : 'C'}${day}NGN${amountOf(balance < 0n ? -balance : balance)}`
    const opening = balanceLine('60F')
    const paid = orders.filter(({ status, session }) => status === 'SUCCESS' && isNew(session))
    const lines = paid.map(({ kobo, reference, accountNumber }, at) =>
      line(
        'D',
        kobo,
        'TRF',
        `T${day}${at}`,
        `NIP TRANSFER TO ${accountNumber} OF COWRIE PAYMENTS ${reference} BY ORDER`,
      ),
    )
    const back = orders.filter(({ reference }) => returned.has(reference) && isNew(`back ${reference}`))
    lines.push(
      ...back.map(({ kobo, reference }, at) => line('C', kobo, 'RTI', `R${day}${at}`, `RVSL NIP ${reference}`)),
    )
    const charge = CHARGE_KOBO * BigInt(paid.length)
    if (charge > 0n) {
      lines.push(line('D', charge, 'CHG', `CHG${day}1`, 'NIP CHARGES OF THE DAY'))
      lines.push(line('D', taxOf(charge), 'CHG', `CHG${day}2`, 'VAT ON NIP CHARGES'))
    }
    const head = [':20:STATEMENT', `:25:${account}`, ':28C:1/1', opening]
    const text = [...head, ...lines, balanceLine('62F'), '-', ''].join('\r\n')
    return { text, chargedKobo: String(charge + (charge > 0n ? taxOf(charge) : 0n)) }
  }
}
