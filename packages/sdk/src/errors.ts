// Everything that can go wrong, as classes. Whoever catches asks `instanceof` what kind it is and `code` what
// exactly.
//   CowrieError
//     Refused            the gateway refused: InvalidRequest, NotAuthenticated, NotAllowed, NotFound,
//       Conflict, RateLimited, GatewayFault
//     NoAnswer           no connection, a lost one, or no answer in time
//     UnreadableAnswer   something answered that is not the gateway
//     OutcomeUnknown     one of the two above, for a call that moves money: it may have moved
//     NotVerified        a notification that is not to be believed
import type { ErrorCode } from './generated/types.ts'

/** Known codes are suggested; a newer gateway may know more. */
export type Code = ErrorCode | (string & {})

export class CowrieError extends Error {
  override readonly name: string = 'CowrieError'
  readonly code: Code
  /** Of the answer; null when there was none. */
  readonly status: number | null = null
  readonly docUrl: string | null = null
  /** Quote it to support. */
  readonly requestId: string | null = null

  constructor(code: Code, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

export type Fault = {
  readonly field: string
  readonly code: Code
  readonly message: string
  /** What was probably meant. */
  readonly hint?: string
}
export type Refusal = {
  readonly status: number
  readonly code: Code
  /** `responseMessage`: the reason as a sentence. */
  readonly sentence: string
  readonly responseCode: string
  readonly hint: string | null
  readonly field: string | null
  readonly docUrl: string | null
  readonly requestId: string | null
  readonly faults: readonly Fault[]
  readonly retryAfterMs: number | null
}

/** The gateway answered, and refused. */
export class Refused extends CowrieError {
  override readonly name: string = 'Refused'
  override readonly status: number
  override readonly docUrl: string | null
  override readonly requestId: string | null
  readonly sentence: string
  readonly responseCode: string
  readonly hint: string | null
  /** The invalid field, where there is one. */
  readonly field: string | null
  /** Every invalid field of the body. */
  readonly faults: readonly Fault[]
  /** When the gateway asks to be left alone for a while. */
  readonly retryAfterMs: number | null

  constructor(refusal: Refusal) {
    const { code, sentence, hint, requestId } = refusal
    const details = [code, ...(requestId === null ? [] : [`request ${requestId}`])].join(', ')
    super(code, `${sentence.replace(/\.$/, '')} (${details}).${hint === null ? '' : ` ${hint}`}`)
    this.status = refusal.status
    this.docUrl = refusal.docUrl
    this.requestId = requestId
    this.sentence = sentence
    this.responseCode = refusal.responseCode
    this.hint = hint
    this.field = refusal.field
    this.faults = refusal.faults
    this.retryAfterMs = refusal.retryAfterMs
  }
}
/** 400, 422: change the request. */
export class InvalidRequest extends Refused {
  override readonly name = 'InvalidRequest'
}
/** 401: wrong keys. An expired token is renewed by the SDK and does not show. */
export class NotAuthenticated extends Refused {
  override readonly name = 'NotAuthenticated'
}
/** 403: this key, this network address or this merchant may not. */
export class NotAllowed extends Refused {
  override readonly name = 'NotAllowed'
}
export class NotFound extends Refused {
  override readonly name = 'NotFound'
}
export class Conflict extends Refused {
  override readonly name = 'Conflict'
}
/** 429, after every retry. */
export class RateLimited extends Refused {
  override readonly name = 'RateLimited'
}
/** 5xx, after every retry. */
export class GatewayFault extends Refused {
  override readonly name = 'GatewayFault'
}

const BY_STATUS: ReadonlyMap<number, typeof Refused> = new Map<number, typeof Refused>([
  [401, NotAuthenticated],
  [403, NotAllowed],
  [404, NotFound],
  [409, Conflict],
  [429, RateLimited],
])
export function refused(refusal: Refusal): Refused {
  const { status } = refusal
  const Class = BY_STATUS.get(status) ?? (status >= 500 ? GatewayFault : InvalidRequest)
  return new Class(refusal)
}

/** `NO_CONNECTION`: the request was never sent. `CONNECTION_LOST`, `TIMED_OUT`, `DEADLINE`: it may have
 *  arrived. */
export class NoAnswer extends CowrieError {
  override readonly name = 'NoAnswer'
}

/** A page of a proxy, a redirect, half an answer. */
export class UnreadableAnswer extends CowrieError {
  override readonly name = 'UnreadableAnswer'
  override readonly status: number

  constructor(status: number, message: string) {
    super('UNREADABLE_ANSWER', message)
    this.status = status
  }
}

export type Unknown = {
  readonly operation: string
  readonly idempotencyKey: string
  readonly reference: string
  readonly ask: () => Promise<unknown>
  readonly repeat: () => Promise<unknown>
}

/** A call that moves money, and no answer to it. The money may have moved. Do not start a new one: ask, or
 *  repeat this one. */
export class OutcomeUnknown extends CowrieError {
  override readonly name = 'OutcomeUnknown'
  override readonly status: number | null
  override readonly docUrl: string | null
  override readonly requestId: string | null
  /** `transfers.initiate` */
  readonly operation: string
  /** Keep it with your record, to repeat the call later from another process. */
  readonly idempotencyKey: string
  /** Your reference of what was asked for. */
  readonly reference: string
  /** Asks the gateway what became of it; moves nothing. Null: the gateway does not know it, so far. */
  readonly ask: () => Promise<unknown>
  /** Sends the same request under the same key: the gateway does it once, and answers as it did or would have
   *  done. */
  readonly repeat: () => Promise<unknown>

  constructor({ operation, idempotencyKey, reference, ask, repeat }: Unknown, last: CowrieError) {
    super(
      'OUTCOME_UNKNOWN',
      `The outcome of ${operation} ${reference} is not known: ${last.message} It may have been done. Ask with ask(), or make sure of it with repeat(); a new call with another key could do it twice.`,
      last,
    )
    this.status = last.status
    this.docUrl = last.docUrl
    this.requestId = last.requestId
    this.operation = operation
    this.idempotencyKey = idempotencyKey
    this.reference = reference
    this.ask = ask
    this.repeat = repeat
  }
}

/** A notification that is not to be believed; `code` says why, the message how to fix it. */
export class NotVerified extends CowrieError {
  override readonly name = 'NotVerified'
}
