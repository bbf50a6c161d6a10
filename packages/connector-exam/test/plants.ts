// Faults that are planted into the tiny adapter, one at a time: what a person in a hurry could write. Each
// must be found by its group.
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as kit from '@cowrie/connector-kit'
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { CARD_PATHS_V2 } from '@cowrie/contract/bank/v2/cards'
import type { Json } from '../src/kit/http.ts'
import { parseObject, sendJson } from '../src/kit/http.ts'
import type { Numbered } from './tiny-numbers.ts'

/** With the group that must find it, and one of the checks by which it does. */
export const PLANTS = {
  'any key is accepted': [1, 'a wrong key'],
  'an order that comes again while the first is under way gets a session of its own': [
    2,
    'the same order 100 times at once',
  ],
  'what was not answered is sent again at the start': [3, 'kill -9 after the bank took the order'],
  'a bar that races with its order says FAILED without a look': [4, '20 orders, each racing with its bar'],
  'a report of a reversal is taken for a success': [5, 'PENDING, then REVERSED, by a webhook'],
  'what is not JSON is a failure': [6, 'an order: a page of HTML after it took the order'],
  'reports are believed without a signature': [7, 'a credit with forged signature'],
  'a notice is sent once': [7, 'credits while the gateway is down'],
  'a code that no table has is a failure': [8, 'code ZZ9, which no table has, to an order'],
  'an amount is a floating-point number': [9, 'an order of 1.15'],
  'a day is one of UTC': [10, 'the border of a day in West Africa'],
  'webhooks are logged as they come': [11, 'in the log'],
  'a number is given twice': [12, 'the same order again'],
  'ten minutes are allowed to a clock': [13, 'a clock 315 s ahead'],
  'a charge that comes again while the first is under way is charged again': [14, 'the same charge 50 times at once'],
  'a charge that is not answered is declined': [14, 'the acquirer charges a card and is silent'],
  'a reversal while its charge is under way says REVERSED without a look': [
    14,
    'a reversal while its charge is under way',
  ],
  'a refund that was not answered is made again': [14, 'a reversal whose refund is answered with 500'],
  'an answer of no table declines a charge': [14, '"ZZ9", which no table has, to a question'],
  'what a payer typed is passed on twice': [14, 'the same OTP 20 times at once'],
  'cards are logged': [14, 'what payers typed, in the log'],
} as const satisfies Readonly<Record<string, readonly [group: number, check: string]>>
export type Plant = keyof typeof PLANTS

export type Passing = {
  readonly request: IncomingMessage
  readonly body: string
  readonly response: ServerResponse
  readonly kitUrl: string
}
export type Parts = { readonly keys: readonly string[]; readonly gatewayUrl: string }

/** Where a plant can reach into the adapter. */
export type Hooks = {
  /** Webhooks are believed without a look at their signature. */
  readonly believes: boolean
  /** How far the day of the statement is ahead of UTC. */
  readonly aheadMs: number
  readonly mapping: (good: kit.Mapping) => kit.Mapping
  readonly cards: (good: kit.CardMapping) => kit.CardMapping
  /** What was returned is not asked for before something is. */
  readonly refundsBlindly: boolean
  readonly started: (store: kit.Store, mapping: kit.Mapping) => Promise<void>
  readonly learned: (said: kit.Known) => kit.Known
  /** True: the notice is dealt with. */
  readonly notice: (notice: Json) => boolean
  readonly numbers: (good: Numbered) => Numbered
  readonly logged: (webhook: string) => void
  /** Calls that are accepted although their signature is not. */
  readonly accepts: (request: IncomingMessage, body: string) => boolean
  /** True: the call is answered already. */
  readonly before: (passing: Passing) => Promise<boolean>
}

const GOOD: Hooks = {
  ...{ believes: false, aheadMs: 3_600_000, refundsBlindly: false },
  mapping: (good) => good,
  cards: (good) => good,
  started: async () => undefined,
  learned: (said) => said,
  notice: () => false,
  numbers: (good) => good,
  logged: () => undefined,
  accepts: () => false,
  before: async () => false,
}

const seconds = (): number => Math.floor(Date.now() / 1000)
const timeOff = ({ headers }: IncomingMessage): number => Math.abs(seconds() - Number(headers['cowrie-timestamp']))

const anyKey: Hooks = { ...GOOD, accepts: (request) => timeOff(request) <= 300 }

