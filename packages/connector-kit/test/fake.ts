// The frame of a fake bank: a process that listens for the interface of its bank and, below /exam and /fake,
// for whoever tells it how to behave and reads its books. What the bank itself is, each fake brings.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const BEHAVIOURS = ['pay', 'pend', 'mute', 'deaf', 'slow', 'status', 'html', 'half', 'code'] as const
export type Behaviour = (typeof BEHAVIOURS)[number]
export type Body = Readonly<Record<string, unknown>>

/** How one call is treated. */
export type Plan = {
  readonly behaviour: Behaviour
  readonly status: number
  readonly delayMs: number
  /** What the bank answers in place of its usual word, and the text that goes with it. */
  readonly code: string
  readonly text: string
  /** Whether the bank does what it is asked for, however it answers. */
  readonly taken: boolean
}
const USUAL: Plan = { behaviour: 'pay', status: 500, delayMs: 0, code: '', text: '', taken: true }
const NOT_TAKEN: ReadonlySet<Behaviour> = new Set(['deaf', 'status', 'html'])

/** The faults of a bank, chosen by whoever examines an adapter. `codeTakes`: whether the bank does what it
 *  answers with this code. */
export function createPlans<Call extends string>(calls: readonly Call[], codeTakes: (code: string) => boolean) {
  const queues = new Map<string, Plan[]>()
  return {
    calls,
    /** False: there is no such call, or no such behaviour. */
    add: ({ on, times = 1, ...how }: Body): boolean => {
      const behaviour = BEHAVIOURS.find((one) => one === how['behaviour'])
      const call = calls.find((one) => one === on)
      if (behaviour === undefined || call === undefined) return false
      const taken =
        behaviour === 'code' ? codeTakes(typeof how['code'] === 'string' ? how['code'] : '') : !NOT_TAKEN.has(behaviour)
      const plan: Plan = { ...USUAL, taken, ...how, behaviour }
      queues.set(call, [...(queues.get(call) ?? []), ...Array.from({ length: Number(times) }, () => plan)])
      return true
    },
    next: (on: Call): Plan => queues.get(on)?.shift() ?? USUAL,
    reset: (): void => queues.clear(),
  }
}
export type Plans<Call extends string> = ReturnType<typeof createPlans<Call>>

export function sendText(response: ServerResponse, status: number, text: string, type = 'application/json'): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text)
}

/** What a bank in trouble answers: the body beside a status, and the page of whatever stands before it. */
export type Trouble = { readonly fault: string; readonly page: string }

/** Sends the answer of the bank, or spoils it. */
export function play(plan: Plan, response: ServerResponse, status: number, text: string, trouble: Trouble): void {
  switch (plan.behaviour) {
    case 'mute':
    case 'deaf':
      return
    case 'slow':
      setTimeout(() => sendText(response, status, text), plan.delayMs).unref()
      return
    case 'status':
      sendText(response, plan.status, trouble.fault)
      return
    case 'html':
      sendText(response, 200, `<html><body><h1>${trouble.page}</h1></body></html>`, 'text/html')
      return
    case 'half':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      response.write(text.slice(0, Math.floor(text.length / 2)), () => response.destroy())
      return
    case 'code':
    case 'pay':
    case 'pend':
      sendText(response, status, text)
  }
}

/** What the fake cannot play, in words: answered with 409. */
export class CannotPlay extends Error {
  override name = 'CannotPlay'
}

const WEBHOOK_MS = 20_000
/** The adapter's answer to a webhook; null: none came. */
export async function postWebhook(url: string, headers: Readonly<Record<string, string>>, body: string) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      signal: AbortSignal.timeout(WEBHOOK_MS),
    })
    return { status: response.status, text: await response.text() }
  } catch {
    return null
  }
}

/** A call of the control interface. Null, or nothing: there is no such thing. */
export type Controls = Readonly<Record<string, (body: Body) => unknown>>

/** The calls that every fake has: what it can play, the next plans, and a webhook as often as it is asked
 *  for. */
export const sharedControls = (
  plans: Pick<Plans<string>, 'calls' | 'add' | 'reset'>,
  playing: object,
  webhook: (body: Body) => Promise<number | null | undefined>,
): Controls => ({
  'GET /exam': () => ({ behaviours: BEHAVIOURS, calls: plans.calls, ...playing }),
  'POST /exam/next': (body) => (plans.add(body) ? {} : null),
  'POST /exam/reset': () => {
    plans.reset()
    return {}
  },
  'POST /exam/webhook': async (body) => {
    const statuses: (number | null)[] = []
    for (let turn = 0; turn < Number(body['times'] ?? 1); turn += 1) {
      const status = await webhook(body)
      if (status === undefined) return null
      statuses.push(status)
    }
    return { statuses }
  },
})

/** The settings of the process: JSON in its first argument. */
export const readSettings = <Config>(): Config => JSON.parse(process.argv[2] ?? '{}') as Config

/** `bank` is false for what is not a call of the bank. */
type Fake = {
  readonly bank: (request: IncomingMessage, response: ServerResponse, text: string) => boolean
  readonly controls: Controls
}

async function handle({ bank, controls }: Fake, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  if (bank(request, response, text)) return
  const route = `${request.method} ${request.url}`
  const call = Object.hasOwn(controls, route) ? controls[route] : undefined
  try {
    const answer = await call?.((text === '' ? {} : JSON.parse(text)) as Body)
    sendText(response, answer == null ? 404 : 200, JSON.stringify(answer ?? {}))
  } catch (error) {
    if (!(error instanceof CannotPlay)) throw error
    sendText(response, 409, JSON.stringify({ why: error.message }))
  }
}

/** Listens, says where, and ends with the process that started it. */
export function serveFake(port: number, fake: Fake): void {
  if (process.channel) process.on('disconnect', () => process.exit(0))
  const server = createServer(
    (request, response) => void handle(fake, request, response).catch(() => response.destroy()),
  )
  server.listen(port, '127.0.0.1', () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    process.stdout.write(`${JSON.stringify({ url })}\n`)
    process.send?.({ url })
  })
}
