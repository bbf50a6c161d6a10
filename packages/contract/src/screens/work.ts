// Stuck work: what waits for a bank, a biller or a card's issuer, and what an operator may do about it.
import Type from 'typebox'
import { DISPUTE_STATES } from '../bank/v2/disputes.ts'
import { act, MerchantKey, view } from '../kit/act.ts'

const Moment = Type.String({ description: 'ISO 8601, UTC', examples: ['2026-05-02T14:07:31.120Z'] })
const MaybeMoment = Type.Union([Moment, Type.Null()])
const Text = Type.String()
const MaybeText = Type.Union([Text, Type.Null()])

export const WORK_KINDS = [
  'PAYOUT',
  'ORDER',
  'REFUND',
  'CARD_CHARGE',
  'DISPUTE',
  'DEBIT',
  'MANDATE',
  'BILL',
  'RETURN',
] as const
export type WorkKind = (typeof WORK_KINDS)[number]
/** Of these a bank may have confirmed the outcome in another way than by its connector. */
const REPAIRABLE = ['PAYOUT', 'ORDER', 'CARD_CHARGE'] as const
export const REPAIR_AFTER_HOURS = 24

const Reference = Type.String({ minLength: 1, maxLength: 100 })
const WorkItem = Type.Object({
  kind: Type.Enum([...WORK_KINDS]),
  reference: Reference,
  merchant: Type.Union([MerchantKey, Type.Null()]),
  state: Text,
  amount: MaybeText,
  since: Moment,
  ageMinutes: Type.Integer(),
  questions: Type.Union([Type.Integer(), Type.Null()], { description: 'How often the bank was asked' }),
  nextAt: Type.Union([Moment, Type.Null()], {
    description: 'When it is asked next; null: it is not asked any more, and people decide',
  }),
  sessionId: MaybeText,
})

const reads = { side: 'operator', permission: 'operator.work.read' } as const
export const listWork = view({
  ...reads,
  id: 'work.list',
  concerns: 'cell',
  summary: 'List what waits for a bank, timers that are overdue, and deliveries that were given up',
  query: Type.Object({ olderThanMinutes: Type.Optional(Type.String({ maxLength: 7 })) }),
  reply: Type.Object({
    content: Type.Array(WorkItem),
    timers: Type.Array(
      Type.Object({ timer: Text, merchant: MaybeText, subject: Text, dueAt: Moment, attempts: Type.Integer() }),
    ),
    deliveries: Type.Array(
      Type.Object({
        merchant: Text,
        endpoint: Text,
        givenUp: Type.Integer(),
        firstEvent: Text,
        lastAttemptAt: MaybeMoment,
      }),
    ),
  }),
  errors: ['PERMISSION_DENIED'],
})
export const showWork = view({
  ...reads,
  id: 'work.show',
  concerns: 'merchant',
  summary: 'Show one thing that waits, with its path so far',
  query: Type.Object({ kind: Type.Enum([...WORK_KINDS]), reference: Reference }),
  reply: Type.Object({
    work: WorkItem,
    path: Type.Array(Type.Object({ action: Text, from: Text, to: Text, at: Moment })),
  }),
  errors: ['PERMISSION_DENIED', 'WORK_NOT_FOUND'],
})

export const listDisputes = view({
  ...reads,
  id: 'disputes.list',
  concerns: 'cell',
  summary: 'List disputes of card charges that connectors report, the one that is due first before the others',
  query: Type.Object({
    all: Type.Optional(Type.Enum(['true', 'false'], { description: 'true: also those that are over' })),
  }),
  reply: Type.Object({
    content: Type.Array(
      Type.Object({
        reference: Type.String({ description: 'What the acquirer calls it' }),
        connector: Text,
        merchant: Type.Union([MerchantKey, Type.Null()]),
        chargeReference: Text,
        transactionReference: MaybeText,
        amount: Text,
        state: Type.Enum([...DISPUTE_STATES]),
        reasonCode: MaybeText,
        reason: MaybeText,
        dueAt: Type.Union([Moment, Type.Null()], { description: 'Until when the acquirer accepts an answer' }),
        since: Moment,
        changedAt: Moment,
      }),
    ),
  }),
  errors: ['PERMISSION_DENIED'],
})

const repairs = { side: 'operator', permission: 'operator.work.repair', concerns: 'merchant' } as const
export const askAgain = act({
  ...repairs,
  id: 'work.askagain',
  summary: 'Ask the bank now what became of something, rather than when its timer falls due',
  input: Type.Object({ kind: Type.Enum([...WORK_KINDS]), reference: Reference }),
  reply: Type.Object({ asked: Type.Boolean({ description: 'False: it is being asked about already' }) }),
  errors: ['PERMISSION_DENIED', 'WORK_NOT_FOUND'],
})
export const repairWork = act({
  ...repairs,
  id: 'work.repair',
  summary: 'Apply the outcome that a silent bank has confirmed in writing; FAILED only if the bank bars it',
  input: Type.Object({
    kind: Type.Enum([...REPAIRABLE]),
    reference: Reference,
    outcome: Type.Enum(['PAID', 'FAILED'], {
      description: 'Of a card charge only FAILED: the acquirer took nothing, or has given it back',
    }),
    evidence: Type.String({ minLength: 10, maxLength: 500, description: "The bank's letter or message, and its date" }),
  }),
  reply: Type.Object({ reference: Reference, state: Text }),
  errors: ['PERMISSION_DENIED', 'STEP_UP_REQUIRED', 'WORK_NOT_FOUND', 'WRONG_STATE', 'REPAIR_NOT_ALLOWED'],
  approval: 'always',
  stepUp: true,
})
export const resendDeliveries = act({
  ...repairs,
  id: 'deliveries.resend',
  summary: 'Send an event again, or everything that was given up in a span of time',
  input: Type.Object({
    eventId: Type.Optional(Type.String({ maxLength: 60 })),
    startDate: Type.Optional(Type.String({ maxLength: 40 })),
    endDate: Type.Optional(Type.String({ maxLength: 40 })),
  }),
  reply: Type.Object({ recordsFound: Type.Integer() }),
  errors: ['PERMISSION_DENIED', 'FIELD_INVALID', 'EVENT_NOT_FOUND', 'EVENT_BODY_GONE', 'RANGE_INVALID'],
})
