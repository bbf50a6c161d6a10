// The gateway's calls about payouts, and what the bank's books say of them.
import { BANK_PATHS, type PayoutAnswer } from '@cowrie/contract/bank/connector'
import type { Bank, Json, Reply } from './bank.ts'

export function payoutCalls(bank: Bank) {
  let sessions = 0
  const newSession = (): string => {
    sessions += 1
    return `00001326111502050001${String(sessions).padStart(10, '0')}`
  }
  /** An order to the account with this ending, as the gateway sends it. */
  const orderTo = (ending: string, more: Json = {}): Json & { sessionId: string } => ({
    sessionId: newSession(),
    amount: '12500.50',
    destinationBankCode: '058',
    destinationAccountNumber: ending.padStart(10, '0123456789'),
    destinationAccountName: 'Ada Nneka Obi',
    narration: 'Supplier, week 18',
    senderName: 'Adire Stores',
    senderAccountNumber: '0112345678',
    ...more,
  })
  const answered = async (reply: Promise<Reply>): Promise<PayoutAnswer> => {
    const { status, json } = await reply
    if (status !== 200) throw new Error(`the bank answered ${status}: ${JSON.stringify(json)}`)
    return json as PayoutAnswer
  }
  const send = (order: Json): Promise<Reply> => bank.signed('POST', BANK_PATHS.payouts, order)
  return {
    newSession,
    orderTo,
    send,
    order: (order: Json): Promise<PayoutAnswer> => answered(send(order)),
    inquire: (sessionId: string): Promise<PayoutAnswer> =>
      answered(bank.signed('POST', BANK_PATHS.payoutInquiries, { sessionId })),
    bar: (sessionId: string): Promise<PayoutAnswer> =>
      answered(bank.signed('POST', BANK_PATHS.payoutBars, { sessionId })),
    booked: async (sessionId: string): Promise<Json | undefined> => {
      const { json } = await bank.call('GET', `/api/payouts?sessionId=${sessionId}`)
      return (json as unknown as Json[])[0]
    },
    statement: async (): Promise<Json[]> =>
      (await bank.call('GET', '/api/payouts/statement')).json['payouts'] as unknown as Json[],
    faults: (faults: Json): Promise<Reply> => bank.call('POST', '/api/payout-faults', faults),
  }
}
