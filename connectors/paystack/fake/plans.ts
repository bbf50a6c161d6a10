// How the next calls are treated: the faults of an acquirer, chosen by whoever tests an adapter.
import type { ServerResponse } from 'node:http'

export const CALLS = ['charge', 'input', 'verify', 'check', 'refund', 'refunds', 'dispute'] as const
export type Call = (typeof CALLS)[number]
export const BEHAVIOURS = ['pay', 'pend', 'mute', 'deaf', 'slow', 'status', 'html', 'half', 'code'] as const
export type Behaviour = (typeof BEHAVIOURS)[number]

export type Plan = {
  readonly behaviour: Behaviour
  readonly status: number
  readonly delayMs: number
  /** The status of the charge or of the refund that is answered, and its text. */
  readonly code: string
  readonly text: string
  readonly taken: boolean
}
const NOT_TAKEN: ReadonlySet<Behaviour> = new Set(['deaf', 'status', 'html'])
export const USUAL: Plan = { behaviour: 'pay', status: 200, delayMs: 0, code: '', text: '', taken: true }

export function createPlans() {
  const queues = new Map<string, Plan[]>()
  return {
    add: (on: string, said: Partial<Plan> & { readonly behaviour: Behaviour }, times: number): void => {
      const plan = { ...USUAL, taken: !NOT_TAKEN.has(said.behaviour), ...said }
      queues.set(on, [...(queues.get(on) ?? []), ...Array.from({ length: times }, () => plan)])
    },
    next: (on: Call): Plan => queues.get(on)?.shift() ?? USUAL,
    reset: (): void => queues.clear(),
  }
}
export type Plans = ReturnType<typeof createPlans>

/** Sends the answer, or spoils it. */
export function play(plan: Plan, response: ServerResponse, status: number, body: unknown): void {
  const { behaviour } = plan
  const text = JSON.stringify(body)
  const send = (code: number, sent: string, type = 'application/json'): void => {
    response.writeHead(code, { 'content-type': type, 'content-length': Buffer.byteLength(sent) }).end(sent)
  }
  if (behaviour === 'mute' || behaviour === 'deaf') return
  if (behaviour === 'slow') setTimeout(() => send(status, text), plan.delayMs).unref()
  else if (behaviour === 'status') send(plan.status, '{"status":false,"message":"The request could not be processed"}')
  else if (behaviour === 'html') send(200, '<html><body><h1>502 Bad Gateway</h1></body></html>', 'text/html')
  else if (behaviour === 'half') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    response.write(text.slice(0, Math.floor(text.length / 2)), () => response.destroy())
  } else send(status, text)
}
