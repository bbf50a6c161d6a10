// What ends a command, in one sentence for a person. The exit code is 2 when the command was used wrongly, else 1.

export class Failure extends Error {
  readonly exitCode: 1 | 2
  /** The gateway did not answer, or asked to wait: the same call may succeed later. */
  readonly away: boolean

  constructor(message: string, how: { exitCode?: 1 | 2; away?: boolean } = {}) {
    super(message)
    this.exitCode = how.exitCode ?? 1
    this.away = how.away ?? false
  }
}
