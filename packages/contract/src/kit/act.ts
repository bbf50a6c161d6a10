// What people do and look at, declared once. An act changes something, a view shows something; each names the
// one permission it needs. From these are derived: the routes (POST /operator/v1/acts/<id>, GET
// /operator/v1/views/<id>, the same below /dashboard/v1 for a merchant's people), the commands
// (`cowrie admin settlements release …` of the id `settlements.release`), the check of permission, step-up
// and second person, the line in the audit trail, and the table test over all roles.
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { ErrorCode } from '../errors/errors.ts'
import type { Permission, Side } from './permissions.ts'

/** Where it happens and is kept: with a merchant's cell, in one cell, or in the database of identities. */
export type Concern = 'merchant' | 'cell' | 'installation'

export type Act = {
  /** Two words, noun and verb: `settlements.release`. Unique per side. */
  readonly id: string
  readonly side: Side
  readonly permission: Permission
  readonly concerns: Concern
  /** One sentence in the imperative; help text of the command. */
  readonly summary: string
  readonly input: TObject
  readonly reply: TSchema
  readonly errors: readonly ErrorCode[]
  /** A second person must approve: always, or where the handler finds that this call needs it. */
  readonly approval?: 'always' | 'sometimes'
  /** Who may approve; the act's own permission if not given. */
  readonly approvedWith?: Permission
  /** Asks for a proof of identity that is not older than five minutes. */
  readonly stepUp?: true
  /** Can be tried without changing anything. */
  readonly dryRun?: true
  /** What a trial shows, where it is something else than the reply. */
  readonly preview?: TSchema
  /** Fields of the input or the reply that are never stored or logged in any form. */
  readonly secretFields?: readonly string[]
}

export type View = {
  readonly id: string
  readonly side: Side
  readonly permission: Permission
  readonly concerns: Concern
  readonly summary: string
  readonly query: TObject
  readonly reply: TSchema
  readonly errors: readonly ErrorCode[]
}

export const act = <const A extends Act>(spec: A): A => spec
export const view = <const V extends View>(spec: V): V => spec

export type InputOf<A extends Act> = Static<A['input']>
export type ActReplyOf<A extends Act> = Static<A['reply']>
export type ViewQueryOf<V extends View> = Static<V['query']>
export type ViewReplyOf<V extends View> = Static<V['reply']>

/** Which merchant: its API key, as everywhere at the operator's. A merchant's own people never say it. */
export const MerchantKey = Type.String({ minLength: 1, maxLength: 64, description: 'API key of the merchant' })
export const Reason = Type.String({ minLength: 3, maxLength: 500, description: 'Why; kept in the audit trail' })

/** What every act is sent with. */
export const ActBody = Type.Object({
  merchant: Type.Optional(MerchantKey),
  cell: Type.Optional(Type.String({ pattern: '^\\d\\d$' })),
  input: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  reason: Type.Optional(Reason),
  dryRun: Type.Optional(Type.Boolean()),
  /** A passkey's assertion whose challenge is the digest of this act. */
  proof: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
/** What every act answers: done with its reply, waiting for a second person, or what it would do. */
export const ACT_OUTCOMES = ['DONE', 'WAITING', 'WOULD'] as const
export type ActOutcome = (typeof ACT_OUTCOMES)[number]
