// The gateway's calls about refunds to cards, and what the issuer's books say of them.
import { CARD_REFUND_PATHS, type CardRefundAnswer } from '@cowrie/contract/bank/card-refund-connector'
import type { Bank, Json, Reply } from './bank.ts'

export function cardRefundCalls(bank: Bank) {
  let sessions = 0
  /** An order as the gateway sends it. */
  const orderOf = (chargeReference: string, amount: string, more: Json = {}): Json & { sessionId: string } => {
    sessions += 1
    return {
      sessionId: `00001426111502050001${String(sessions).padStart(10, '0')}`,
      chargeReference,
      amount,
      narration: 'Sorry',
      merchantName: 'Adire Stores',
      ...more,
    }
  }
  const answered = async (reply: Promise<Reply>): Promise<CardRefundAnswer> => {
    const { status, json } = await reply
    if (status !== 200) throw new Error(`the issuer answered ${status}: ${JSON.stringify(json)}`)
    return json as CardRefundAnswer
  }
  const send = (order: Json): Promise<Reply> => bank.signed('POST', CARD_REFUND_PATHS.refunds, order)
  return {
    orderOf,
    send,
    order: (order: Json): Promise<CardRefundAnswer> => answered(send(order)),
    inquire: (sessionId: string): Promise<CardRefundAnswer> =>
      answered(bank.signed('POST', CARD_REFUND_PATHS.inquiries, { sessionId })),
    bar: (sessionId: string): Promise<CardRefundAnswer> =>
      answered(bank.signed('POST', CARD_REFUND_PATHS.bars, { sessionId })),
    booked: async (sessionId: string): Promise<Json | undefined> => {
      const { json } = await bank.call('GET', `/api/cards/refunds?sessionId=${sessionId}`)
      return (json as unknown as Json[])[0]
    },
  }
}
