// The exam calls the adapter as the gateway does.
import { BANK_PATHS, PayoutAnswer, type PayoutOrder } from '@cowrie/contract/bank/connector'
import { Compile } from 'typebox/compile'
import { type Json, parseObject, send } from '../kit/http.ts'
import { must } from '../kit/result.ts'
import { sign } from '../kit/signing.ts'

export type Reply = { readonly status: number; readonly json: Json | null }

export type Manner = {
  readonly key?: string
  readonly secondsOff?: number
  /** Sent in place of what was signed. */
  readonly body?: string
  readonly path?: string
  readonly limitMs?: number
  readonly unsigned?: boolean
}

/** What the adapter said about an order. `none`: no answer, or one that says nothing about the money. */
export type Status = PayoutAnswer['status'] | 'none'
export type Said = {
  readonly status: Status
  readonly code: string
  /** For sentences: `SUCCESS with 00`, `HTTP 500`, `nothing`. */
  readonly text: string
  readonly http: number | null
}

export type Adapter = {
  /** Null: there was no answer in time. */
  call(method: string, path: string, message?: unknown, manner?: Manner): Promise<Reply | null>
  order(order: PayoutOrder, manner?: Manner): Promise<Said>
  inquire(sessionId: string): Promise<Said>
  bar(sessionId: string): Promise<Said>
}

const answers = Compile(PayoutAnswer)

function saidOf(reply: Reply | null, sessionId: string): Said {
  if (reply === null) return { status: 'none', code: '', text: 'nothing', http: null }
  if (reply.status !== 200) return { status: 'none', code: '', text: `HTTP ${reply.status}`, http: reply.status }
  const { json } = reply
  must(
    json !== null && answers.Check(json),
    `The adapter answered ${JSON.stringify(json)}. Expected an answer with sessionId, status, responseCode and message as the protocol has them.`,
  )
  must(
    json.sessionId === sessionId,
    `The adapter answered about session ${json.sessionId}; it was asked about ${sessionId}.`,
  )
  return { status: json.status, code: json.responseCode, text: `${json.status} with ${json.responseCode}`, http: 200 }
}

export function createAdapter(url: () => string, key: string, answerMs: number): Adapter {
  const call: Adapter['call'] = async (method, path, message, manner = {}) => {
    const body = message === undefined ? '' : JSON.stringify(message)
    const signed = sign(manner.key ?? key, { method, path, body }, manner.secondsOff)
    const sent = manner.body ?? body
    const reply = await send(
      url().replace(/\/+$/, '') + (manner.path ?? path),
      {
        method,
        headers: { 'content-type': 'application/json', ...(manner.unsigned === true ? {} : signed) },
        ...(sent === '' ? {} : { body: sent }),
      },
      // A little more than it may take, so that what comes in time by its own clock is not missed by ours.
      manner.limitMs ?? answerMs + 500,
    )
    return reply && { status: reply.status, json: parseObject(reply.text) }
  }
  const about = async (path: string, sessionId: string): Promise<Said> =>
    saidOf(await call('POST', path, { sessionId }), sessionId)
  return {
    call,
    order: async (order, manner) => saidOf(await call('POST', BANK_PATHS.payouts, order, manner), order.sessionId),
    inquire: (sessionId) => about(BANK_PATHS.payoutInquiries, sessionId),
    bar: (sessionId) => about(BANK_PATHS.payoutBars, sessionId),
  }
}
