// The bank connector protocol: how the gateway and a bank communicate. JSON over HTTP, signed in both
// directions; a live bank is connected by implementing the bank's side or with an adapter. The simulator is
// the reference implementation.
//
// Numbers: the gateway issues account numbers itself, from serials that begin with its cell, and the bank
// routes that whole range to the gateway. So a payment needs no call to the bank; the bank makes an enquiry
// (`enquire`) when a customer pays, and sends a notice (`credit`) when the money is received.
//
// Signature: cowrie-timestamp is Unix seconds of real time; cowrie-signature is `v1=` and the lower-case hex
// of HMAC-SHA256(key, `${timestamp}.${method} ${path}.${body}`), where the path includes the query. A message
// older than 300 s is refused. Notices are harmless when repeated, because the bank's reference is counted
// once.
//
// Responses: 200 means accepted. Anything else, or nothing, means unknown: the bank sends the same notice
// again with the same reference until it is accepted. 404 for an enquiry means the number was never issued.
import Type, { type Static } from 'typebox'
import { Named } from '../kit/fields.ts'
import { AmountIn, AmountText } from '../kit/money.ts'
import { route } from '../kit/spec.ts'

export const SIGNATURE_HEADER = 'cowrie-signature'
export const TIMESTAMP_HEADER = 'cowrie-timestamp'
export const SIGNATURE_TOLERANCE_SECONDS = 300
/** What is signed; both sides compute it over the exact bytes. */
export const signedText = (timestamp: string, method: string, path: string, body: string): string =>
  `${timestamp}.${method} ${path}.${body}`

/** What an answer is signed over, for a connector that signs its answers: the request's own signature makes
 *  it an answer to nothing else. */
export const signedAnswer = (requestSignature: string, status: number, body: string): string =>
  `${requestSignature}.${status}.${body}`

export const SESSION_ID = '^\\d{30}$'

export const bankSide = { auth: 'bank', group: 'Bank connector' } as const
/** What every notice of an outcome is answered with. */
export const NoticeTaken = Named('NoticeTaken', { sessionId: Type.String(), outcome: Type.Literal('TAKEN') })

/** Bank → gateway: whose account is this? */
export const enquireAccount = route({
  ...bankSide,
  id: 'bank.enquire',
  method: 'POST',
  path: '/connector/v1/enquiries',
  summary: 'The bank asks who holds an account',
  description: 'It may be a one-time account, a reserved account or a wallet. The bank shows the name to whoever pays.',
  body: Type.Object({
    bankCode: Type.String({ minLength: 1, maxLength: 10 }),
    accountNumber: Type.String({ pattern: '^\\d{10}$' }),
  }),
  reply: Type.Object({
    accountName: Type.String(),
    open: Type.Boolean({
      description: 'Whether it still accepts money for its purpose; money for a closed account goes to suspense',
    }),
    expiresAt: Type.Union([Type.String({ description: 'ISO 8601, UTC' }), Type.Null()], {
      description: 'Null for a wallet or a reserved account: they do not expire',
    }),
    amount: Type.Optional(
      Type.String({
        pattern: '^\\d+\\.\\d\\d$',
        description:
          'What is left to pay on a one-time account, in naira; a bank shows it to a customer who dialled a payment code',
      }),
    ),
  }),
  errors: ['SIGNATURE_INVALID', 'ACCOUNT_UNKNOWN'],
})

/** Bank → gateway: money was received. */
export const creditNotice = route({
  ...bankSide,
  id: 'bank.credit',
  method: 'POST',
  path: '/connector/v1/credits',
  summary: 'The bank reports money received',
  description: 'On a one-time account, a reserved account or a wallet. A notice that is repeated is counted once.',
  body: Type.Object({
    sessionId: Type.String({
      pattern: SESSION_ID,
      description: "The bank's identifier of the transfer: 30 digits, never used for another",
    }),
    bankCode: Type.String({ minLength: 1, maxLength: 10 }),
    accountNumber: Type.String({ pattern: '^\\d{10}$' }),
    amount: AmountIn,
    senderName: Type.String({ minLength: 1, maxLength: 200 }),
    senderAccountNumber: Type.String({ pattern: '^\\d{10}$' }),
    senderBankCode: Type.String({ minLength: 1, maxLength: 10 }),
    senderBvn: Type.Optional(
      Type.String({
        pattern: '^\\d{11}$',
        description: "The payer's bank verification number, if the bank provides it; compared and not stored",
      }),
    ),
    narration: Type.Optional(Type.String({ maxLength: 200 })),
    channel: Type.Optional(
      Type.Enum(['TRANSFER', 'USSD'], { description: 'How the customer sent it; a transfer where it is not given' }),
    ),
    paidAt: Type.String({ description: 'ISO 8601, UTC; when the customer sent it' }),
  }),
  reply: Named('BankCreditReply', {
    outcome: Type.Enum(['COUNTED', 'SUSPENDED', 'REPEATED'], {
      description:
        'COUNTED: credited to its transaction or wallet. SUSPENDED: accepted but unmatched, and held in suspense; also money for a number that was never issued. REPEATED: already known.',
    }),
  }),
  errors: ['SIGNATURE_INVALID', 'ACCOUNT_UNKNOWN'],
})
export type CreditNotice = Static<typeof creditNotice.body>

