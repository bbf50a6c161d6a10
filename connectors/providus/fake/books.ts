// The books of the fake bank: numbers, credits and orders, in kobo, each once per reference.
import { randomInt } from 'node:crypto'
import { HOUR_MS } from '@cowrie/contract/kit/durations'

export type OrderStatus = 'PENDING' | 'SUCCESS' | 'FAILED' | 'REVERSED'
export type Order = {
  readonly reference: string
  readonly kobo: bigint
  status: OrderStatus
  /** The code that a question about it is answered with. */
  code: string
  readonly bankCode: string
  readonly accountNumber: string
  readonly own: boolean
  readonly at: Date
  readonly session: string
}
export type Credit = {
  readonly sessionId: string
  readonly settlementId: string
  readonly accountNumber: string
  readonly kobo: bigint
  readonly feeKobo: bigint
  readonly at: Date
  readonly remarks: string
  readonly sourceAccountNumber: string
  readonly sourceAccountName: string
  readonly sourceBankCode: string
  readonly sourceBankName: string
  acknowledged: boolean
}
export type Issued = { readonly accountNumber: string; readonly accountName: string; readonly kind: string }

const digits = (count: number): string => Array.from({ length: count }, () => randomInt(10)).join('')

export type Books = ReturnType<typeof createBooks>

export function createBooks(debitAccount: string) {
  const orders: Order[] = []
  const credits: Credit[] = []
  const numbers: Issued[] = []
  return {
    orders,
    credits,
    numbers,
    debitAccount,
    /** Three decimals, as the bank publishes it. */
    balance: '468520.951',
    /** The reference of every call for an order, taken or not. */
    received: [] as string[],
    find: (reference: string): Order | undefined => orders.find((order) => order.reference === reference),
    number: (accountName: string, kind: 'reserved' | 'dynamic'): Issued => {
      const accountNumber = `99${String(70_000_000 + numbers.length).padStart(8, '0')}`
      const made = { accountNumber, accountName: kind === 'reserved' ? `MERCHANT(${accountName})` : accountName, kind }
      numbers.push(made)
      return made
    },
    credit: (more: Partial<Credit> & Pick<Credit, 'accountNumber' | 'kobo'>): Credit => {
      const credit: Credit = {
        sessionId: `000004${digits(24)}`,
        settlementId: `2022${digits(20)}`,
        feeKobo: 0n,
        at: new Date(),
        remarks: 'FROM UBA/ADA OBI',
        sourceAccountNumber: '2093566866',
        sourceAccountName: 'ADA OBI',
        sourceBankCode: '',
        sourceBankName: 'UNITED BANK FOR AFRICA',
        acknowledged: false,
        ...more,
      }
      credits.push(credit)
      return credit
    },
    session: (): string => `000023${digits(24)}`,
  }
}

/** West Africa's time without a zone, as the bank writes it. */
export const localTime = (moment: Date): string =>
  new Date(moment.getTime() + HOUR_MS).toISOString().slice(0, 19).replace('T', ' ')

/** `1000.0`, `955.5`, `10.15`: how the bank prints a number. */
export function nairaOf(kobo: bigint): string {
  const text = kobo.toString().padStart(3, '0')
  const fraction = text.slice(-2).replace(/0$/, '')
  return `${text.slice(0, -2)}.${fraction}`
}
export const koboOf = (naira: string): bigint => {
  const [whole = '0', fraction = ''] = naira.split('.')
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0').slice(0, 2))
}
