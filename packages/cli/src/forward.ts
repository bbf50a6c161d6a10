// One POST to the developer's own address, as a delivery would be: no redirects, 15 s in all. What went wrong
// is said in words.
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { ANSWER_SECONDS_MAX } from '@cowrie/contract/events/delivery'
import type { Target } from './arguments.ts'
import { monotonicMs } from './clock.ts'
import type { Headers } from './sign.ts'

/** Servers that listen on "localhost" hold one of these only, and what the name means differs between
 *  machines. */
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]
const lookUpLoopback: LookupFunction = (_name, _options, callback) => callback(null, LOOPBACK)

const READ_MAX = 64 * 1024

export type Answer = {
  /** null: there was no answer, and `error` says why. */
  readonly status: number | null
  readonly error: string | null
  readonly ms: number
  readonly body: string
}

export const isTaken = ({ status }: Answer): boolean => status === 200

function words(error: unknown, target: Target, limitSeconds: number): string {
  const { code, name, message } = error as NodeJS.ErrnoException
  if (name === 'TimeoutError') return `no answer within ${limitSeconds} s`
  if (code === 'ECONNREFUSED') return `nothing is listening on ${target.words}`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `host ${target.url.hostname} not found`
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'the connection was closed before a response came'
  if (code?.startsWith('HPE_')) return `${target.words} does not speak HTTP`
  return code ? `${code}: ${message}` : message
}

async function readSome(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    size += part.length
    parts.push(part)
    if (size > READ_MAX) break
  }
  return Buffer.concat(parts).toString('utf8')
}

function open(target: Target, headers: Headers, body: string, signal: AbortSignal): ClientRequest {
  const request = target.url.protocol === 'https:' ? requestHttps : requestHttp
  return request(target.url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    agent: false,
    signal,
    ...(target.loopback ? { lookup: lookUpLoopback } : {}),
  })
}

export async function post(
  target: Target,
  headers: Headers,
  body: string,
  signal: AbortSignal,
  limitSeconds = ANSWER_SECONDS_MAX,
): Promise<Answer> {
  const started = monotonicMs()
  const ms = () => Math.round(monotonicMs() - started)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitSeconds * 1000)])
  let sent: ClientRequest | null = null
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent = open(target, headers, body, limit).on('response', resolve).on('error', reject).end(body)
    })
    const text = await readSome(answer)
    return { status: answer.statusCode ?? null, error: null, ms: ms(), body: text }
  } catch (error) {
    signal.throwIfAborted()
    const reason: unknown = limit.aborted ? limit.reason : error
    return { status: null, error: words(reason, target, limitSeconds), ms: ms(), body: '' }
  } finally {
    ;(sent as ClientRequest | null)?.destroy()
  }
}

/** The same POST, but its answer is lost: the connection is closed as soon as everything was sent. */
export async function postAndHangUp(
  target: Target,
  headers: Headers,
  body: string,
  signal: AbortSignal,
): Promise<Answer> {
  const started = monotonicMs()
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_SECONDS_MAX * 1000)])
  const error = await new Promise<string>((resolve) => {
    const sent = open(target, headers, body, limit)
    sent
      .on('finish', () => {
        resolve('the exam hung up before the response')
        sent.destroy()
      })
      .on('error', (reason) => resolve(words(limit.aborted ? limit.reason : reason, target, ANSWER_SECONDS_MAX)))
      .end(body)
  })
  signal.throwIfAborted()
  return { status: null, error, ms: Math.round(monotonicMs() - started), body: '' }
}
