// Where the examples of the reference are played: every request goes to a running gateway with its bank, and
// what it answers is kept.
import { signature } from '../../../apps/gateway/test/bank/notices.ts'
import type { Answer, Harness, TestMerchant } from '../../../apps/gateway/test/kit/harness.ts'
import type { Route } from '../../../packages/contract/src/kit/spec.ts'
import type { Example } from '../../../packages/contract/src/reference/examples.ts'

export type Sent = Pick<Example, 'path' | 'query' | 'body'>

/** A merchant whose transfers need a code, beside those of the harness. */
export type Cast = {
  readonly main: TestMerchant
  readonly coded: TestMerchant
  readonly other: TestMerchant
  readonly second: TestMerchant
}

export type Stage = {
  readonly h: Harness
  readonly cast: Cast
  /** Sends the example of an operation, and gives its `responseBody`. */
  readonly example: (route: Route, sent?: Sent, by?: TestMerchant) => Promise<unknown>
  /** Sends what an example needs before it. */
  readonly prepare: (route: Route, sent?: Sent, by?: TestMerchant, headers?: Record<string, string>) => Promise<unknown>
  /** What was read out of a text that the gateway gave: the code of a mail. */
  readonly read: (value: string) => string
  /** A customer transfers money. */
  readonly pay: (accountNumber: string, naira: number) => Promise<void>
  /** A form or a call at the simulator. */
  readonly atBank: (path: string) => Promise<void>
  /** What the bank's own books show. */
  readonly bankShows: (path: string) => Promise<readonly unknown[]>
  /** `2026-05-31 18:00:00` of West Africa, so many seconds ahead. */
  readonly moment: (seconds: number) => string
  /** `2026-05-31T00:00:00.000`, the day that is so many seconds ahead. */
  readonly midnight: (seconds: number) => string
  /** ISO 8601, UTC. */
  readonly now: () => string
  /** What was sent as the example of each operation, and what came back. */
  readonly played: ReadonlyMap<string, Example>
  /** Every value that the gateway or the clock gave. */
  readonly given: ReadonlySet<unknown>
}

/** A text deep in an answer: `otpData.id`, `content.0.eventId`. */
export function at(value: unknown, path: string): string {
  const found = path
    .split('.')
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], value)
  if (typeof found !== 'string') throw new Error(`no text at ${path} of ${JSON.stringify(value)}`)
  return found
}

function* leavesOf(value: unknown): Generator<unknown> {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) yield* leavesOf(inner)
  else yield value
}

const targetOf = ({ path, id }: Route, sent: Sent): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = sent.path?.[name]
    if (value === undefined) throw new Error(`${id} needs ${name} in its path`)
    return encodeURIComponent(value)
  })
  return sent.query ? `${filled}?${new URLSearchParams(sent.query).toString()}` : filled
}

async function send(
  h: Harness,
  route: Route,
  sent: Sent,
  by: TestMerchant,
  more: Record<string, string> = {},
): Promise<Answer> {
  const target = targetOf(route, sent)
  if (route.auth === 'bearer') return h.as(by, route.method, target, sent.body, more)
  const raw = sent.body === undefined ? undefined : JSON.stringify(sent.body)
  const basic = { authorization: `Basic ${Buffer.from(`${by.apiKey}:${by.secretKey}`).toString('base64')}` }
  const headers = route.auth === 'basic' ? basic : route.auth === 'bank' ? signature(h, raw ?? '', route.path) : {}
  return h.call(route.method, target, { ...(raw === undefined ? {} : { raw }), headers: { ...headers, ...more } })
}

export function openStage(h: Harness, cast: Cast): Stage {
  const played = new Map<string, Example>()
  const given = new Set<unknown>()
  const keep = (value: unknown): void => {
    for (const leaf of leavesOf(value)) given.add(leaf)
  }
  for (const merchant of Object.values(cast)) keep([merchant.apiKey, merchant.contractCode, merchant.walletNumber])
  const prepare = async (route: Route, sent: Sent = {}, by = cast.main, headers?: Record<string, string>) => {
    const answer = await send(h, route, sent, by, headers)
    if (answer.status !== 200) throw new Error(`${route.id} answered ${answer.status} ${answer.text}`)
    const reply: unknown = route.file ? answer.text : answer.json.responseBody
    keep(reply)
    return reply
  }
  const moment = (seconds: number): string => {
    const time = h.gateway.ctx.clock.now().getTime() + (seconds + 3_600) * 1_000
    const text = new Date(time).toISOString().slice(0, 19).replace('T', ' ')
    given.add(text)
    return text
  }
  return {
    h,
    cast,
    played,
    given,
    prepare,
    moment,
    example: async (route, sent = {}, by) => {
      if (played.has(route.id)) throw new Error(`${route.id} has two examples`)
      const reply = await prepare(route, sent, by)
      played.set(route.id, { ...sent, ...(reply === undefined ? {} : { reply }) })
      return reply
    },
    read: (value) => {
      given.add(value)
      return value
    },
    pay: async (accountNumber, naira) => {
      const answer = await h.pay(accountNumber, naira)
      if (answer.json.status !== 'ACCEPTED') throw new Error(`the bank answered ${answer.text}`)
      keep(answer.json)
    },
    atBank: async (path) => {
      const answer = await fetch(h.simulatorUrl + path, { method: 'POST' })
      if (answer.status !== 200) throw new Error(`the bank answered ${answer.status} to ${path}`)
    },
    midnight: (seconds) => {
      const text = `${moment(seconds).slice(0, 10)}T00:00:00.000`
      given.add(text)
      return text
    },
    bankShows: async (path) => {
      const shown = (await (await fetch(h.simulatorUrl + path)).json()) as unknown[]
      keep(shown)
      return shown
    },
    now: () => {
      const text = h.gateway.ctx.clock.now().toISOString()
      given.add(text)
      return text
    },
  }
}
