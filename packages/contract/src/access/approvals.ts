// Approvals: what needs two people waits for the second one. What the interface promises.
import Type from 'typebox'
import { act, Reason, view } from '../kit/act.ts'
import { machine } from '../kit/spec.ts'
import { EXPIRE_APPROVAL } from '../kit/timers.ts'

/** How long somebody may decide. */
export const APPROVAL_DAYS = 7

export const approvalMachine = machine({
  name: 'approval',
  table: 'approvals',
  start: 'WAITING',
  states: {
    WAITING: {
      says: 'One person has asked for an act that needs two; nothing of it is done.',
      waits: 'operator',
      timers: [EXPIRE_APPROVAL],
    },
    EXECUTED: { says: 'Somebody else has approved it, and it was done in the same moment.' },
    REJECTED: { says: 'Rejected; it is not done.' },
    EXPIRED: { says: 'Nobody decided in time; it is not done.' },
  },
  moves: [
    { on: 'approve', from: ['WAITING'], to: 'EXECUTED' },
    { on: 'reject', from: ['WAITING'], to: 'REJECTED' },
    { on: 'expire', from: ['WAITING'], to: 'EXPIRED' },
  ],
})
const APPROVAL_STATES = Object.keys(approvalMachine.states) as (keyof (typeof approvalMachine)['states'])[]

const Moment = Type.String({ description: 'ISO 8601, UTC', examples: ['2026-05-02T14:07:31.120Z'] })
const Person = Type.Object({ kind: Type.String(), name: Type.String() })
const ApprovalReference = Type.String({ minLength: 7, maxLength: 40, examples: ['CWAP01202611000000010007'] })

export const ApprovalRecord = Type.Object({
  reference: ApprovalReference,
  act: Type.String({ examples: ['settlements.release'] }),
  merchant: Type.Union([Type.String(), Type.Null()], { description: 'API key of the merchant it is about' }),
  input: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The whole act. Of a merchant: masked for whoever may neither approve it nor see personal data',
  }),
  state: Type.Enum(APPROVAL_STATES),
  requestedBy: Person,
  reason: Type.String(),
  requestSigned: Type.Boolean({ description: 'Whether a passkey of whoever asked has signed exactly this act' }),
  requestedAt: Moment,
  expiresAt: Moment,
  decidedBy: Type.Union([Person, Type.Null()]),
  decidedAt: Type.Union([Moment, Type.Null()]),
  decisionReason: Type.Union([Type.String(), Type.Null()]),
  decisionSigned: Type.Boolean({
    description: 'Whether a passkey of whoever decided has signed exactly this decision',
  }),
  mayApprove: Type.Boolean({ description: 'Whether whoever looks may approve it' }),
})

const listQuery = Type.Object({
  state: Type.Optional(Type.Enum(APPROVAL_STATES)),
  before: Type.Optional(ApprovalReference),
})
const list = {
  id: 'approvals.list',
  summary: 'List what waits for a second person, and what was decided; newest first',
  query: listQuery,
  reply: Type.Object({ content: Type.Array(ApprovalRecord) }),
  errors: ['PERMISSION_DENIED', 'FIELD_INVALID'],
} as const
const show = {
  id: 'approvals.show',
  summary: 'Show one approval',
  query: Type.Object({ reference: ApprovalReference }),
  reply: ApprovalRecord,
  errors: ['PERMISSION_DENIED', 'APPROVAL_UNKNOWN'],
} as const
const decision = {
  input: Type.Object({ reference: ApprovalReference, reason: Type.Optional(Reason) }),
  reply: Type.Object({ reference: ApprovalReference, state: Type.Enum(APPROVAL_STATES), reply: Type.Unknown() }),
  errors: [
    'PERMISSION_DENIED',
    'STEP_UP_REQUIRED',
    'APPROVAL_UNKNOWN',
    'APPROVAL_OVER',
    'APPROVAL_OWN',
    'APPROVER_NEW',
    'APPROVAL_STALE',
  ],
  stepUp: true,
} as const
const approve = {
  ...decision,
  id: 'approvals.approve',
  summary: 'Approve what somebody else asked for, and do it',
} as const
const reject = { ...decision, id: 'approvals.reject', summary: 'Reject what was asked for' } as const
const ofMerchant = { side: 'merchant', permission: 'approvals.read', concerns: 'merchant' } as const
const ofOperator = { side: 'operator', permission: 'operator.approvals.read', concerns: 'installation' } as const

export const listApprovals = view({ ...list, ...ofMerchant })
export const showApproval = view({ ...show, ...ofMerchant })
export const approveOwn = act({ ...approve, ...ofMerchant })
export const rejectOwn = act({ ...reject, ...ofMerchant })
export const listAllApprovals = view({ ...list, ...ofOperator })
export const showAnyApproval = view({ ...show, ...ofOperator })
export const approveAny = act({ ...approve, ...ofOperator })
export const rejectAny = act({ ...reject, ...ofOperator })