/** The second message under a name, which comes while the first is under way, goes on under another name. */
const twice =
  (path: string, name: 'sessionId' | 'chargeReference') =>
  ({ keys }: Parts): Hooks => {
    const open = new Map<string, number>()
    return {
      ...GOOD,
      before: async (passing) => {
        const named = parseObject(passing.body)?.[name]
        if (passing.request.url !== path || typeof named !== 'string') return false
        const before = open.get(named) ?? 0
        open.set(named, before + 1)
        passing.response.on('close', () => open.set(named, (open.get(named) ?? 1) - 1))
        if (before !== 1) return false
        const body = passing.body.replace(named, named.replace(/^\w{4}/, '1111'))
        const headers = kit.sign(keys[0] ?? '', { method: 'POST', path, body }, kit.systemClock)
        const answer = await fetch(passing.kitUrl + path, { method: 'POST', headers, body })
        sendJson(passing.response, answer.status, { ...((await answer.json()) as Json), [name]: named })
        return true
      },
    }
  }

const sentAgain: Hooks = {
  ...GOOD,
  started: async ({ pool, schema }, mapping) => {
    const text = `select contents, reference from ${schema}.orders where state = 'FORWARDED'`
    const { rows } = await pool.query<{ contents: Omit<kit.Outgoing, 'reference'>; reference: string }>(text)
    const signal = AbortSignal.timeout(1_000)
    await Promise.allSettled(
      rows.map(({ contents, reference }) => mapping.forward({ ...contents, reference }, { signal })),
    )
  },
}

/** Whoever takes back what is under way gets REVERSED or FAILED at once. */
function hasty(of: { readonly path: string; readonly back: string; readonly name: string; readonly says: object }) {
  const open = new Set<unknown>()
  const { path, back, name, says } = of
  const before: Hooks['before'] = async ({ request, body, response }) => {
    const named = parseObject(body)?.[name]
    if (request.url === path) {
      open.add(named)
      response.on('close', () => open.delete(named))
    }
    if (request.url !== back || !open.has(named)) return false
    sendJson(response, 200, { ...says, [name]: named })
    return true
  }
  return { ...GOOD, before }
}

const hastyBars = (): Hooks =>
  hasty({
    ...{ path: BANK_PATHS.payouts, back: BANK_PATHS.payoutBars, name: 'sessionId' },
    says: { status: 'FAILED', responseCode: '21', message: 'No action taken' },
  })
const NO_CARD = { scheme: '', bankCode: '', bankName: '', countryCode: '' }
const hastyReversals = (): Hooks =>
  hasty({
    ...{ path: CARD_PATHS_V2.authorisations, back: CARD_PATHS_V2.reversals, name: 'chargeReference' },
    says: { state: 'REVERSED', code: '', message: 'Cancelled', card: NO_CARD },
  })

const DECLINED: kit.CardSaid = { kind: 'declined', code: '91' }
const silenceDeclines: Hooks = {
  ...GOOD,
  cards: (good) => ({
    ...good,
    charge: (order) => good.charge(order, { signal: AbortSignal.timeout(300) }).catch(() => DECLINED),
  }),
}
const strangeDeclines: Hooks = {
  ...GOOD,
  cards: (good) => ({
    ...good,
    ask: async (kept, limits) => {
      const said = await good.ask(kept, limits)
      return said.kind === 'unknown' && said.why.startsWith('a code') ? DECLINED : said
    },
  }),
}
const inputsTwice: Hooks = {
  ...GOOD,
  cards: (good) => ({
    ...good,
    input: async (typed, limits) => {
      const said = await good.input(typed, limits)
      await good.input(typed, limits)
      return said
    },
  }),
}
const cardsLogged: Hooks = {
  ...GOOD,
  cards: (good) => ({
    ...good,
    charge: (order, limits) => {
      if ('card' in order) process.stdout.write(`${JSON.stringify(order.card)}\n`)
      return good.charge(order, limits)
    },
  }),
}

const neverReversed: Hooks = {
  ...GOOD,
  learned: (said) => (said.status === 'REVERSED' ? { ...said, status: 'SUCCESS', code: '00' } : said),
}

const notJson: Hooks = {
  ...GOOD,
  mapping: (good) => ({
    ...good,
    forward: async (order, limits) =>
      good.forward(order, limits).catch((error: unknown) => {
        if (error instanceof SyntaxError) return { kind: 'refused', code: '91' }
        throw error
      }),
  }),
}

