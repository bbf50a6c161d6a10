// Refunds to cards, in the bank connector protocol: the gateway instructs the issuer, which reports the
// outcome. As payouts: the session is chosen by the gateway before the first attempt and identifies the
// refund in every message; only the issuer knows its outcome. The refunds of a charge are never more than was
// taken for it.
import Type, { type Static } from 'typebox'
import { AmountText } from '../kit/money.ts'
import { route } from '../kit/spec.ts'
import { bankSide, NoticeTaken, PAYOUT_STATUSES, PayoutSession } from './connector.ts'

/** Issuer → gateway: the outcome of a card refund, when the response to the instruction did not have it or it
 *  has changed. */
export const cardRefundNotice = route({
  ...bankSide,
  id: 'bank.cardRefund',
  method: 'POST',
  path: '/connector/v1/card-refunds',
  summary: 'The issuer reports the outcome of a card refund',
  description:
    'As notices of payouts: they may be duplicated, concurrent, out of order, and earlier than the response to the instruction. REVERSED follows a SUCCESS, reported or not; nothing follows FAILED or REVERSED.',
  body: Type.Object({
    sessionId: PayoutSession,
    status: Type.Enum(['SUCCESS', 'FAILED', 'REVERSED']),
    responseCode: Type.String({ minLength: 2, maxLength: 2, description: 'ISO 8583 field 39' }),
    message: Type.String({ maxLength: 200 }),
    at: Type.String({ description: 'ISO 8601, UTC; when it happened at the issuer' }),
  }),
  reply: NoticeTaken,
  errors: ['SIGNATURE_INVALID', 'PAYOUT_UNKNOWN'],
})
export type CardRefundNotice = Static<typeof cardRefundNotice.body>

export const CARD_REFUND_PATHS = {
  /** POST CardRefundOrder → CardRefundAnswer: returns money of an approved charge to its card. Once per
   *  session, however often it is repeated; 409 when the session belongs to a different instruction. */
  refunds: '/bank/v1/cards/refunds',
  /** POST PayoutInquiry → CardRefundAnswer; UNKNOWN when the issuer never received the session. */
  inquiries: '/bank/v1/cards/refunds/inquiry',
  /** POST PayoutInquiry → CardRefundAnswer, which is final: what was not refunded yet never will be. */
  bars: '/bank/v1/cards/refunds/bar',
} as const

export const CardRefundOrder = Type.Object({
  sessionId: PayoutSession,
  chargeReference: Type.String({ description: 'The approved charge whose card gets the money' }),
  amount: AmountText,
  narration: Type.String({ maxLength: 200, description: 'Shown to the card holder' }),
  merchantName: Type.String({ minLength: 1, maxLength: 200 }),
})
export type CardRefundOrder = Static<typeof CardRefundOrder>

export const CardRefundAnswer = Type.Object({
  sessionId: PayoutSession,
  status: Type.Enum([...PAYOUT_STATUSES], {
    description:
      'SUCCESS: on its way to the card. FAILED: not refunded, and never will be. PENDING: the issuer does not know yet. REVERSED: refunded, then reversed. UNKNOWN, to an inquiry only: the issuer has no such instruction; one in transit may still arrive',
  }),
  responseCode: Type.String({ minLength: 2, maxLength: 2, description: 'ISO 8583 field 39; `00` is success' }),
  message: Type.String({ maxLength: 200, description: 'Text for `responseCode`' }),
})
export type CardRefundAnswer = Static<typeof CardRefundAnswer>
