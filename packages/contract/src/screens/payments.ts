// One payment whole, as a merchant's people look at it: the money, everything that happened, and what can be
// done now. The public interface tells the same in many calls.
import Type, { type Static, type TSchema } from 'typebox'
import { StatusRecord } from '../collections/transactions.ts'
import { view } from '../kit/act.ts'
import { AmountNumber } from '../kit/money.ts'

const Text = Type.String()
const Moment = Type.String({ description: 'ISO 8601, UTC', examples: ['2026-05-02T14:07:31.120Z'] })
const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
/** So many rows of a kind are shown; `total` counts all of them. */
export const SHOWN_MAX = 50
const Rows = <T extends TSchema>(row: T) => Type.Object({ total: Type.Integer(), rows: Type.Array(row) })

const StateChange = Type.Object({
  at: Moment,
  object: Type.Enum(['transaction', 'refund', 'suspense_item']),
  reference: Type.String({ description: 'Of the object' }),
  action: Text,
  from: Text,
  state: Text,
})
const BankCredit = Type.Object({
  at: Moment,
  sessionId: Text,
  outcome: Type.Enum(['COUNTED', 'SUSPENDED', 'TOPPED_UP']),
  amount: AmountNumber,
  accountName: Text,
  accountNumber: Type.String({ description: 'Masked except for the last four digits' }),
  bankCode: Text,
  bankName: Text,
})
const BankReversal = Type.Object({
  at: Moment,
  sessionId: Type.String({ description: 'Of the credit' }),
  reference: Text,
  amount: AmountNumber,
  cause: Text,
})
const CardCharge = Type.Object({
  at: Moment,
  completedAt: Nullable(Moment),
  reference: Text,
  state: Text,
  amount: AmountNumber,
  cardType: Nullable(Text),
  last4: Text,
  bankName: Nullable(Text),
  code: Nullable(Text),
  message: Nullable(Text),
})
const HeldMoney = Type.Object({ at: Moment, id: Text, state: Text, amount: AmountNumber, cause: Text })
const PostingShown = Type.Object({
  at: Moment,
  id: Text,
  kind: Text,
  object: Text,
  entries: Type.Array(
    Type.Object({
      ledger: Type.String({ description: 'Kind of the ledger account' }),
      party: Type.String({ description: 'Ours, yours, or the code of the sub account' }),
      amount: AmountNumber,
    }),
  ),
})
const EventShown = Type.Object({
  at: Moment,
  eventId: Text,
  number: Nullable(Type.Integer({ description: 'Null for the moment before it is numbered' })),
  eventType: Text,
  object: Text,
  body: Type.Unknown(),
  receiptSentAt: Nullable(Type.String({ description: 'When the receipt about it was mailed' })),
})
const AttemptShown = Type.Object({
  at: Moment,
  eventId: Text,
  url: Text,
  attempt: Type.Integer(),
  status: Nullable(Type.Integer({ description: 'Null when there was no response' })),
  durationMs: Type.Integer(),
  error: Nullable(Text),
  answer: Nullable(Text),
})
const DeliveryShown = Type.Object({
  eventId: Text,
  url: Text,
  state: Type.Enum(['PENDING', 'DELIVERED', 'GIVEN_UP']),
  nextAttemptAt: Nullable(Moment),
})
const RequestShown = Type.Object({
  at: Moment,
  method: Text,
  path: Text,
  route: Text,
  status: Type.Integer(),
  ms: Type.Integer(),
  requestId: Text,
  code: Nullable(Text),
})
const PersonShown = Type.Object({
  at: Moment,
  name: Type.String({ description: 'Who' }),
  role: Nullable(Text),
  what: Type.String({ description: 'The act, or the route' }),
  requestId: Nullable(Text),
  number: Type.String({ description: 'Of the line in the audit trail' }),
})
const RefundShown = Type.Object({
  at: Moment,
  completedAt: Nullable(Moment),
  refundReference: Text,
  reference: Text,
  state: Text,
  amount: AmountNumber,
  fee: AmountNumber,
  refundReason: Text,
})
const SettlementShown = Type.Object({
  party: Type.String({ description: 'Yours, or the code of the sub account' }),
  amount: AmountNumber,
  settlementReference: Nullable(Type.String({ description: 'Null while it is not settled' })),
  state: Nullable(Text),
  at: Nullable(Moment),
  completedAt: Nullable(Moment),
})

/** Kinds of row that a role may lack the permission for. */
export const UNSEEN = ['EVENTS', 'REQUESTS', 'PEOPLE', 'REFUNDS', 'SETTLEMENTS'] as const
const CAN = ['REFUND', 'RESEND', 'CANCEL'] as const

export const showPayment = view({
  id: 'payments.show',
  side: 'merchant',
  permission: 'collections.read',
  concerns: 'merchant',
  summary: 'Show one payment with everything that happened to it',
  query: Type.Object({
    reference: Type.String({ minLength: 1, maxLength: 100, description: 'Its transaction reference' }),
  }),
  reply: Type.Object({
    payment: StatusRecord,
    createdAt: Moment,
    expiresAt: Moment,
    closedAt: Nullable(Moment),
    flagged: Type.Boolean({ description: 'A bank reversed money of it' }),
    checkoutUrl: Nullable(Type.String({ description: 'While it takes money' })),
    page: Nullable(
      Type.Object(
        {
          origin: Text,
          path: Text,
          namedAmount: Type.Boolean({ description: "The page named the amount, not the merchant's server" }),
        },
        { description: 'The web page that opened it in the payer’s browser' },
      ),
    ),
    account: Nullable(
      Type.Object({ accountNumber: Text, bankName: Text, at: Moment }, { description: 'Issued to be paid into' }),
    ),
    money: Type.Object({
      asked: AmountNumber,
      payable: AmountNumber,
      paid: AmountNumber,
      fee: AmountNumber,
      payerBearsFee: Type.Boolean(),
      shares: Type.Array(Type.Object({ subAccountCode: Text, amount: AmountNumber })),
      reversed: AmountNumber,
      yours: AmountNumber,
      refunded: Nullable(AmountNumber),
      refunding: Nullable(AmountNumber),
    }),
    settlements: Type.Array(SettlementShown),
    states: Rows(StateChange),
    credits: Rows(BankCredit),
    reversals: Rows(BankReversal),
    charges: Rows(CardCharge),
    held: Rows(HeldMoney),
    postings: Rows(PostingShown),
    events: Rows(EventShown),
    deliveries: Type.Array(DeliveryShown),
    attempts: Rows(AttemptShown),
    requests: Rows(RequestShown),
    persons: Rows(PersonShown),
    refunds: Rows(RefundShown),
    unseen: Type.Array(Type.Enum([...UNSEEN]), { description: 'Kinds that the role of the caller may not see' }),
    can: Type.Array(
      Type.Object({
        what: Type.Enum([...CAN]),
        possible: Type.Boolean(),
        why: Type.String({ description: 'Why not; empty where it is possible' }),
        most: Nullable(AmountNumber),
      }),
    ),
  }),
  errors: ['PERMISSION_DENIED', 'TRANSACTION_NOT_FOUND'],
})
export type PaymentView = Static<(typeof showPayment)['reply']>
