// The bank's end-of-day statement: part of the bank connector protocol (connector.ts).
import Type, { type Static } from 'typebox'
import { AmountText } from '../kit/money.ts'

const OrNull = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** What a bank books for us. A kind more is a line here and a source in the gateway
 *  (features/settlements/reconciliation). */
export const STATEMENT_KINDS = {
  CREDIT: 'IN',
  RETURN: 'OUT',
  REVERSAL: 'OUT',
  PAYOUT: 'OUT',
  PAYOUT_REVERSAL: 'IN',
  DEBIT: 'IN',
  FEE: 'OUT',
  TAX: 'OUT',
  LEVY: 'OUT',
  CARD_SETTLEMENT: 'IN',
  SWEEP_OUT: 'OUT',
  SWEEP_IN: 'IN',
} as const
export type StatementKind = keyof typeof STATEMENT_KINDS
/** A kind whose lines go the other way, or that is not in the list: a person decides about it. */
export const OTHER_KIND = 'OTHER'
/** The kinds whose money comes in. */
export const INWARD_KINDS: readonly string[] = Object.entries(STATEMENT_KINDS).flatMap(([kind, way]) =>
  way === 'IN' ? [kind] : [],
)

export const StatementLine = Type.Object({
  line: Type.Integer({ minimum: 1, description: 'Position within the day' }),
  kind: Type.String({
    description:
      "CREDIT: money received. RETURN: a credit returned on instruction of the gateway. REVERSAL: a credit or a debit that the bank reversed. PAYOUT: paid on instruction of the gateway. PAYOUT_REVERSAL: a payout that was returned. DEBIT: collected from a customer on instruction of the gateway. FEE, TAX, LEVY: what the bank charges the gateway, value added tax on it, and a levy of the state. CARD_SETTLEMENT: what a card scheme or an acquirer pays for approved charges. SWEEP_OUT, SWEEP_IN: moved by the gateway's operator to, or from, an account of the gateway at another bank; with the same sessionId on both statements where the banks have one. OTHER: anything else; a person decides about it",
  }),
  direction: Type.Enum(['IN', 'OUT']),
  sessionId: Type.String({
    minLength: 1,
    maxLength: 60,
    description:
      'Session of what was booked, or the reference of its notice of version 2. What the bank books for itself has a reference of its own, never used for another line of its kind. A payout that was returned keeps its session. A payout may also have the `networkReference` that was said of it',
  }),
  ofSessionId: OrNull(
    Type.String({ description: 'For a return or a reversal: the session of the credit that it undoes' }),
  ),
  amount: AmountText,
  bookedAt: Type.String({ description: 'ISO 8601, UTC' }),
  dayOnly: Type.Optional(
    Type.Boolean({
      description:
        'True: the bank says only the day, and `bookedAt` is some moment of that day in West Africa. Money for a number that could be paid to on that day then came in time',
    }),
  ),
  bankCode: OrNull(Type.String()),
  accountNumber: OrNull(Type.String({ description: 'Account of the gateway; null for a payout' })),
  sender: OrNull(
    Type.Object(
      { name: Type.String(), accountNumber: Type.String(), bankCode: Type.String() },
      { description: 'Sender of a credit; null otherwise' },
    ),
  ),
  text: Type.String({ description: "The sender's narration, or the bank's reason" }),
  acquirer: Type.Optional(
    OrNull(
      Type.String({
        minLength: 1,
        maxLength: 60,
        description:
          'For a CARD_SETTLEMENT: the connector whose card charges it pays, by its name in the settings of the gateway (`bank` for the one at BANK_URL). Without it they are those of the connector whose statement it is, or of the only one that charges cards',
      }),
    ),
  ),
})
export type StatementLine = Static<typeof StatementLine>

const BalanceText = (description: string) =>
  Type.String({ pattern: '^-?\\d{1,15}\\.\\d{2}$', description: `${description}. Negative when overdrawn` })

/** The end-of-day statement: every line the bank booked for us on one West African day, in pages. Once the
 *  day is over it does not change. */
export const Statement = Type.Object({
  date: Type.String(),
  count: Type.Integer({ description: 'Number of lines of the whole day' }),
  amountIn: AmountText,
  amountOut: AmountText,
  openingBalance: Type.Optional(
    OrNull(BalanceText('Balance of the gateway at the start of the day: the closing balance of the day before')),
  ),
  closingBalance: Type.Optional(OrNull(BalanceText('Balance of the gateway at the end of the day'))),
  lines: Type.Array(StatementLine),
  next: OrNull(Type.String({ description: 'Null on the last page' })),
})
export type Statement = Static<typeof Statement>
export const STATEMENT_PAGE = 5000
