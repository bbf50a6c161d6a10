// Cards: charged through the issuer, who may ask the payer for an OTP or send them to its own page first.
import Type from 'typebox'
import { hasCheckDigit } from '../kit/check-digit.ts'
import { Named } from '../kit/fields.ts'
import { AmountIn, AmountNumber } from '../kit/money.ts'
import { machine, route } from '../kit/spec.ts'
import { INQUIRE_CHARGE } from '../kit/timers.ts'
import { IncomeSplits } from './splits.ts'
import { DeclineCode, Email, MetaData, Reference, StatusRecord, Text } from './transactions.ts'

/** How long the issuer waits for the payer; the charge is given up then. */
export const OTP_SECONDS = 600
export const CHALLENGE_SECONDS = 900
export const INPUT_SECONDS = 900
export const OTP_TRIES = 3
/** Declined cards a payer may try on the hosted checkout before the transaction fails. By API the first one
 *  fails it. */
export const CHECKOUT_DECLINES_MAX = 3
/** Charges of one transaction that reached the issuer, and wrong codes of all its charges together. Another
 *  one makes it FAILED; an invoice stays open and takes no further card. */
export const CARD_CHARGES_MAX = 5
export const CARD_CODES_MAX = 6
/** Attempts within an hour that did not end with a payment, whatever the transactions: with one card from one
 *  address of the hosted page, or by servers; with one card from everywhere, so that a stranger who knows a
 *  number does not lock its owner out; and from one address of the hosted page. A carrier's address stands
 *  for very many phones, so it is given far more. */
export const CARD_TRIES_MAX = 10
export const CARD_TRIES_EVERYWHERE_MAX = 50
export const ADDRESS_TRIES_MAX = 100

/** The public test cards of the sandbox. The failing one has a wrong check digit and is known all the
 *  same. */
const sandboxCard = (number: string) => ({ number, expiryMonth: '10', expiryYear: '2030', cvv: '123', pin: '1234' })
export const SANDBOX_CARDS = {
  plain: sandboxCard('4111111111111111'),
  otp: { ...sandboxCard('5060995994247093'), otp: '123456' },
  threeDs: sandboxCard('4000000000000002'),
  failing: sandboxCard('4111111111111110'),
}

export const isCardNumber = (number: string): boolean => /^\d{12,19}$/.test(number) && hasCheckDigit(number)

/** `411111******1111`: from what is kept, which is nothing else. */
export const maskedPan = (bin: string, last4: string): string => `${bin}******${last4}`

export const cardChargeMachine = machine({
  name: 'card_charge',
  table: 'card_charges',
  start: 'SENT',
  states: {
    SENT: {
      says: 'Sent to the card issuer, which has not responded yet or does not know yet.',
      waits: 'bank',
      timers: [INQUIRE_CHARGE],
    },
    OTP: {
      says: 'The issuer is waiting for the code it sent to the payer.',
      waits: 'payer',
      minutesMax: 10,
      timers: [INQUIRE_CHARGE],
    },
    CHALLENGE: {
      says: "The payer is on the issuer's page (3-D Secure).",
      waits: 'payer',
      minutesMax: 15,
      timers: [INQUIRE_CHARGE],
    },
    INPUT: {
      says: 'The issuer is waiting for something else from the payer: a PIN, phone number, date of birth or address.',
      waits: 'payer',
      minutesMax: 15,
      timers: [INQUIRE_CHARGE],
    },
    APPROVED: { says: 'Approved by the issuer and counted for the transaction.' },
    DECLINED: { says: 'Declined by the issuer.' },
    REVERSING: {
      says: 'Abandoned; the issuer has not confirmed the reversal yet.',
      waits: 'bank',
      timers: [INQUIRE_CHARGE],
    },
    REVERSED: { says: 'Abandoned; the issuer has confirmed that it took no money or returned it.' },
  },
  moves: [
    { on: 'askOtp', from: ['SENT', 'OTP', 'CHALLENGE', 'INPUT'], to: 'OTP' },
    { on: 'askChallenge', from: ['SENT', 'OTP', 'INPUT'], to: 'CHALLENGE' },
    { on: 'askInput', from: ['SENT', 'OTP', 'CHALLENGE', 'INPUT'], to: 'INPUT' },
    // The payer has done what was asked, and the issuer does not know yet.
    { on: 'wait', from: ['OTP', 'CHALLENGE', 'INPUT'], to: 'SENT' },
    { on: 'approve', from: ['SENT', 'OTP', 'CHALLENGE', 'INPUT'], to: 'APPROVED' },
    { on: 'decline', from: ['SENT', 'OTP', 'CHALLENGE', 'INPUT'], to: 'DECLINED' },
    { on: 'giveUp', from: ['SENT', 'OTP', 'CHALLENGE', 'INPUT'], to: 'REVERSING' },
    { on: 'reversed', from: ['REVERSING'], to: 'REVERSED' },
  ],
})

