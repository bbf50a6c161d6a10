// The line to a connector: one signed call, its answer as it came, and with mutual TLS the certificate that
// we show and the authority that signed the other side's.
import { SIGNATURE_HEADER, signedAnswer, signedText, TIMESTAMP_HEADER } from '@cowrie/contract/bank/connector'
import { Agent, type Dispatcher, request } from 'undici'
import { monotonicMs, wallSeconds } from '#kit/clock.ts'
import { hmacHex, sameText } from '#kit/crypto.ts'
import type { Outcome } from '#kit/ctx.ts'
import { BANK_CALLS, BANK_SECONDS } from '#kit/series.ts'
import { calling } from '#kit/trace.ts'

/** Texts of PEM files. */
type Tls = { readonly cert: string; readonly key: string; readonly ca: string }
export type Line = { readonly url: string; readonly dispatcher?: Dispatcher }

/** `tls` null: whatever the machine trusts, and we show nothing. */
export const lineTo = (url: string, tls: Tls | null): Line =>
  tls === null ? { url } : { url, dispatcher: new Agent({ connect: tls }) }

/** How much of a refusal is kept: it is for a row that a person reads. */
const REFUSAL_CHARS = 200

export const unknown = (why: string): { kind: 'unknown'; why: string } => ({ kind: 'unknown', why })

type Limits = { readonly ms: number; readonly bytes: number }
export const LIMITS: Limits = { ms: 10_000, bytes: 64 * 1024 }

/** The text of an answer, or null as soon as it is longer than it may be. */
async function readText(body: AsyncIterable<Buffer>, bytesMax: number): Promise<string | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > bytesMax) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

/** Where a connector is reached, and how its answers are checked. */
export type Door = string | (Line & { readonly answers?: Answers })

/** What messages are signed with; a function, where it may change while the process runs. */
export type SigningKey = string | (() => string)

/** How the answers of a connector are checked. */
type Answers = {
  /** Those that it may sign with. */
  readonly keys: () => readonly string[]
  /** Whether an answer without a signature counts for nothing. */
  readonly areSigned: () => boolean
}
const UNSIGNED: Answers = { keys: () => [], areSigned: () => false }

/** The path without what is asked there: those of the protocol are few. */
export async function call(
  to: Door,
  key: SigningKey,
  method: 'GET' | 'POST',
  pathAndQuery: string,
  body: unknown,
  limits: Limits = LIMITS,
): Promise<Outcome<unknown>> {
  const began = monotonicMs()
  const path = pathAndQuery.split('?')[0] ?? ''
  const outcome = await calling(`bank ${path}`, (trace) => callOnce(to, key, method, pathAndQuery, body, limits, trace))
  BANK_CALLS(path, outcome.kind).n += 1
  BANK_SECONDS(path).n += (monotonicMs() - began) / 1000
  return outcome
}

/** One signed call. `why` is in our words and may be logged; what the bank wrote may hold anything and may
 *  not. */
async function callOnce(
  to: Door,
  key: SigningKey,
  method: 'GET' | 'POST',
  pathAndQuery: string,
  body: unknown,
  limits: Limits,
  trace: Readonly<Record<string, string>>,
): Promise<Outcome<unknown>> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const timestamp = String(wallSeconds())
  const { url, dispatcher, answers = UNSIGNED } = typeof to === 'string' ? { url: to } : to
  const signature = `v1=${hmacHex('sha256', typeof key === 'string' ? key : key(), signedText(timestamp, method, pathAndQuery, text))}`
  try {
    // Not fetch(): it cost a third of a payout's processor time, and follows redirects.
    const {
      statusCode,
      headers,
      body: answer,
    } = await request(url + pathAndQuery, {
      ...(dispatcher === undefined ? {} : { dispatcher }),
      method,
      headers: {
        'content-type': 'application/json',
        [TIMESTAMP_HEADER]: timestamp,
        [SIGNATURE_HEADER]: signature,
        ...trace,
      },
      ...(body === undefined ? {} : { body: text }),
      signal: AbortSignal.timeout(limits.ms),
    })
    const said = await readText(answer, limits.bytes)
    if (said === null) return unknown('the answer is too long')
    if (!isTheirs(answers, headers[SIGNATURE_HEADER], signedAnswer(signature, statusCode, said)))
      return unknown('the answer is not signed as it should be')
    if (statusCode === 200) return parsed(said)
    const why = `answered ${statusCode}`
    if (statusCode < 400 || statusCode >= 500) return unknown(why)
    return { kind: 'no', status: statusCode, why, said: said.slice(0, REFUSAL_CHARS) }
  } catch (error) {
    return unknown((error as Error).message)
  }
}

/** Who signs an answer must sign it right, even where nobody asked for it. */
function isTheirs({ keys, areSigned }: Answers, given: string | string[] | undefined, text: string): boolean {
  if (keys().length === 0) return true
  if (given === undefined) return !areSigned()
  return typeof given === 'string' && keys().some((key) => sameText(given, `v1=${hmacHex('sha256', key, text)}`))
}

function parsed(text: string): Outcome<unknown> {
  try {
    return { kind: 'yes', value: JSON.parse(text) }
  } catch {
    return unknown('the answer is not JSON') // the parser's own words would quote it
  }
}
