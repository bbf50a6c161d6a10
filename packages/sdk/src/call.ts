// One call: as many tries as are safe, under one deadline. What is done is done once: a repeat carries the
// same Idempotency-Key, and what cannot carry one is repeated only if it was never looked at.
import type { Clock } from './clock.ts'
import { CowrieError, NoAnswer, Refused } from './errors.ts'
import { type Answer, aborted, type Failed, type Fetch, isAborted, type Tried, tryOnce, type Wire } from './try.ts'

export type Limits = { readonly deadlineMs: number; readonly tryMs: number; readonly retries: number }
export type Connection = { readonly fetch: Fetch; readonly clock: Clock }

export type Session = {
  readonly token: (limitMs: number, signal: AbortSignal | undefined) => Promise<string>
  /** The gateway refused it: the next call logs in. */
  readonly forget: (token: string) => void
}

export type Call = {
  readonly wire: Wire
  readonly limits: Limits
  readonly signal: AbortSignal | undefined
  /** The gateway does it once however often it is asked. */
  readonly safe: boolean
  readonly file: boolean
  /** Null: the wire carries what it needs. */
  readonly session: Session | null
}

/** A call that ended without an answer. */
export class Ended extends Error {
  readonly error: CowrieError
  /** One of its tries may have been done. */
  readonly maybeDone: boolean

  constructor(error: CowrieError, maybeDone: boolean) {
    super(error.message)
    this.error = error
    this.maybeDone = maybeDone
  }
}

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 8_000
/** Doubles each time; half of it is chance, so that many clients do not return at the same instant. */
const backoffMs = (tries: number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1)) * (0.5 + Math.random() / 2)

function waitMs(error: CowrieError, tries: number): number {
  const asked = error instanceof Refused ? error.retryAfterMs : null
  return Math.max(asked ?? 0, backoffMs(tries))
}

/** The gateway does not know the token any more; nothing was done. */
const isStale = ({ error }: Failed): boolean => error.status === 401 && /^TOKEN_/.test(error.code)

const NEVER = new AbortController().signal

/** What the gateway refused says more than that there was no time for another try. */
function outOfTime({ deadlineMs }: Limits, tries: number, last: CowrieError): CowrieError {
  if (last instanceof Refused) return last
  const times = tries === 1 ? 'one try' : `${tries} tries`
  return new NoAnswer('DEADLINE', `No answer within the deadline of ${deadlineMs} ms, ${times}. ${last.message}`, last)
}

type Sent = Tried & { readonly token?: string }

/** A token, and the request with it. A log-in that fails is the failure of the try. */
async function send(connection: Connection, call: Call, limitMs: number): Promise<Sent> {
  const { wire, session, signal, file } = call
  if (session === null) return tryOnce(wire, { ...connection, limitMs, signal, file })
  const endsAt = connection.clock.monotonicMs() + limitMs
  try {
    const token = await session.token(limitMs, signal)
    const headers = { ...wire.headers, authorization: `Bearer ${token}` }
    const left = Math.max(0, endsAt - connection.clock.monotonicMs())
    return { ...(await tryOnce({ ...wire, headers }, { ...connection, limitMs: left, signal, file })), token }
  } catch (error) {
    if (!(error instanceof CowrieError)) throw error
    return { failed: { error, again: 'never', maybeDone: false, settled: false } }
  }
}

/** The answer, or `Ended`. */
export async function run(connection: Connection, call: Call): Promise<Answer> {
  const { clock } = connection
  const { limits, signal, safe, session } = call
  const endsAt = clock.monotonicMs() + limits.deadlineMs
  let maybeDone = false
  let renewed = false
  for (let tries = 1; ; tries += 1) {
    const left = Math.max(0, endsAt - clock.monotonicMs())
    const sent = await send(connection, call, Math.min(limits.tryMs, left))
    if ('answer' in sent) return sent.answer
    const { failed, token } = sent
    if (failed.settled) throw new Ended(failed.error, false)
    maybeDone ||= failed.maybeDone
    if (session !== null && token !== undefined && isStale(failed) && !renewed) {
      renewed = true
      session.forget(token)
      continue
    }
    const again = failed.again === 'always' || (failed.again === 'if safe' && safe)
    const wait = waitMs(failed.error, tries)
    const late = clock.monotonicMs() + (again ? wait : 0) >= endsAt
    if (late && failed.error.code !== 'ABORTED') throw new Ended(outOfTime(limits, tries, failed.error), maybeDone)
    if (!again || tries > limits.retries) throw new Ended(failed.error, maybeDone)
    await clock.sleep(wait, signal ?? NEVER)
    if (isAborted(signal)) throw new Ended(aborted(signal), maybeDone)
  }
}
