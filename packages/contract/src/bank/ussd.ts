// What a payer dials. A bank's own pattern transfers an amount to an account number; a payment code names the
// account alone, and the bank asks for the amount. The code carries the ten digits of the one-time account: a
// second, shorter number would have to be kept apart for every payment, and has no check digit against a slip
// of the finger (docs/decisions/0032-features-and-ussd.md).
import { parseNaira } from '../kit/money.ts'
import { type Bank, OPEN_BANKS } from './banks.ts'

/** What every code of a bank begins with: 737 of `*737#`. */
export const dialPrefix = ({ baseUssdCode, ussdTemplate }: Bank): string | null =>
  /^\*(\d+)/.exec(baseUssdCode ?? ussdTemplate ?? '')?.[1] ?? null

export const USSD_BANKS: readonly Bank[] = OPEN_BANKS.filter((bank) => dialPrefix(bank) !== null)

/** The bank of `737`, `*737` or `*737#`. */
export function bankDialled(code: string): Bank | undefined {
  const prefix = /^\*?(\d{2,5})#?$/.exec(code)?.[1]
  return prefix === undefined ? undefined : USSD_BANKS.find((bank) => dialPrefix(bank) === prefix)
}

export const baseCode = (bank: Bank): string => bank.baseUssdCode ?? `*${dialPrefix(bank)}#`
export const paymentCode = (bank: Bank, accountNumber: string): string => `*${dialPrefix(bank)}*000*${accountNumber}#`

export type Dialled = {
  readonly bank: Bank
  readonly accountNumber: string
  /** Null: the bank asks whoever issued the account. */
  readonly kobo: bigint | null
}

const AMOUNT = '(?<amount>\\d{1,12}(?:\\.\\d{1,2})?)'
const ACCOUNT = '(?<account>\\d{10})'
const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll('*', '\\*').replace('Amount', AMOUNT).replace('AccountNumber', ACCOUNT)}$`)

/** What a phone has dialled, a payment code or a bank's own pattern; null where no bank listens. */
export function readDialled(text: string): Dialled | null {
  for (const bank of USSD_BANKS) {
    const accountNumber = new RegExp(`^\\*${dialPrefix(bank)}\\*000\\*(\\d{10})#$`).exec(text)?.[1]
    if (accountNumber !== undefined) return { bank, accountNumber, kobo: null }
    const found = bank.ussdTemplate === null ? null : patternOf(bank.ussdTemplate).exec(text)
    const { account = '', amount = '' } = found?.groups ?? {}
    if (found) return { bank, accountNumber: account, kobo: parseNaira(amount) }
  }
  return null
}
