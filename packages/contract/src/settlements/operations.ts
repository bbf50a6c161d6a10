// What an operator does about settlements: looks at what would be paid and what was, holds a merchant and
// releases it, adds holidays.
import Type from 'typebox'
import { act, view } from '../kit/act.ts'

const Moment = Type.String({ description: 'ISO 8601, UTC', examples: ['2026-05-02T14:07:31.120Z'] })
const Naira = Type.String({ description: 'Naira as decimal text', examples: ['985.00'] })
const Text = Type.String()
const Day = Type.String({
  minLength: 10,
  maxLength: 10,
  description: 'Day of West Africa Time',
  examples: ['2026-12-24'],
})
const MaybeText = Type.Union([Text, Type.Null()])

export const WouldPay = Type.Object({
  merchant: Text,
  subAccount: MaybeText,
  amount: Naira,
  lines: Type.Integer(),
  destination: Text,
})

export const holdSettlements = act({
  id: 'settlements.hold',
  side: 'operator',
  permission: 'operator.settlements.hold',
  concerns: 'merchant',
  summary: 'Hold the settlements of a merchant and its sub accounts',
  input: Type.Object({}),
  reply: Type.Object({ merchant: Text, heldSince: Moment }),
  errors: ['PERMISSION_DENIED', 'FIELD_MISSING', 'WRONG_STATE'],
})
export const releaseSettlements = act({
  id: 'settlements.release',
  side: 'operator',
  permission: 'operator.settlements.release',
  concerns: 'merchant',
  summary: 'Release the settlements of a merchant that is held',
  input: Type.Object({}),
  reply: Type.Object({ merchant: Text, heldSince: Moment }),
  errors: ['PERMISSION_DENIED', 'STEP_UP_REQUIRED', 'WRONG_STATE'],
  approval: 'always',
  stepUp: true,
  dryRun: true,
})
export const addHoliday = act({
  id: 'holidays.add',
  side: 'operator',
  permission: 'operator.calendar.write',
  concerns: 'cell',
  summary: 'Add a day on which T+1 does not pay; one of the next two working days needs a second person',
  input: Type.Object({ day: Day, name: Type.String({ minLength: 2, maxLength: 100 }) }),
  reply: Type.Object({ day: Day, name: Text }),
  errors: ['PERMISSION_DENIED', 'FIELD_INVALID', 'WRONG_STATE'],
  approval: 'sometimes',
})

const reads = { side: 'operator', permission: 'operator.settlements.read', concerns: 'cell' } as const
export const previewSettlements = view({
  ...reads,
  id: 'settlements.preview',
  summary: 'Show what a settlement run would pay now, to one merchant or to all; nothing is paid',
  query: Type.Object({}),
  reply: Type.Object({ content: Type.Array(WouldPay), total: Naira }),
  errors: ['PERMISSION_DENIED', 'MERCHANT_UNKNOWN'],
})
export const listHeldSettlements = view({
  ...reads,
  id: 'settlements.held',
  summary: 'List the merchants whose settlements are held',
  query: Type.Object({}),
  reply: Type.Object({
    content: Type.Array(Type.Object({ merchant: Text, name: Text, reason: Text, since: Moment })),
  }),
  errors: ['PERMISSION_DENIED'],
})
export const listSettlementRuns = view({
  ...reads,
  id: 'settlements.runs',
  summary: 'List what was settled, day by day, newest first, and when the next run is due',
  query: Type.Object({}),
  reply: Type.Object({
    nextRunAt: Type.Union([Moment, Type.Null()]),
    content: Type.Array(
      Type.Object({
        day: Day,
        settlements: Type.Integer(),
        amount: Naira,
        paying: Type.Integer(),
        completed: Type.Integer(),
        returned: Type.Integer(),
      }),
    ),
  }),
  errors: ['PERMISSION_DENIED'],
})
export const listReceivables = view({
  ...reads,
  id: 'receivables.list',
  summary: 'List the merchants that owe money which a bank reversed',
  query: Type.Object({}),
  reply: Type.Object({
    content: Type.Array(Type.Object({ merchant: Text, name: Text, amount: Naira, since: Moment })),
    total: Naira,
  }),
  errors: ['PERMISSION_DENIED'],
})
