import { randomInt } from 'node:crypto'
import type { PayoutOrder } from '@cowrie/contract/bank/connector'

export const newSession = (): string =>
  `000013261118020500${String(randomInt(1e6)).padStart(6, '0')}${String(randomInt(1e6)).padStart(6, '0')}`

export const newOrder = (more: Partial<PayoutOrder> = {}): PayoutOrder => ({
  sessionId: newSession(),
  amount: '12500.50',
  destinationBankCode: '058',
  destinationAccountNumber: '0123456789',
  destinationAccountName: 'Ada Obi',
  narration: 'Week 18',
  senderName: 'Adire Stores',
  senderAccountNumber: '0112345678',
  ...more,
})
