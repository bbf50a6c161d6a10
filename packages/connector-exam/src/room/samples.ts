// What the exam orders: everything is new each time, so that the books of the fake bank tell one order from
// another.
import { randomInt } from 'node:crypto'
import type { PayoutOrder } from '@cowrie/contract/bank/connector'
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import { nairaText } from '@cowrie/contract/kit/money'
import { now } from '../kit/clock.ts'

const digits = (count: number): string => Array.from({ length: count }, () => String(randomInt(10))).join('')

/** Thirty digits: institution, West African time to the second, twelve of chance. */
export function newSession(): string {
  const local = new Date(now().getTime() + HOUR_MS).toISOString()
  return `999990${local.slice(2, 19).replace(/\D/g, '')}${digits(12)}`
}

/** Its last four digits are above 1000: endings such as 0001 or 0404 mean something in many test systems. */
export const newAccount = (): string => `30${digits(4)}${String(randomInt(1_111, 9_000)).replaceAll('0', '1')}`

export const newAmount = (): string => nairaText(BigInt(randomInt(10_000, 999_999)))

export const newOrder = (more: Partial<PayoutOrder> = {}): PayoutOrder => ({
  sessionId: newSession(),
  amount: newAmount(),
  destinationBankCode: '058',
  destinationAccountNumber: newAccount(),
  destinationAccountName: 'Ada Obi',
  narration: 'Exam',
  senderName: 'Adire Stores',
  senderAccountNumber: '0112345678',
  ...more,
})
