// A refusal: a code of the contract's table, words to fill into its message, and a detail that only the log sees.
import { type ErrorCode, errorSpec } from '@cowrie/contract/errors'

export class Failure extends Error {
  readonly code: ErrorCode
  readonly params: Readonly<Record<string, string>>
  /** For the log, never for the caller. */
  readonly detail: string | undefined

  constructor(code: ErrorCode, params: Readonly<Record<string, string>> = {}, detail?: string) {
    super(errorSpec(code).message.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ''))
    this.name = 'Failure'
    this.code = code
    this.params = params
    this.detail = detail
  }
}

export function fail(code: ErrorCode, params: Readonly<Record<string, string>> = {}, detail?: string): never {
  throw new Failure(code, params, detail)
}