const Digits = (least: number, most: number) => Type.String({ pattern: `^\\d{${least},${most}}$` })
const Card = Named('Card', {
  number: Type.String({ minLength: 1, maxLength: 40, description: 'Digits; spaces and dashes are ignored' }),
  pin: Type.Optional(Digits(4, 6)),
  expiryMonth: Digits(1, 2),
  expiryYear: Type.String({ pattern: '^(\\d{2}|\\d{4})$', description: 'Two or four digits' }),
  cvv: Digits(3, 4),
})
const SaveCard = Type.Boolean({
  description: 'False: the payment returns no `cardToken`. Ask the cardholder before you store a card',
})
const Channel = Type.Literal('API_NOTIFICATION')
const TransactionReference = Type.String({ minLength: 1, maxLength: 60 })

const CHARGE_STATUSES = [
  'SUCCESS',
  'OTP_AUTHORIZATION_REQUIRED',
  'BANK_AUTHORIZATION_REQUIRED',
  'FAILED',
  'PENDING',
] as const

export const ChargeResult = Named('ChargeResult', {
  status: Type.Enum([...CHARGE_STATUSES], {
    description:
      'FAILED: the issuer declined. PENDING: the issuer has not responded; check the status of the transaction',
  }),
  message: Type.String(),
  transactionReference: Type.String(),
  paymentReference: Type.String(),
  authorizedAmount: Type.Number({ ...AmountNumber, description: 'Naira; 0 when the card was declined' }),
  declineCode: Type.Optional(DeclineCode),
  otpData: Type.Optional(Type.Object({ id: Type.String(), message: Type.String(), authData: Type.String() })),
  secure3dData: Type.Optional(
    Type.Object({
      id: Type.String(),
      redirectUrl: Type.String({ description: "The issuer's page; send the browser there" }),
      acsUrl: Type.String(),
      method: Type.Literal('POST', {
        description: 'Send the browser to `acsUrl` with a form, never with a background request',
      }),
    }),
  ),
  // Beside the result of an OTP that was right.
  paymentStatus: Type.Optional(Type.Literal('SUCCESSFUL')),
  paymentDescription: Type.Optional(Type.String()),
  amountPaid: Type.Optional(AmountNumber),
  currencyPaid: Type.Optional(Type.Literal('NGN')),
})

const common = { method: 'POST', auth: 'bearer', group: 'Cards' } as const
const TRANSACTION_REFUSALS = ['TRANSACTION_REFERENCE_INVALID', 'TRANSACTION_CLOSED'] as const
const CARD_REFUSALS = [
  'CARD_NUMBER_INVALID',
  'CARD_EXPIRED',
  'METHOD_NOT_ENABLED',
  'CHARGE_UNDER_WAY',
  'CARD_ATTEMPTS_SPENT',
  'CARD_TRIED_TOO_OFTEN',
] as const

