// Version 2 of what the gateway asks a connector: what it can do, what its accounts hold, and account numbers
// in stock. A connector is one process in front of one bank; an installation has several. A connector that
// answers 501 here speaks version 1 only, and can do all of it.
import Type, { type Static } from 'typebox'
import { CardSettings } from './cards.ts'
import { PayoutSettings } from './payouts.ts'

export const CONNECTOR_PATHS = {
  /** GET → Capabilities: who this is and what it can do. */
  capabilities: '/bank/v2/capabilities',
  /** GET → BankBalances: what the gateway's accounts at this bank hold now. */
  balances: '/bank/v2/balances',
  /** POST NumbersOrder → NumbersAnswer: account numbers that the bank issues. Once per reference, however
   *  often it is repeated. */
  numbers: '/bank/v2/numbers',
} as const

export const CAPABILITIES = [
  'numbers',
  'credits',
  'payout',
  'name',
  'card',
  'mandate',
  'identity',
  'statement',
  'balance',
  'bill',
] as const
export type Capability = (typeof CAPABILITIES)[number]

export const Capabilities = Type.Object({
  bankCode: Type.String({
    minLength: 1,
    maxLength: 10,
    description: 'The bank behind this connector: whose numbers are those that it issues',
  }),
  bankName: Type.String({ minLength: 1, maxLength: 200 }),
  environment: Type.Enum(['LIVE', 'TEST', 'SIMULATOR'], {
    description: "LIVE: instructions move money. TEST: the bank's test system. SIMULATOR: not a bank",
  }),
  capabilities: Type.Array(Type.Enum([...CAPABILITIES]), {
    description:
      'What it does. numbers: issues account numbers. credits: reports money received. payout: pays accounts at any bank. name: knows who holds an account. card, mandate, identity, statement, balance, bill: has those calls',
  }),
  cards: Type.Optional(CardSettings),
  payouts: Type.Optional(PayoutSettings),
  signsAnswers: Type.Optional(
    Type.Boolean({
      description:
        'True: every answer to a signed call has a `cowrie-signature` of its own, over `<cowrie-signature of the call>.<status>.<body>` with a shared key. From then on the gateway treats an answer without one as no answer',
    }),
  ),
})
export type Capabilities = Static<typeof Capabilities>

export const BankBalances = Type.Object({
  accounts: Type.Array(
    Type.Object({
      accountNumber: Type.String({ pattern: '^\\d{10}$' }),
      bankCode: Type.String({ minLength: 1, maxLength: 10 }),
      available: Type.String({
        pattern: '^-?\\d{1,15}\\.\\d{2}$',
        description: 'What can be paid out now, in naira. Negative when overdrawn',
      }),
      at: Type.String({ description: 'ISO 8601, UTC; when the bank said so' }),
    }),
    { maxItems: 100 },
  ),
})
export type BankBalances = Static<typeof BankBalances>

export const NUMBERS_MAX = 500
export const NumbersOrder = Type.Object({
  reference: Type.String({
    pattern: '^[A-Za-z0-9-]{1,60}$',
    description: 'Chosen by the gateway, never used for another order of numbers',
  }),
  count: Type.Integer({ minimum: 1, maximum: NUMBERS_MAX }),
  accountName: Type.String({ minLength: 1, maxLength: 200, description: 'What a payer is shown for these numbers' }),
})
export type NumbersOrder = Static<typeof NumbersOrder>
export const NumbersAnswer = Type.Object({
  reference: Type.String({ description: 'As in the request' }),
  numbers: Type.Array(
    Type.Object({
      accountNumber: Type.String({ pattern: '^\\d{10}$' }),
      bankCode: Type.String({ minLength: 1, maxLength: 10 }),
      validUntil: Type.Union([Type.String({ description: 'ISO 8601, UTC' }), Type.Null()], {
        description: 'ISO 8601, UTC; null: for good',
      }),
    }),
    { maxItems: NUMBERS_MAX, description: 'As many as the bank has issued so far; fewer than ordered is an answer' },
  ),
})
export type NumbersAnswer = Static<typeof NumbersAnswer>
