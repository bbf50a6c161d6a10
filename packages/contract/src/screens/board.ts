// What an operator looks at first: of every cell what is late, what waits for somebody, when the bank's
// statement was last compared, and how payouts went by bank. And which version of program and schema runs. A
// cell that does not answer is shown as such.
import Type from 'typebox'
import { view } from '../kit/act.ts'

const Moment = Type.String({ description: 'ISO 8601, UTC', examples: ['2026-05-02T14:07:31.120Z'] })
const MaybeMoment = Type.Union([Moment, Type.Null()])
const Naira = Type.String({ description: 'Naira as decimal text', examples: ['985.00'] })
const Cell = Type.String({ examples: ['01'] })
const Count = Type.Integer()

/** More is not counted: a queue of this length is a fault whatever its exact length. */
export const COUNTED_MOST = 10_000
/** Of each merchant, the newest of the last hour. */
export const BANK_SAMPLE_MOST = 500

/** A worker looks every second; what is so late has nobody. */
export const ALARM_SECONDS = { timers: 60, deliveries: 60, events: 30 } as const

const Queue = Type.Object({
  due: Type.Integer({ description: `How many are due; ${COUNTED_MOST} means that many or more` }),
  oldestDueAt: MaybeMoment,
  alarmSeconds: Type.Integer({ description: 'Older than this means that nobody works on it' }),
})
const Standing = Type.Object({
  timers: Queue,
  deliveries: Queue,
  events: Queue,
  nextCheckAt: Type.Union([Moment, Type.Null()], {
    description: 'When the books are checked next; null: no timer does',
  }),
  statement: Type.Object({
    comparedDay: Type.Union([Type.String(), Type.Null()], { description: 'Last day that was compared' }),
    comparedAt: MaybeMoment,
    waitingDay: Type.Union([Type.String(), Type.Null()], { description: 'First day that was not' }),
  }),
  settlements: Type.Object({ today: Count, paying: Count, amount: Naira, nextRunAt: MaybeMoment, held: Count }),
  breaks: Type.Object({ open: Count, oldestAt: MaybeMoment }),
  suspense: Type.Object({ items: Count, amount: Naira, oldestAt: MaybeMoment }),
  receivables: Type.Object(
    { merchants: Count, amount: Naira, oldestAt: MaybeMoment },
    { description: 'What merchants owe us' },
  ),
  acquirers: Type.Object(
    { amount: Naira },
    { description: 'What acquirers owe us for card charges; below zero: they have paid more' },
  ),
  disputes: Type.Object(
    { open: Count, dueAt: MaybeMoment },
    { description: 'Disputes of card charges that are not over, and when the first answer is due' },
  ),
  applicants: Type.Integer({ description: 'Merchants that wait for the operator before they go live' }),
  banks: Type.Array(
    Type.Object({
      bankCode: Type.String(),
      sent: Count,
      paid: Count,
      failed: Count,
      unanswered: Count,
      halfMs: Type.Union([Type.Integer(), Type.Null()], { description: 'Half of those that ended took no longer' }),
    }),
    { description: `Payouts of the last hour by bank, at most the newest ${BANK_SAMPLE_MOST} of each merchant` },
  ),
})

const looks = {
  side: 'operator',
  permission: 'operator.work.read',
  concerns: 'installation',
  query: Type.Object({}),
  errors: ['PERMISSION_DENIED'],
} as const
export const showBoard = view({
  ...looks,
  id: 'board.show',
  summary: 'Show of every cell what is late, what waits for somebody, and how payouts went by bank',
  reply: Type.Object({
    at: Moment,
    cells: Type.Array(
      Type.Object({
        cell: Cell,
        standing: Type.Union([Standing, Type.Null()], { description: 'Null: the cell does not answer' }),
      }),
    ),
  }),
})
export const showVersions = view({
  ...looks,
  id: 'versions.show',
  summary: 'Show the version of the program and the schema of every cell',
  reply: Type.Object({
    program: Type.String(),
    identities: Type.String({ description: 'Where people are known: a cell, or a database of its own' }),
    cells: Type.Array(
      Type.Object({
        cell: Cell,
        schema: Type.Union([Type.String(), Type.Null()], {
          description: 'Last migration that was applied; null: the cell does not answer',
        }),
        appliedAt: MaybeMoment,
        missing: Type.Array(Type.String(), { description: 'Migrations of this version that were not applied' }),
      }),
    ),
  }),
})