export const chargeCard = route({
  ...common,
  id: 'cards.charge',
  outcome: { ask: 'transactions.get', by: 'transactionReference' },
  permission: 'collections.write',
  contractFields: ['transactionReference'],
  path: '/api/v1/merchant/cards/charge',
  summary: 'Charge a card',
  description:
    'The issuer may approve at once, ask for an OTP, or send the payer to its own page (3-D Secure). Card data is passed on and not stored.',
  body: Type.Object({
    transactionReference: TransactionReference,
    collectionChannel: Channel,
    card: Card,
    saveCard: Type.Optional(SaveCard),
    deviceInformation: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
  reply: ChargeResult,
  errors: [...TRANSACTION_REFUSALS, ...CARD_REFUSALS],
  secretFields: ['card'],
  status422As: 400,
})

export const authoriseOtp = route({
  ...common,
  id: 'cards.authoriseOtp',
  outcome: { ask: 'transactions.get', by: 'transactionReference' },
  permission: 'collections.write',
  contractFields: ['transactionReference'],
  path: '/api/v1/merchant/cards/otp/authorize',
  summary: "Confirm a charge with the payer's OTP",
  description: 'Follows a charge that was answered with OTP_AUTHORIZATION_REQUIRED. Three wrong codes end the charge.',
  body: Type.Object({
    transactionReference: TransactionReference,
    collectionChannel: Channel,
    tokenId: Type.String({ minLength: 1, maxLength: 100, description: '`otpData.id` of the charge' }),
    token: Type.String({ minLength: 1, maxLength: 20, description: 'The OTP' }),
  }),
  reply: ChargeResult,
  errors: [
    ...TRANSACTION_REFUSALS,
    'CARD_PAYMENT_NOT_FOUND',
    'OTP_WRONG',
    'OTP_TRIES_SPENT',
    'OTP_EXPIRED',
    'CARD_ATTEMPTS_SPENT',
    'CHARGE_UNDER_WAY',
  ],
  secretFields: ['token'],
})

export const authorise3ds = route({
  ...common,
  id: 'cards.authorise3ds',
  outcome: { ask: 'transactions.get', by: 'transactionReference' },
  permission: 'collections.write',
  contractFields: ['transactionReference'],
  path: '/api/v1/sdk/cards/secure-3d/authorize',
  summary: "Get the issuer's page for a 3-D Secure card",
  description:
    'Charges the card and answers with the page of the issuer where the payer confirms. Send the browser there; the status of the transaction tells the outcome.',
  body: Type.Object({
    transactionReference: TransactionReference,
    collectionChannel: Type.Optional(Channel),
    card: Card,
    saveCard: Type.Optional(SaveCard),
    apiKey: Type.String({ minLength: 1, maxLength: 40 }),
  }),
  reply: ChargeResult,
  errors: [...TRANSACTION_REFUSALS, ...CARD_REFUSALS, 'API_KEY_FOREIGN'],
  secretFields: ['card'],
})

export const chargeCardToken = route({
  ...common,
  id: 'cards.chargeToken',
  outcome: { ask: 'transactions.query', by: 'paymentReference' },
  permission: 'collections.write',
  contractFields: ['contractCode'],
  path: '/api/v1/merchant/cards/charge-card-token',
  group: 'Recurring payment',
  summary: 'Charge a stored card',
  description: 'Creates a transaction and charges the card stored with an earlier payment.',
  body: Type.Object({
    cardToken: Type.String({ minLength: 1, maxLength: 100 }),
    amount: AmountIn,
    customerName: Text(200),
    customerEmail: Email,
    paymentReference: Reference,
    paymentDescription: Text(500),
    currencyCode: Type.String({ minLength: 1, maxLength: 10 }),
    contractCode: Type.String({ minLength: 1, maxLength: 20 }),
    apiKey: Type.String({ minLength: 1, maxLength: 40 }),
    metaData: Type.Optional(MetaData),
    metadata: Type.Optional(MetaData),
    incomeSplitConfig: Type.Optional(IncomeSplits),
  }),
  reply: StatusRecord,
  errors: [
    'AMOUNT_TOO_SMALL',
    'PAYMENT_LIMIT',
    'PAYMENT_DAY_LIMIT',
    'DUPLICATE_PAYMENT_REFERENCE',
    'CONTRACT_UNKNOWN',
    'CURRENCY_UNKNOWN',
    'SUB_ACCOUNT_UNKNOWN',
    'SPLIT_INVALID',
    'API_KEY_FOREIGN',
    'CARD_TOKEN_INVALID',
    'CARD_TOKEN_EXPIRED',
    'CARD_TOKEN_EMAIL_DIFFERS',
  ],
})