export const PayoutSession = Type.String({
  pattern: SESSION_ID,
  description: 'Chosen by the gateway: 30 digits, never used for another payout',
})
const PayoutCode = Type.String({
  minLength: 2,
  maxLength: 2,
  description: 'Response code of the instant payment network; `00` is success',
})

/** Bank → gateway: the outcome of a payout, when the response to the instruction did not have it or it has
 *  changed. */
export const payoutNotice = route({
  ...bankSide,
  id: 'bank.payout',
  method: 'POST',
  path: '/connector/v1/payouts',
  summary: 'The bank reports the outcome of a payout',
  description:
    'Notices may be duplicated, concurrent, out of order, and earlier than the response to the instruction. REVERSED follows a SUCCESS, reported or not; nothing follows FAILED or REVERSED.',
  body: Type.Object({
    sessionId: PayoutSession,
    status: Type.Enum(['SUCCESS', 'FAILED', 'REVERSED']),
    responseCode: PayoutCode,
    message: Type.String({ maxLength: 200 }),
    at: Type.String({ description: 'ISO 8601, UTC; when it happened at the bank' }),
  }),
  reply: NoticeTaken,
  errors: ['SIGNATURE_INVALID', 'PAYOUT_UNKNOWN'],
})
export type PayoutNotice = Static<typeof payoutNotice.body>

/** Bank → gateway: a credit was reversed. */
export const reversalNotice = route({
  ...bankSide,
  id: 'bank.reversal',
  method: 'POST',
  path: '/connector/v1/reversals',
  summary: 'The bank reports that it reversed a credit',
  description:
    'A credit is reversed once and in full. A notice that arrives before its credit is answered 404 and must be sent again.',
  body: Type.Object({
    sessionId: Type.String({ pattern: SESSION_ID, description: 'Session of the credit' }),
    reversalSessionId: Type.String({
      pattern: SESSION_ID,
      description: 'Session of the reversal; one per credit, never used for another',
    }),
    bankCode: Type.String({ minLength: 1, maxLength: 10 }),
    accountNumber: Type.String({ pattern: '^\\d{10}$', description: 'The account that was credited' }),
    amount: AmountIn,
    reason: Type.String({ maxLength: 200 }),
    at: Type.String({ description: 'ISO 8601, UTC; when it happened at the bank' }),
  }),
  reply: Named('BankReversalReply', {
    outcome: Type.Enum(['REVERSED', 'REPEATED', 'NOTED'], {
      description:
        'REVERSED: the reversal is booked. REPEATED: already known. NOTED: a person decides, because the amount differs, the wallet holds too little, or the money had been returned before.',
    }),
  }),
  errors: ['SIGNATURE_INVALID', 'ACCOUNT_UNKNOWN', 'CREDIT_UNKNOWN'],
})
export type ReversalNotice = Static<typeof reversalNotice.body>

// Gateway → bank. The same signature; plain JSON answers without the envelope.

