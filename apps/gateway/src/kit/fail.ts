// A refusal: a code of the contract's table, words to fill into its message, and a detail that only the log
// sees.
import { type ErrorCode, errorSpec } from '@cowrie/contract/errors/errors'

export type Fault = {
  readonly field: string
  readonly code: ErrorCode
  readonly message: string
  readonly hint?: string
}

/** What a refusal tells about this very request, beside the words of the table. No value that was sent is in
 *  it. */
export type Specifics = {
  /** Every fault of a body, this one first. */
  readonly faults?: readonly Fault[]
  /** What to do, in place of the table's words. */
  readonly hint?: string
  /** Where a body stops being JSON; both count from 1. */
  readonly position?: { readonly line: number; readonly column: number }
}

const TOO_MANY = 429
const NOTHING: Specifics = Object.freeze({})

export class Failure extends Error {
  readonly code: ErrorCode
  readonly params: Readonly<Record<string, string>>
  /** For the log, never for the caller. */
  readonly detail: string | undefined
  readonly specifics: Specifics

  constructor(
    code: ErrorCode,
    params: Readonly<Record<string, string>> = {},
    detail?: string,
    specifics: Specifics = NOTHING,
  ) {
    const { message, status } = errorSpec(code)
    const frames = Error.stackTraceLimit
    // What a flood is refused with has no stack: in a profile of refused log-ins it was 8 % of the time, and
    // nobody reads it.
    if (status === TOO_MANY) Error.stackTraceLimit = 0
    super(message.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ''))
    Error.stackTraceLimit = frames
    this.name = 'Failure'
    this.code = code
    this.params = params
    this.detail = detail
    this.specifics = specifics
  }
}

export function fail(
  code: ErrorCode,
  params: Readonly<Record<string, string>> = {},
  detail?: string,
  specifics?: Specifics,
): never {
  throw new Failure(code, params, detail, specifics)
}

/** Where every case was handled: the compiler refuses one more, and a value that got past it ends the work
 *  loudly. */
export const assertNever = (value: never): never => fail('INTERNAL', {}, `unhandled case: ${typeof value}`)
