// The operator's interface, as this command line speaks to it. A session is needed for all but the log-in.
import { STATUS_CODES } from 'node:http'
import type { ActOutcome } from '@cowrie/contract/kit/act'
import { Failure } from '../failure.ts'

const ANSWER_MS = 60_000

export type Outcome = { readonly outcome: ActOutcome; readonly reply: unknown; readonly reference: string | null }
export type ActAsked = {
  readonly merchant?: string
  readonly cell?: string
  readonly input: object
  readonly reason?: string
  readonly dryRun?: boolean
}

/** A refusal of the gateway, with its code. */
export class Refused extends Failure {
  override readonly code: string
  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

export type Client = {
  readonly url: string
  call<T>(method: string, path: string, body?: unknown): Promise<T>
}

type Envelope = {
  readonly requestSuccessful?: boolean
  readonly responseMessage?: string
  readonly responseBody?: unknown
  readonly problem?: { readonly code: string; readonly hint: string }
}

function envelopeOf(text: string, status: number, url: string): Envelope {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && 'requestSuccessful' in value) return value as Envelope
  } catch {
    // said below
  }
  throw new Failure(`${url} is not the operator's listener of a gateway (${status} ${STATUS_CODES[status] ?? ''}).`)
}

const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
  ECONNRESET: 'the connection was closed',
}
function why(error: unknown): string {
  const { name, message, cause } = error as Error
  if (name === 'TimeoutError') return 'timed out'
  const { code } = (cause ?? {}) as { code?: string }
  return (code !== undefined ? CAUSES[code] : undefined) ?? code ?? message
}

export function openClient(url: string, token: () => string | null, signal: AbortSignal): Client {
  return {
    url,
    call: async <T>(method: string, path: string, body?: unknown): Promise<T> => {
      const held = token()
      const init: RequestInit = {
        method,
        headers: {
          ...(held === null ? {} : { authorization: `Session ${held}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }
      let status: number
      let text: string
      try {
        const answer = await fetch(`${url}${path}`, init)
        status = answer.status
        text = await answer.text()
      } catch (error) {
        signal.throwIfAborted()
        throw new Failure(`The gateway at ${url} does not answer (${why(error)}).`, { away: true })
      }
      const { requestSuccessful, responseMessage, responseBody, problem } = envelopeOf(text, status, url)
      if (requestSuccessful) return responseBody as T
      const message = (responseMessage ?? `The gateway answered ${status}`).replace(/\.$/, '')
      throw new Refused(problem ? `${message}. ${problem.hint}` : `${message}.`, problem?.code ?? '')
    },
  }
}

export const doAct = (client: Client, id: string, asked: ActAsked): Promise<Outcome> =>
  client.call('POST', `/operator/v1/acts/${id}`, asked)

export const showView = (client: Client, id: string, query: Readonly<Record<string, string>>): Promise<unknown> =>
  client.call('GET', `/operator/v1/views/${id}?${new URLSearchParams(query).toString()}`)
