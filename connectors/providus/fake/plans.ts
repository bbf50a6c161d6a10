// How the next calls are treated: the faults of the bank, chosen by whoever examines an adapter.
import type { ServerResponse } from 'node:http'

export const CALLS = ['order', 'inquiry', 'name', 'numbers', 'verify', 'balance', 'banks'] as const
export type Call = (typeof CALLS)[number]
export const BEHAVIOURS = ['pay', 'pend', 'mute', 'deaf', 'slow', 'status', 'html', 'half', 'code'] as const
export type Behaviour = (typeof BEHAVIOURS)[number]

export type Plan = {
  readonly behaviour: Behaviour
  readonly status: number
  readonly delayMs: number
  readonly code: string
  readonly taken: boolean
}
const TAKES: Readonly<Record<Behaviour, boolean>> = {
  ...{
    pay: true,
    pend: true,
    mute: true,
    deaf: false,
    slow: true,
    status: false,
    html: false,
    half: true,
    code: false,
  },
}
export const USUAL: Plan = { behaviour: 'pay', status: 200, delayMs: 0, code: '00', taken: true }

export function createPlans() {
  const queues = new Map<string, Plan[]>()
  return {
    add: (on: string, said: Partial<Plan> & { readonly behaviour: Behaviour }, times: number): void => {
      const plan = { ...USUAL, taken: TAKES[said.behaviour], ...said }
      queues.set(on, [...(queues.get(on) ?? []), ...Array.from({ length: times }, () => plan)])
    },
    next: (on: Call): Plan => queues.get(on)?.shift() ?? USUAL,
    reset: (): void => queues.clear(),
  }
}

/** Sends the answer of the bank, or spoils it. `text` is the usual body. */
export function play(plan: Plan, response: ServerResponse, status: number, text: string): void {
  const { behaviour } = plan
  const send = (code: number, body: string, type = 'application/json'): void => {
    response.writeHead(code, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body)
  }
  if (behaviour === 'mute' || behaviour === 'deaf') return
  if (behaviour === 'slow') setTimeout(() => send(status, text), plan.delayMs).unref()
  else if (behaviour === 'status')
    send(plan.status, '{"requestSuccessful":false,"responseMessage":"Exception; Failed","responseCode":"03"}')
  else if (behaviour === 'html')
    send(200, '<html><body><h1>Service Temporarily Unavailable</h1></body></html>', 'text/html')
  else if (behaviour === 'half') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    response.write(text.slice(0, Math.floor(text.length / 2)), () => response.destroy())
  } else send(status, text)
}