export const BANK_PATHS = {
  /** GET → BankSelf: which bank this is. Live asks it before anything else, and starts with an answer
   *  only. */
  self: '/bank/v1/self',
  /** POST NameEnquiry → NameEnquiryAnswer, 404 when the account is unknown. */
  nameEnquiry: '/bank/v1/name-enquiries',
  /** POST NameEnquiries → NameEnquiriesAnswer: many at once, in their order. */
  nameEnquiries: '/bank/v1/name-enquiries/bulk',
  /** GET ?date=YYYY-MM-DD&after= → Statement, a page of it; `after` is the `next` of the page before. */
  statement: '/bank/v1/statements',
  /** POST ReturnOrder → ReturnAnswer: returns a credit to its sender. Once per session, however often it is
   *  repeated. */
  returns: '/bank/v1/returns',
  /** POST CardAuthorisation → CardAnswer: requests an authorisation. Once per charge reference, however often
   *  it is repeated. */
  cardAuthorisations: '/bank/v1/cards/authorisations',
  /** POST CardOtp → CardAnswer. */
  cardOtps: '/bank/v1/cards/otps',
  /** POST CardInquiry → CardAnswer, 404 when the issuer never received the reference. */
  cardInquiries: '/bank/v1/cards/inquiries',
  /** POST CardInquiry → CardAnswer in the state REVERSED. A reference the issuer does not know yet is barred
   *  by it, so that an authorisation still in transit cannot be approved. */
  cardReversals: '/bank/v1/cards/reversals',
  /** POST PayoutOrder → PayoutAnswer: pays an account at any bank. Once per session, however often it is
   *  repeated; 409 when the session belongs to a different instruction. */
  payouts: '/bank/v1/payouts',
  /** POST PayoutInquiry → PayoutAnswer; UNKNOWN when the bank never received the session. */
  payoutInquiries: '/bank/v1/payouts/inquiry',
  /** POST PayoutInquiry → PayoutAnswer, which is final: what was not paid yet never will be. */
  payoutBars: '/bank/v1/payouts/bar',
  /** POST IdentityAsked → IdentityAnswer: whether the register has a person with this number. */
  identities: '/bank/v1/identities',
  /** Simulator only: POST SimulatorClock; GET → {nextDueAt}. */
  simulatorClock: '/simulator/v1/clock',
  /** Simulator only: POST a customer's transfer → {sessionId, status}. */
  simulatorTransfers: '/api/transfers',
  /** Simulator only: GET ?to= → mails, newest first. */
  simulatorMails: '/simulator/v1/mails',
} as const

export const BankSelf = Type.Object({
  bankCode: Type.String({ minLength: 1, maxLength: 10 }),
  bankName: Type.String({ minLength: 1, maxLength: 200 }),
  environment: Type.Enum(['LIVE', 'TEST', 'SIMULATOR'], {
    description: "LIVE: instructions move money. TEST: the bank's test system. SIMULATOR: not a bank",
  }),
})
export type BankSelf = Static<typeof BankSelf>

export const NameEnquiry = Type.Object({ bankCode: Type.String(), accountNumber: Type.String() })
export const NameEnquiries = Type.Object({ accounts: Type.Array(NameEnquiry, { maxItems: 500 }) })
export const NameEnquiriesAnswer = Type.Object({
  accountNames: Type.Array(Type.Union([Type.String({ minLength: 1, maxLength: 200 }), Type.Null()]), {
    description: 'In the order of the request; null for an unknown account',
  }),
})
export const NameEnquiryAnswer = Type.Object({
  accountNumber: Type.String({ description: 'As in the request' }),
  bankCode: Type.String({ description: 'As in the request' }),
  accountName: Type.String({ minLength: 1, maxLength: 200 }),
})

/** POST: set the offset, then run everything that is due by then; the answer comes when it is done. */
export const SimulatorClock = Type.Object({ offsetMs: Type.Number() })
export const SimulatorClockAnswer = Type.Object({
  nextDueAt: Type.Union([Type.String(), Type.Null()]),
  ran: Type.Integer(),
})
export const SimulatorTransferAnswer = Type.Object({ status: Type.String() })
export const SimulatorMails = Type.Array(
  Type.Object({
    to: Type.String(),
    subject: Type.String(),
    text: Type.String(),
    html: Type.String(),
    sentAt: Type.String(),
  }),
)

export const ReturnOrder = Type.Object({
  sessionId: Type.String({ description: 'Session of the credit to return' }),
  amount: AmountText,
  reason: Type.String({ maxLength: 200, description: 'Shown to the sender' }),
})
export const ReturnAnswer = Type.Object({
  sessionId: Type.String({ description: 'Session of the credit, as in the request' }),
  returnSessionId: Type.String({
    pattern: '^[!-~]{1,60}$',
    description:
      "The bank's identifier of the return: the session where it has one, and the one that its statement shows",
  }),
})
export type ReturnOrder = Static<typeof ReturnOrder>
export type ReturnAnswer = Static<typeof ReturnAnswer>

// Payouts. The session is chosen by the gateway before the first attempt, and identifies the payout in every
// message. Only the bank knows its outcome, and reports it on every inquiry.

export const PayoutOrder = Type.Object({
  sessionId: PayoutSession,
  amount: AmountText,
  destinationBankCode: Type.String({ minLength: 1, maxLength: 10 }),
  destinationAccountNumber: Type.String({ pattern: '^\\d{10}$' }),
  destinationAccountName: Type.String({ minLength: 1, maxLength: 200 }),
  narration: Type.String({ maxLength: 200 }),
  senderName: Type.String({ minLength: 1, maxLength: 200 }),
  senderAccountNumber: Type.String({ pattern: '^\\d{10}$' }),
})
export type PayoutOrder = Static<typeof PayoutOrder>

export const PAYOUT_STATUSES = ['SUCCESS', 'FAILED', 'PENDING', 'REVERSED', 'UNKNOWN'] as const

