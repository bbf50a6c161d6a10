// Version 2 of payouts: the same three calls, notice and name enquiry as version 1, with what real networks
// add to them. A name enquiry has a reference that the payout after it may need; a payout has a name of its
// own in the network, and the bank charges for it. All of it is optional. A connector has these paths if its
// capabilities say `payouts`; a session is one payout at the paths of both versions.
import Type, { type Static } from 'typebox'
import { AmountIn } from '../../kit/money.ts'
import { route } from '../../kit/spec.ts'
import { bankSide, NameEnquiryAnswer, PayoutAnswer, PayoutOrder, payoutNotice } from '../connector.ts'

export const PAYOUT_PATHS_V2 = {
  /** POST NameEnquiry → NameEnquiryAnswerV2, 404 when the account is unknown. */
  nameEnquiry: '/bank/v2/name-enquiries',
  /** POST PayoutOrderV2 → PayoutAnswerV2. Once per session, however often it is repeated, whatever its
   *  `nameEnquiryReference`. */
  payouts: '/bank/v2/payouts',
  /** POST PayoutInquiry → PayoutAnswerV2. */
  payoutInquiries: '/bank/v2/payouts/inquiry',
  /** POST PayoutInquiry → PayoutAnswerV2, which is final. */
  payoutBars: '/bank/v2/payouts/bar',
} as const

/** What a connector says of its payouts, beside its capabilities. */
export const PayoutSettings = Type.Object(
  { version: Type.Literal(2) },
  { description: 'Payouts and name enquiries of version 2. Left out: version 1 only' },
)

const Reference = (description: string) => Type.String({ pattern: '^[!-~]{1,60}$', description })
const NetworkReference = Type.Optional(
  Reference(
    'What the network or the bank calls the payout: the one that its statement shows, where that is not the session. The first one that is said counts',
  ),
)
const FEE =
  'What the bank charges the gateway for the payout. Information only: it is booked when the statement shows it'

export const NameEnquiryAnswerV2 = Type.Object({
  ...NameEnquiryAnswer.properties,
  nameEnquiryReference: Type.Optional(
    Reference('What this enquiry is known by. The gateway sends it with a payout to the account that soon follows'),
  ),
})
export type NameEnquiryAnswerV2 = Static<typeof NameEnquiryAnswerV2>

export const PayoutOrderV2 = Type.Object({
  ...PayoutOrder.properties,
  nameEnquiryReference: Type.Optional(
    Reference(
      'Of an enquiry about this account that this connector answered in the last five minutes; sent with one payout. Without it, or with one that the connector does not know, it enquires itself if it has to',
    ),
  ),
})
export type PayoutOrderV2 = Static<typeof PayoutOrderV2>

export const PayoutAnswerV2 = Type.Object({
  ...PayoutAnswer.properties,
  networkReference: NetworkReference,
  fee: Type.Optional(Type.String({ pattern: '^\\d+\\.\\d\\d$', description: `${FEE}. Naira as decimal text` })),
})
export type PayoutAnswerV2 = Static<typeof PayoutAnswerV2>

/** Bank → gateway: the outcome of a payout, with what else is known of it. */
export const payoutNoticeV2 = route({
  ...bankSide,
  id: 'bank.payoutV2',
  method: 'POST',
  path: '/connector/v2/payouts',
  summary: 'The bank reports the outcome of a payout, and its details',
  description: 'As version 1, with what the network calls the payout and what it cost. For payouts of either version.',
  body: Type.Object({
    ...payoutNotice.body.properties,
    networkReference: NetworkReference,
    fee: Type.Optional(AmountIn),
  }),
  reply: payoutNotice.reply,
  errors: ['SIGNATURE_INVALID', 'PAYOUT_UNKNOWN'],
})
export type PayoutNoticeV2 = Static<typeof payoutNoticeV2.body>
