// Faults that are planted into the tiny adapter, one at a time: what a person in a hurry could write. Each must be found by its group.
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as kit from '@cowrie/connector-kit'
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import type { Json } from '../src/kit/http.ts'
import { parseObject, sendJson } from '../src/kit/http.ts'
import type { Numbered } from './tiny-numbers.ts'

/** By the group that must find it. */
export const PLANTS = {
  'any key is accepted': 1,
  'an order that comes again while the first is under way gets a session of its own': 2,
  'what was not answered is sent again at the start': 3,
  'a bar of an unknown session is not remembered': 4,
  'a report of a reversal is taken for a success': 5,
  'what is not JSON is a failure': 6,
  'reports are believed without a signature': 7,
  'a notice is sent once': 7,
  'a code that no table has is a failure': 8,
  'an amount is a floating-point number': 9,
  'a day is one of UTC': 10,
  'webhooks are logged as they come': 11,
  'a number is given twice': 12,
  'ten minutes are allowed to a clock': 13,
} as const
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
  readonly started: (store: kit.Store, mapping: kit.Mapping) => Promise<void>
  readonly learned: (said: kit.Known) => kit.Known
  /** True: the notice is dealt with. */
  readonly notice: (notice: Json) => boolean
  readonly numbers: (good: Numbered) => Numbered
  readonly logged: (webhook: string) => void
  /** True: the call is answered already. */
  readonly before: (passing: Passing) => Promise<boolean>
}

const GOOD: Hooks = {
  ...{ believes: false, aheadMs: 3_600_000 },
  mapping: (good) => good,
  started: async () => undefined,
  learned: (said) => said,
  notice: () => false,
  numbers: (good) => good,
  logged: () => undefined,
  before: async () => false,
}

const seconds = (): number => Math.floor(Date.now() / 1000)
const timeOff = ({ headers }: IncomingMessage): number => Math.abs(seconds() - Number(headers['cowrie-timestamp']))

/** Sends a call on to the kit with a signature that it accepts. */
async function resigned(
  { keys }: Parts,
  { request, response, kitUrl }: Passing,
  body: string,
  back = '',
): Promise<true> {
  const { method = '', url: path = '' } = request
  const headers = kit.sign(keys[0] ?? '', { method, path, body }, kit.systemClock)
  const answer = await fetch(kitUrl + path, { method, headers, ...(body === '' ? {} : { body }) })
  const json = (await answer.json()) as Json
  sendJson(response, answer.status, back === '' ? json : { ...json, sessionId: back })
  return true
}

const anyKey = (parts: Parts): Hooks => ({
  ...GOOD,
  before: async (passing) => timeOff(passing.request) <= 300 && resigned(parts, passing, passing.body),
})

function twice(parts: Parts): Hooks {
  const underWay = new Map<string, number>()
  return {
    ...GOOD,
    before: async (passing) => {
      const { sessionId } = parseObject(passing.body) ?? {}
      if (passing.request.url !== BANK_PATHS.payouts || typeof sessionId !== 'string') return false
      const before = underWay.get(sessionId) ?? 0
      underWay.set(sessionId, before + 1)
      passing.response.on('close', () => underWay.set(sessionId, (underWay.get(sessionId) ?? 1) - 1))
      if (before !== 1) return false
      const other = sessionId.replace(/^\d{6}/, '111111')
      return resigned(parts, passing, passing.body.replace(sessionId, other), sessionId)
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

function forgottenBars(): Hooks {
  const ordered = new Set<string>()
  return {
    ...GOOD,
    before: async ({ request, body, response }) => {
      const { sessionId } = parseObject(body) ?? {}
      if (typeof sessionId !== 'string') return false
      if (request.url === BANK_PATHS.payouts) ordered.add(sessionId)
      if (request.url !== BANK_PATHS.payoutBars || ordered.has(sessionId)) return false
      sendJson(response, 200, { sessionId, status: 'FAILED', responseCode: '21', message: 'No action taken' })
      return true
    },
  }
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

const tenMinutes = (parts: Parts): Hooks => ({
  ...GOOD,
  before: async (passing) => {
    const { request, body } = passing
    const { method = '', url: path = '' } = request
    const then = { now: () => new Date(Number(request.headers['cowrie-timestamp']) * 1000) }
    const right = kit.isSigned(parts.keys, { method, path, body }, request.headers, then)
    return right && timeOff(request) <= 600 && resigned(parts, passing, body)
  },
})

const HOOKS: Readonly<Record<Plant, (parts: Parts) => Hooks>> = {
  'any key is accepted': anyKey,
  'an order that comes again while the first is under way gets a session of its own': twice,
  'what was not answered is sent again at the start': () => sentAgain,
  'a bar of an unknown session is not remembered': forgottenBars,
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
}

export const hooksOf = (plant: Plant | null, parts: Parts): Hooks => (plant === null ? GOOD : HOOKS[plant](parts))