export const PayoutAnswer = Type.Object({
  sessionId: PayoutSession,
  status: Type.Enum([...PAYOUT_STATUSES], {
    description:
      'SUCCESS: paid. FAILED: not paid, and never will be. PENDING: the bank does not know yet. REVERSED: paid, then returned. UNKNOWN, to an inquiry only: the bank has no such instruction; one in transit may still arrive',
  }),
  responseCode: PayoutCode,
  message: Type.String({ maxLength: 200, description: 'Text for `responseCode`' }),
})
export type PayoutAnswer = Static<typeof PayoutAnswer>

export const PayoutInquiry = Type.Object({ sessionId: PayoutSession })

// People. The register is asked with the number, which the bank passes on and does not store; the response
// does not repeat it.

const IDENTITY_KINDS = ['BVN', 'NIN'] as const
export type IdentityKind = (typeof IDENTITY_KINDS)[number]
export const IdentityAsked = Type.Object({
  kind: Type.Enum([...IDENTITY_KINDS], {
    description: 'BVN: bank verification number. NIN: national identity number',
  }),
  number: Type.String({ pattern: '^\\d{11}$' }),
})
export type IdentityAsked = Static<typeof IdentityAsked>
export const IdentityAnswer = Type.Object({
  kind: Type.Enum([...IDENTITY_KINDS]),
  exists: Type.Boolean({ description: 'Whether the register has a person with this number' }),
  barred: Type.Boolean({ description: 'Whether the person is barred from opening new accounts' }),
})
export type IdentityAnswer = Static<typeof IdentityAnswer>

// Cards. The gateway is the acquirer's side, the bank is the issuer. A charge has one reference for all its
// steps; the only the issuer knows its state, and reports it on every inquiry.

/** A card as the payer typed it. It is passed on and not stored, except for first six, last four and
 *  expiry. */
export const RawCard = Type.Object({
  number: Type.String(),
  expiryMonth: Type.String({ description: 'Two digits' }),
  expiryYear: Type.String({ description: 'Four digits' }),
  cvv: Type.String(),
  pin: Type.Optional(Type.String()),
})
export type RawCard = Static<typeof RawCard>

export const CardAuthorisation = Type.Object({
  chargeReference: Type.String({ description: 'Letters and digits; never used for another charge' }),
  amount: AmountText,
  merchantName: Type.String(),
  /** Where the challenge page sends the payer back to. */
  returnUrl: Type.String(),
  card: Type.Optional(RawCard),
  /** In place of a card: the issuer's own name for a card it has approved before. */
  cardReference: Type.Optional(Type.String()),
})
export type CardAuthorisation = Static<typeof CardAuthorisation>

export const CARD_STATES = ['APPROVED', 'DECLINED', 'OTP', 'CHALLENGE', 'REVERSED'] as const

const Moment = Type.String({ maxLength: 40, description: 'ISO 8601, UTC' })
const Page = Type.String({ pattern: '^https?://', maxLength: 2000 })

export const CardAnswer = Type.Object({
  chargeReference: Type.String({ description: 'As in the request' }),
  state: Type.Enum([...CARD_STATES]),
  code: Type.String({
    maxLength: 4,
    description: 'ISO 8583 field 39; `00` is approved. Empty while the payer has to act',
  }),
  message: Type.String({ maxLength: 500, description: 'Shown to the payer' }),
  card: Type.Object({
    scheme: Type.String({ maxLength: 60 }),
    bankCode: Type.String({ maxLength: 20 }),
    bankName: Type.String({ maxLength: 200 }),
    countryCode: Type.String({ maxLength: 10 }),
  }),
  /** With APPROVED: names the card for later charges. */
  cardReference: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  /** With OTP. `wrong` after a code that was not the right one; `message` says what to do. */
  otp: Type.Optional(
    Type.Object({
      id: Type.String({ minLength: 1, maxLength: 100, description: 'Letters and digits' }),
      triesLeft: Type.Integer({ minimum: 0 }),
      expiresAt: Moment,
      wrong: Type.Boolean(),
    }),
  ),
  /** With CHALLENGE: the issuer's page. The browser is sent there: by POST to `acsUrl` or by GET to
   *  `pageUrl`. */
  challenge: Type.Optional(
    Type.Object({
      id: Type.String({ minLength: 1, maxLength: 100 }),
      pageUrl: Page,
      acsUrl: Page,
      expiresAt: Moment,
    }),
  ),
})
export type CardAnswer = Static<typeof CardAnswer>

export const CardOtp = Type.Object({ chargeReference: Type.String(), otpId: Type.String(), otp: Type.String() })
export const CardInquiry = Type.Object({ chargeReference: Type.String() })