const sentOnce = ({ keys, gatewayUrl }: Parts): Hooks => ({
  ...GOOD,
  notice: (notice) => {
    const [path, body] = ['/connector/v1/credits', JSON.stringify(notice)]
    const headers = kit.sign(keys[0] ?? '', { method: 'POST', path, body }, kit.systemClock)
    fetch(gatewayUrl + path, { method: 'POST', headers, body }).catch(() => undefined)
    return true
  },
})

const strangeIsFailed: Hooks = {
  ...GOOD,
  mapping: (good) => {
    const failed = { kind: 'known', status: 'FAILED', code: '91' } as const
    const isStrange = (said: kit.Forwarded): boolean => said.kind === 'unknown' && said.why.startsWith('a code')
    return {
      ...good,
      forward: async (order, limits) => {
        const said = await good.forward(order, limits)
        return isStrange(said) ? failed : said
      },
    }
  },
}

const floating: Hooks = {
  ...GOOD,
  mapping: (good) => ({
    ...good,
    forward: (order, limits) => {
      const amount = (Math.floor(Number(order.amount) * 100) / 100).toFixed(2)
      return good.forward({ ...order, amount }, limits)
    },
  }),
}

function sameNumber(): Hooks {
  let last: unknown = null
  return {
    ...GOOD,
    numbers: ([status, { reference, numbers }]) => {
      const all = numbers as readonly Json[]
      const given = last === null ? all : [last, ...all.slice(1)]
      last = all.at(-1) ?? last
      return [status, { reference, numbers: given }]
    },
  }
}

const tenMinutes = ({ keys }: Parts): Hooks => ({
  ...GOOD,
  accepts: (request, body) => {
    const { method = '', url: path = '', headers } = request
    const then = { now: () => new Date(Number(headers['cowrie-timestamp']) * 1000) }
    return timeOff(request) <= 600 && kit.isSigned(keys, { method, path, body }, headers, then)
  },
})

const HOOKS: Readonly<Record<Plant, (parts: Parts) => Hooks>> = {
  'any key is accepted': () => anyKey,
  'an order that comes again while the first is under way gets a session of its own': twice(
    BANK_PATHS.payouts,
    'sessionId',
  ),
  'what was not answered is sent again at the start': () => sentAgain,
  'a bar that races with its order says FAILED without a look': hastyBars,
  'a report of a reversal is taken for a success': () => neverReversed,
  'what is not JSON is a failure': () => notJson,
  'reports are believed without a signature': () => ({ ...GOOD, believes: true }),
  'a notice is sent once': sentOnce,
  'a code that no table has is a failure': () => strangeIsFailed,
  'an amount is a floating-point number': () => floating,
  'a day is one of UTC': () => ({ ...GOOD, aheadMs: 0 }),
  'webhooks are logged as they come': () => ({ ...GOOD, logged: (text) => void process.stdout.write(`${text}\n`) }),
  'a number is given twice': sameNumber,
  'ten minutes are allowed to a clock': tenMinutes,
  'a charge that comes again while the first is under way is charged again': twice(
    CARD_PATHS_V2.authorisations,
    'chargeReference',
  ),
  'a charge that is not answered is declined': () => silenceDeclines,
  'a reversal while its charge is under way says REVERSED without a look': hastyReversals,
  'a refund that was not answered is made again': () => ({ ...GOOD, refundsBlindly: true }),
  'an answer of no table declines a charge': () => strangeDeclines,
  'what a payer typed is passed on twice': () => inputsTwice,
  'cards are logged': () => cardsLogged,
}

const both = (one: Hooks, two: Hooks): Hooks => ({
  believes: one.believes || two.believes,
  aheadMs: Math.min(one.aheadMs, two.aheadMs),
  mapping: (good) => two.mapping(one.mapping(good)),
  cards: (good) => two.cards(one.cards(good)),
  refundsBlindly: one.refundsBlindly || two.refundsBlindly,
  started: async (...parts) => {
    await one.started(...parts)
    await two.started(...parts)
  },
  learned: (said) => two.learned(one.learned(said)),
  notice: (notice) => one.notice(notice) || two.notice(notice),
  numbers: (good) => two.numbers(one.numbers(good)),
  logged: (text) => {
    one.logged(text)
    two.logged(text)
  },
  accepts: (...call) => one.accepts(...call) || two.accepts(...call),
  before: async (passing) => (await one.before(passing)) || two.before(passing),
})

export const hooksOf = (plants: readonly Plant[], parts: Parts): Hooks =>
  plants.map((plant) => HOOKS[plant](parts)).reduce(both, GOOD)
