// What an operator does about breaks: gives one to somebody, closes what needs no posting, and corrects our
// books. A correction is one of a few kinds whose postings we wrote; nobody posts freely.
import Type from 'typebox'
import { act, MerchantKey, view } from '../kit/act.ts'

const Moment = Type.String({ description: 'ISO 8601, UTC', examples: ['2026-05-02T14:07:31.120Z'] })
const Text = Type.String()
const MaybeText = Type.Union([Text, Type.Null()])
const Naira = Type.String({ minLength: 1, maxLength: 17, description: 'Naira as decimal text', examples: ['50.00'] })
const BreakId = Type.String({
  minLength: 1,
  maxLength: 19,
  description: 'Number of the break',
  examples: ['202611000000010007'],
})

/** How our books can be brought to the bank's. Each moves our bank account by exactly the difference of its
 *  break. */
const CORRECTION_KINDS = {
  BANK_CHARGE: 'The bank charged us: our own account of differences bears it.',
  BANK_CREDIT: 'The bank credited us with something of its own, such as interest: it is ours.',
  TO_SUSPENSE: 'A credit that our books do not have and nobody owns: into suspense, where it is decided on.',
  TO_MERCHANT: 'The bank holds more than our books say, and it is a merchant’s: into its wallet.',
  FROM_MERCHANT:
    'A merchant was credited with money that the bank did not pay, or took back: out of its wallet, and what that does not hold is owed.',
  WRITE_OFF: 'A difference that nobody will make good: our own account of differences bears it.',
  TO_BILLERS: 'We paid billers what we owed them for bills.',
  TO_AGENTS: 'We paid agents what we owed them for cash.',
  FEES_OUT: 'We moved fees that we have earned to another account of ours.',
} as const
export type CorrectionKind = keyof typeof CORRECTION_KINDS
const CORRECTIONS = Object.keys(CORRECTION_KINDS) as CorrectionKind[]

const BreakView = Type.Object({
  id: BreakId,
  class: Text,
  kind: Text,
  sessionId: Text,
  state: Text,
  ageDays: Type.Integer(),
  day: Text,
  merchant: Type.Union([MerchantKey, Type.Null()]),
  bank: MaybeText,
  ours: MaybeText,
  says: Text,
  assignedTo: MaybeText,
  done: MaybeText,
  approval: MaybeText,
})
const StatementLine = Type.Object({
  day: Text,
  at: Moment,
  direction: Type.Enum(['IN', 'OUT']),
  amount: Naira,
  bankCode: MaybeText,
  accountNumber: MaybeText,
  name: Type.Union([Text, Type.Null()], { description: 'Of the sender' }),
  narration: Type.Union([Text, Type.Null()], { description: 'What the bank wrote beside it' }),
})
const PostingEntry = Type.Object({ account: Text, amount: Naira })
const CorrectionView = Type.Object({
  break: BreakId,
  correction: Type.Enum(CORRECTIONS),
  amount: Naira,
  posting: Text,
  entries: Type.Array(PostingEntry),
})

const writes = { side: 'operator', permission: 'operator.breaks.write', concerns: 'cell' } as const
export const assignBreak = act({
  ...writes,
  id: 'breaks.assign',
  summary: 'Give a break to an operator',
  input: Type.Object({ id: BreakId, to: Type.String({ minLength: 3, maxLength: 254, description: 'E-mail address' }) }),
  reply: Type.Object({ id: BreakId, assignedTo: Text }),
  errors: ['PERMISSION_DENIED', 'MEMBER_UNKNOWN', 'BREAK_NOT_FOUND', 'WRONG_STATE'],
})
export const closeBreak = act({
  ...writes,
  id: 'breaks.close',
  summary: 'Close a break that needs no posting; the reason says what explains it. With a difference it takes two',
  input: Type.Object({ id: BreakId }),
  reply: Type.Object({ id: BreakId, state: Text }),
  errors: ['PERMISSION_DENIED', 'STEP_UP_REQUIRED', 'FIELD_MISSING', 'BREAK_NOT_FOUND', 'WRONG_STATE'],
  approval: 'sometimes',
  approvedWith: 'operator.books.correct',
  stepUp: true,
})
export const correctBreak = act({
  id: 'breaks.resolve',
  side: 'operator',
  permission: 'operator.books.correct',
  concerns: 'cell',
  summary: 'Resolve a break with a correcting entry of its whole difference',
  input: Type.Object({
    id: BreakId,
    correction: Type.Enum(CORRECTIONS),
    amount: Type.String({
      minLength: 1,
      maxLength: 17,
      description: 'The difference in naira, said again: another amount is refused',
    }),
  }),
  reply: CorrectionView,
  errors: [
    'PERMISSION_DENIED',
    'STEP_UP_REQUIRED',
    'BREAK_NOT_FOUND',
    'WRONG_STATE',
    'AMOUNT_INVALID',
    'CORRECTION_NOT_ALLOWED',
    'CORRECTION_AMOUNT',
    'MERCHANT_UNKNOWN',
    'INSUFFICIENT_FUNDS',
  ],
  approval: 'always',
  stepUp: true,
  dryRun: true,
})
export const undoCorrection = act({
  id: 'breaks.undo',
  side: 'operator',
  permission: 'operator.books.correct',
  concerns: 'cell',
  summary: 'Undo the correction of a break: its mirror is posted, and the break is open again',
  input: Type.Object({ id: BreakId }),
  reply: Type.Object({ break: BreakId, posting: Text, entries: Type.Array(PostingEntry) }),
  errors: ['PERMISSION_DENIED', 'STEP_UP_REQUIRED', 'BREAK_NOT_FOUND', 'WRONG_STATE', 'MERCHANT_UNKNOWN'],
  approval: 'always',
  stepUp: true,
  dryRun: true,
})

const reads = { side: 'operator', permission: 'operator.books.read', concerns: 'cell' } as const
export const listBreaksView = view({
  ...reads,
  id: 'breaks.list',
  summary: 'List differences with the bank, the oldest first',
  query: Type.Object({
    all: Type.Optional(Type.Enum(['true', 'false'], { description: 'Also those that are resolved' })),
    assignedTo: Type.Optional(Text),
  }),
  reply: Type.Object({ content: Type.Array(BreakView) }),
  errors: ['PERMISSION_DENIED'],
})
export const showBreakView = view({
  ...reads,
  id: 'breaks.show',
  summary: 'Show a break, and the corrections that it allows',
  query: Type.Object({ id: BreakId }),
  reply: Type.Object({
    break: BreakView,
    difference: Type.Union([Naira, Type.Null()], { description: 'What the bank holds beyond our books' }),
    corrections: Type.Array(Type.Enum(CORRECTIONS)),
    why: MaybeText,
    openedAt: Moment,
    line: Type.Union([StatementLine, Type.Null()], {
      description: 'The first line of its session; null: the bank has none',
    }),
    state: Type.Union([Text, Type.Null()], { description: 'What our books have under its session' }),
  }),
  errors: ['PERMISSION_DENIED', 'BREAK_NOT_FOUND'],
})
