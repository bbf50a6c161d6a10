// The control interface for a fake bank that is written in TypeScript: its calls, the queue of plans, and the
// behaviours that are the same for every bank. A fake in another language does the same by the README.
import type { IncomingMessage, ServerResponse } from 'node:http'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { wait } from '../kit/clock.ts'
import { parseObject, readText, sendJson } from '../kit/http.ts'
import {
  type BankLine,
  type BookRow,
  CALLS,
  type Call,
  type ChargeRow,
  type Credit,
  OUTCOMES,
  type Outcome,
  Plan,
  type Playing,
  type Report,
} from '../subject/upstream.ts'

/** A call of the control interface that this fake cannot play. */
export class CannotPlay extends Error {
  override name = 'CannotPlay'
}

/** What a fake gives: its books, and what it does on demand. What it lacks it throws CannotPlay for. */
export type Bank = {
  readonly playing: Playing
  readonly orders: () => readonly BookRow[] | Promise<readonly BookRow[]>
  readonly settle: (reference: string, status: Outcome) => unknown
  /** For an acquirer of cards: the charges that it took. */
  readonly charges?: () => readonly ChargeRow[] | Promise<readonly ChargeRow[]>
  /** For a bank that chooses by the account that is paid: the account for this plan, in place of the
   *  queue. */
  readonly destination?: (plan: Plan) => Destination | null
  /** How many calls for an order came, where the fake does not play them with `play`. */
  readonly received?: () => Promise<number>
  readonly credit?: (credit: Credit) => string | Promise<string>
  readonly report?: (report: Report) => Promise<readonly (number | null)[]>
  readonly addLines?: (lines: readonly BankLine[]) => unknown
}

export type Destination = { readonly bankCode: string; readonly accountNumber: string }

/** How one call is to be treated. */
export type Treatment = Omit<Plan, 'on' | 'times'>

/** What a call of the bank consists of. */
export type Turn = {
  /** Writes the order, the charge, the input or the refund into the books. Left out for calls that move
   *  nothing. */
  readonly take?: (status: Outcome) => void
  /** The bank's usual answer, after the order was taken; with a code where one is wanted. */
  readonly answer: (code: string | null) => { readonly status?: number; readonly body: unknown }
}

export type Controls = {
  /** True: it was a call of the control interface, and is answered. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  /** Plays one call of the bank, by the next plan for it. */
  play(on: Call, response: ServerResponse, turn: Turn): Promise<void>
}

const plans = Compile(Plan)
const settling = Compile(Type.Object({ reference: Type.String(), status: Type.Enum([...OUTCOMES]) }))

/** Calls that may be taken although they are not answered. */
const MOVES: ReadonlySet<Call> = new Set(['order', 'charge', 'input', 'refund'])

/** Until the caller has gone. */
const hold = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    response.on('close', () => resolve())
  })

export function createControls(bank: Bank): Controls {
  const queues = new Map<Call, Treatment[]>(CALLS.map((on) => [on, []]))
  const received = { order: 0, charge: 0 }
  const { codes = [], cardCodes = [] } = bank.playing

  const next = (on: Call): Treatment => queues.get(on)?.shift() ?? { behaviour: 'pay' }

  /** What the table has for a code, as what became of the money. */
  const meantBy = (on: Call, code: string | undefined): Outcome | undefined => {
    const state = cardCodes.find((one) => one.on === on && one.code === code)?.state
    if (state === undefined) return codes.find((one) => one.on === on && one.code === code)?.outcome
    return state === 'APPROVED' ? 'SUCCESS' : state === 'DECLINED' ? 'FAILED' : 'PENDING'
  }

  /** What the books have of it after a call with this treatment; null: nothing. */
  const takenAs = (on: Call, { behaviour, taken, code }: Treatment): Outcome | null => {
    if (!MOVES.has(on)) return null
    if (behaviour === 'code') {
      const meant = meantBy(on, code)
      return (taken ?? (meant !== undefined && meant !== 'FAILED')) ? (meant ?? 'PENDING') : null
    }
    const usual = behaviour !== 'deaf' && behaviour !== 'status' && behaviour !== 'html'
    if (!(taken ?? usual)) return null
    return behaviour === 'pend' ? 'PENDING' : 'SUCCESS'
  }

  const say = (response: ServerResponse, turn: Turn, code: string | null): void => {
    const { status = 200, body } = turn.answer(code)
    sendJson(response, status, body)
  }

  const play: Controls['play'] = async (on, response, turn) => {
    const plan = next(on)
    if (on === 'order' || on === 'charge') received[on] += 1
    const status = takenAs(on, plan)
    if (status !== null) turn.take?.(status)
    switch (plan.behaviour) {
      case 'mute':
      case 'deaf':
        return hold(response)
      case 'slow':
        await wait(plan.delayMs ?? 0)
        return say(response, turn, null)
      case 'status':
        return sendJson(response, plan.status ?? 500, { error: 'as planned' })
      case 'html':
        return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>Oops</body></html>')
      case 'half': {
        const text = JSON.stringify(turn.answer(null).body)
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
        response.write(text.slice(0, Math.floor(text.length / 2)), () => response.destroy())
        return
      }
      case 'code':
        return say(response, turn, plan.code ?? null)
      case 'pay':
      case 'pend':
        return say(response, turn, null)
    }
  }

  const lacks = (): never => {
    throw new CannotPlay('it has no such thing')
  }

  const control = async (path: string, json: unknown): Promise<unknown> => {
    switch (path) {
      case 'GET /exam':
        return bank.playing
      case 'GET /exam/orders':
        return { received: (await bank.received?.()) ?? received.order, orders: await bank.orders() }
      case 'GET /exam/charges':
        return { received: received.charge, charges: await (bank.charges ?? lacks)() }
      case 'POST /exam/reset':
        for (const queue of queues.values()) queue.length = 0
        return {}
      case 'POST /exam/next': {
        if (!plans.Check(json)) return null
        if (bank.destination !== undefined) {
          const destination = bank.destination(json)
          return destination === null ? {} : { destination }
        }
        const { on, times = 1, ...treatment } = json
        for (let turn = 0; turn < times; turn += 1) queues.get(on)?.push(treatment)
        return {}
      }
      case 'POST /exam/settle':
        if (!settling.Check(json)) return null
        await bank.settle(json.reference, json.status)
        return {}
      case 'POST /exam/credit':
        return { reference: await (bank.credit ?? lacks)(json as Credit) }
      case 'POST /exam/webhook':
        return { statuses: await (bank.report ?? lacks)(json as Report) }
      case 'POST /exam/statement':
        await (bank.addLines ?? lacks)((json as { lines: readonly BankLine[] }).lines)
        return {}
      default:
        return null
    }
  }

  return {
    play,
    handle: async (request, response) => {
      const { method = '', url = '' } = request
      if (url !== '/exam' && !url.startsWith('/exam/')) return false
      try {
        const body = await readText(request)
        const answer = await control(`${method} ${url}`, body === '' ? {} : parseObject(body))
        sendJson(
          response,
          answer === null ? 400 : 200,
          answer ?? { why: 'this is not a call of the control interface' },
        )
      } catch (error) {
        if (!(error instanceof CannotPlay)) throw error
        sendJson(response, 409, { why: error.message })
      }
      return true
    },
  }
}
