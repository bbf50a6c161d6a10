// The audit trail as people read it.
import Type from 'typebox'
import { view } from '../kit/act.ts'

export const TRAIL_PAGE = 100

const Nullable = Type.Union([Type.String(), Type.Null()])
const Masked = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])

export const TrailLine = Type.Object({
  number: Type.String({ description: 'Counts the lines of a merchant, without gaps' }),
  at: Type.String({ description: 'ISO 8601, UTC' }),
  by: Type.Object({
    kind: Type.Enum(['person', 'key', 'command', 'timer']),
    side: Type.Enum(['merchant', 'operator']),
    name: Type.String(),
    role: Nullable,
  }),
  what: Type.String({ description: 'The act, or the route', examples: ['settlements.release'] }),
  title: Type.String({ description: 'The same in words', examples: ['Release what a settlement held'] }),
  reason: Type.String(),
  before: Masked,
  after: Masked,
  address: Nullable,
  requestId: Nullable,
  approval: Nullable,
  concerns: Nullable,
  hash: Type.String({ description: 'SHA-256 over the hash of the line before and this line' }),
})

const Before = Type.String({
  pattern: '^\\d{1,18}$',
  description: 'Lines with a lower number; the newest if not given',
})
const list = {
  id: 'trail.list',
  summary: 'Read the audit trail, newest first',
  reply: Type.Object({
    content: Type.Array(TrailLine),
    next: Type.Union([Type.String(), Type.Null()], { description: '`before` of the next page' }),
  }),
  errors: ['PERMISSION_DENIED', 'FIELD_INVALID'],
} as const

export const listOwnTrail = view({
  ...list,
  side: 'merchant',
  permission: 'trail.read',
  concerns: 'merchant',
  query: Type.Object({
    before: Type.Optional(Before),
    of: Type.Optional(
      Type.Enum(['MERCHANT', 'AGENTS', 'TEAM'], {
        description:
          'MERCHANT, the default: what was done with the merchant, without calls of keys of scope AGENT. AGENTS: all that was done or read with those keys. TEAM: what was done with its people',
      }),
    ),
  }),
})
export const listTrail = view({
  ...list,
  side: 'operator',
  permission: 'operator.trail.read',
  concerns: 'cell',
  query: Type.Object({ before: Type.Optional(Before) }),
})
