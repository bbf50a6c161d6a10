// The building blocks of the contract: a route, a state machine, an event. Each is plain data; validation,
// OpenAPI, the reference page, the database checks and the tests are derived from it, so no second copy can
// drift.
import type { Static, TSchema } from 'typebox'
import type { ErrorCode } from '../errors/errors.ts'
import type { FeatureName } from './features.ts'
import type { MerchantPermission } from './permissions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Who may call: a merchant by key (login), by token, the bank by signature, or anyone. */
export type Auth = 'basic' | 'bearer' | 'bank' | 'none'

/** What a route names in place of a permission that no key lacks: logging in, the list of banks. */
export const EVERY_KEY = 'every key'
export type RoutePermission = MerchantPermission | typeof EVERY_KEY

/** The fields by which a request names a contract, or an object that belongs to one. */
export const CONTRACT_FIELDS = [
  'contractCode',
  'transactionReference',
  'paymentReference',
  'invoiceReference',
  'accountReference',
  'mandateCode',
  'paymentLinkCode',
] as const
export type ContractField = (typeof CONTRACT_FIELDS)[number]

/** A route that a merchant calls names what the caller must be allowed to; limited API keys are held against
 *  it. */
type Permitted =
  | { readonly auth: 'basic' | 'bearer'; readonly permission: RoutePermission }
  | { readonly auth: 'bank' | 'none'; readonly permission?: never }

export type Route = Permitted & {
  readonly id: string
  readonly method: Method
  /** With `{name}` for path parameters. */
  readonly path: string
  readonly group: string
  readonly summary: string
  readonly description?: string
  readonly query?: TSchema
  readonly body?: TSchema
  /** The body is an array; one object alone counts as an array of one. */
  readonly oneOrMany?: true
  /** What `responseBody` holds. */
  readonly reply: TSchema
  readonly errors: readonly ErrorCode[]
  /** An Idempotency-Key has no meaning here: a repeat is a request of its own. */
  readonly noIdempotencyKey?: true
  /** It moves money. Where no answer came, `ask` is the id of the route that tells what became of it: its
   *  field `by` takes what the request has in the field of the same name, or in `from`. */
  readonly outcome?: { readonly ask: string; readonly by: string; readonly from?: string }
  /** Exists in the sandbox only; answers 404 in live. */
  readonly sandbox?: true
  /** Where an API key that is limited to contracts finds which one it is about: it must be one of its own,
   *  wherever the field stands. Without this, such a key is refused. */
  readonly contractFields?: readonly ContractField[]
  /** A limited key for agents may call it, though it lacks the permission: what it asks for then waits for
   *  one of the merchant's people, whatever the amount. */
  readonly proposable?: true
  /** A change of settings, keys or destinations: kept in the audit trail, with who and from where. */
  readonly trail?: true
  /** It changes nothing, and what it answers is money in other hands, or everybody's data: people show again
   *  who they are, as for a change. */
  readonly proved?: true
  /** It is not in the request log: it reads that. */
  readonly unlogged?: true
  /** Only for merchants who were granted this feature. */
  readonly feature?: FeatureName
  /** Fields of the body that must not be stored in any form, not even as a digest. */
  readonly secretFields?: readonly string[]
  /** The answer tells who somebody is: what is kept of it for an Idempotency-Key is sealed. */
  readonly sealsAnswer?: true
  /** Bytes that a body may have, where it is more than 64 kB. */
  readonly bodyBytesMax?: number
  /** The error code for a request from an address that is not allowed, where the interface has a special
   *  one. */
  readonly addressErrorCode?: ErrorCode
  /** Keys and items that a body may have, where it is more than a thousand. */
  readonly bodyKeysMax?: number
  /** The interface lists no 422 for this route: a 422 is answered with this status. */
  readonly status422As?: 400
  /** The media type of an answer that is a file and comes without the envelope. */
  readonly file?: string
}

export const route = <const R extends Route>(spec: R): R => spec

export type BodyOf<R extends Route> = R['body'] extends TSchema ? Static<R['body']> : undefined
export type QueryOf<R extends Route> = R['query'] extends TSchema ? Static<R['query']> : undefined
export type ReplyOf<R extends Route> = Static<R['reply']>

export type State = {
  /** One sentence for a person. */
  readonly says: string
  /** Who has to act for it to end. A state that waits for nobody is final. */
  readonly waits?: 'payer' | 'merchant' | 'bank' | 'operator' | 'beneficiary'
  /** After how long the gateway acts automatically. */
  readonly minutesMax?: number
  /** The timers that end it, each where it applies; the sweeper finds an object that waits without one and
   *  restores it. */
  readonly timers?: readonly string[]
  /** It ends together with an object of this machine, which has the timers. */
  readonly follows?: string
}

export type Move = {
  readonly on: string
  readonly from: readonly string[]
  readonly to: string
  /** The event that is sent to the merchant. */
  readonly emits?: string
  /** The move carries a posting in the ledger. */
  readonly books?: true
}

export type Machine = {
  readonly name: string
  readonly table: string
  /** The state of a new object, or those it may begin in. */
  readonly start: string | readonly string[]
  readonly states: Readonly<Record<string, State>>
  readonly moves: readonly Move[]
}

export const listStarts = (spec: Machine): readonly string[] =>
  typeof spec.start === 'string' ? [spec.start] : spec.start

export const machine = <const M extends Machine>(spec: M): M => {
  for (const move of spec.moves) {
    for (const state of [...move.from, move.to]) {
      if (!(state in spec.states)) throw new Error(`${spec.name}: move ${move.on} names the unknown state ${state}`)
    }
  }
  return spec
}

export type StateOf<M extends Machine> = keyof M['states'] & string
export type ActionOf<M extends Machine> = M['moves'][number]['on']
export type MoveOn<M extends Machine, A extends ActionOf<M>> = Extract<M['moves'][number], { on: A }>

/** The kinds of address a merchant can set for its notifications. */
export const WEBHOOK_KINDS = [
  'transactionCompletion',
  'refundCompletion',
  'disbursement',
  'settlement',
  'mandate',
  'walletActivity',
  'rejectedPayment',
] as const
export type WebhookKind = (typeof WEBHOOK_KINDS)[number]

export type EventSpec = {
  readonly type: string
  /** The address it goes to; null when it is sent only to endpoints that chose it. */
  readonly goesTo: WebhookKind | null
  readonly summary: string
  readonly data: TSchema
  /** What is sent as `metaData` in addition to `eventData`; most events have none. */
  readonly metaData?: TSchema
  /** Whole bodies without `eventType`, as they are sent. */
  readonly samples: readonly [EventSample, ...EventSample[]]
}
export type EventSample = { readonly eventData: object; readonly metaData?: object }
/** Samples are checked against the schema by the compiler, and by a test. */
export const event = <
  const T extends string,
  const G extends WebhookKind | null,
  D extends TSchema,
  M extends TSchema = never,
>(spec: {
  readonly type: T
  readonly goesTo: G
  readonly summary: string
  readonly data: D
  readonly metaData?: M
  readonly samples: readonly [
    { readonly eventData: Static<D> & object; readonly metaData?: Static<M> & object },
    ...{ readonly eventData: Static<D> & object; readonly metaData?: Static<M> & object }[],
  ]
}) => spec
export type EventData<E extends EventSpec> = Static<E['data']>
/** The extra argument of an event that has `metaData`. */
export type EventMetaArg<E extends EventSpec> = [NonNullable<E['metaData']>] extends [never]
  ? []
  : [metaData: Static<NonNullable<E['metaData']>> & object]
