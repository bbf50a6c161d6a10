// The first screen of a merchant's people: figures of the day, where the money is, and what needs somebody.
// What a role may not see is null.
import Type, { type Static } from 'typebox'
import { transactionMachine } from '../collections/transactions.ts'
import { view } from '../kit/act.ts'
import { AmountNumber } from '../kit/money.ts'

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Moment = Type.String({ description: 'ISO 8601, UTC' })
const Day = Type.String({ description: 'Of West Africa Time', examples: ['2026-11-15'] })
const Counted = { payments: Type.Integer(), amount: AmountNumber }

export const HomeFigures = Type.Object({
  day: Day,
  from: Type.String({ description: 'When the day began; ISO 8601, UTC' }),
  today: Type.Array(
    Type.Object({
      status: Type.Enum(Object.keys(transactionMachine.states)),
      ...Counted,
    }),
    { description: 'Payments that were asked for today, by state; the amount is what was paid of them' },
  ),
  days: Type.Array(Type.Object({ day: Day, from: Moment, ...Counted }), {
    description: 'Seven days, the oldest first: payments that were asked for on that day and paid, and what was paid',
  }),
  waiting: Type.Object(Counted, { description: 'Payments that nobody has paid yet, and what was asked for' }),
  settlement: Nullable(
    Type.Object({
      at: Nullable(Moment),
      amount: AmountNumber,
      held: Type.Boolean(),
      schedule: Type.String(),
      destination: Type.String(),
      bankName: Type.String(),
      accountNumber: Type.String(),
      pending: Type.Object({ amount: AmountNumber }, { description: 'All that was collected and not settled' }),
    }),
  ),
  wallet: Nullable(Type.Object({ amount: AmountNumber, lowBelow: Nullable(AmountNumber) })),
  payouts: Nullable(Type.Object({ amount: AmountNumber }, { description: 'Held for payouts that are on their way' })),
  held: Nullable(
    Type.Object(
      { items: Type.Integer(), amount: AmountNumber, decideBy: Nullable(Moment) },
      { description: 'Money that does not fit' },
    ),
  ),
  endpoints: Nullable(
    Type.Array(Type.Object({ url: Type.String(), status: Type.String(), failingSince: Nullable(Moment) }), {
      description: 'Endpoints that fail, or were disabled because they did',
    }),
  ),
})
export type HomeFigures = Static<typeof HomeFigures>

export const homeFigures = view({
  id: 'home.figures',
  side: 'merchant',
  permission: 'collections.read',
  concerns: 'merchant',
  summary: 'Show the figures of today, of seven days, and what needs somebody',
  query: Type.Object({}),
  reply: HomeFigures,
  errors: ['PERMISSION_DENIED'],
})
