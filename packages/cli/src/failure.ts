// What ends a command, in one sentence for a person. The exit code is 2 when the command was used wrongly,
// else 1.

export class Failure extends Error {
  readonly exitCode: 1 | 2
  /** The gateway did not answer, or asked to wait: the same call may succeed later. */
  readonly away: boolean
  /** The gateway's code of the refusal, such as TRANSACTION_NOT_FOUND. */
  readonly code: string | null

  constructor(message: string, how: { exitCode?: 1 | 2; away?: boolean; code?: string } = {}) {
    super(message)
    this.exitCode = how.exitCode ?? 1
    this.away = how.away ?? false
    this.code = how.code ?? null
  }
}
