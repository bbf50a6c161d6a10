// The simulated bank of the sandbox, as its customer uses it: transfers, a phone that dials, the issuer's
// page.
import { Failure } from '../failure.ts'
import { why } from '../gateway.ts'

const ANSWER_MS = 20_000

/** How the bank can misbehave with a transfer; docs/sandbox-bank.md says what each does. */
export const WAYS = ['exact', 'twice', 'late', 'delayed', 'lost', 'reversed'] as const
export type Way = (typeof WAYS)[number]

export type Transfer = {
  readonly bankCode: string
  readonly accountNumber: string
  readonly amount: string
  readonly scenario?: Way
  readonly senderAccountNumber?: string
}
/** What the bank said to a transfer or to a dialled code. */
export type Received = {
  readonly sessionId: string
  readonly status: 'ACCEPTED' | 'REJECTED'
  readonly reason?: string
}

export type Bank = {
  readonly url: string
  transfer(transfer: Transfer): Promise<Received>
  dial(code: string): Promise<Received>
  /** The payer on the issuer's page of a 3-D Secure card. */
  decide(page: string, outcome: 'approve' | 'decline'): Promise<void>
  /** The customer decides about a mandate. */
  mandate(mandateCode: string, decision: 'authorize' | 'decline'): Promise<void>
  alive(): Promise<boolean>
}

export function openBank(url: string, signal: AbortSignal): Bank {
  const send = async (to: string, init: RequestInit): Promise<Response> => {
    try {
      return await fetch(to, { ...init, signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]) })
    } catch (error) {
      signal.throwIfAborted()
      throw new Failure(`The simulated bank at ${url} does not answer (${why(error)}). Does the sandbox still run?`)
    }
  }
  const post = async <T>(path: string, body: object): Promise<T> => {
    const headers = { 'content-type': 'application/json' }
    const answer = await send(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await answer.text()
    if (!answer.ok) throw new Failure(`The simulated bank refused (${answer.status}): ${text.slice(0, 200)}`)
    return JSON.parse(text) as T
  }
  return {
    url,
    // An amount goes to the bank as a number, and no amount of a sandbox is too large for one.
    transfer: ({ amount, ...rest }) => post('/api/transfers', { ...rest, amount: Number(amount) }),
    dial: (code) => post('/api/ussd', { code }),
    decide: async (page, outcome) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await send(page, { method: 'POST', headers, body: `outcome=${outcome}`, redirect: 'manual' })
      if (answer.status >= 400) throw new Failure(`The issuer's page answered ${answer.status}.`)
      const back = answer.headers.get('location')
      if (back !== null) await send(new URL(back, page).href, { method: 'GET', redirect: 'manual' })
    },
    mandate: async (mandateCode, decision) => {
      await post(`/api/mandates/${encodeURIComponent(mandateCode)}/${decision}`, {})
    },
    alive: () =>
      send(`${url}/health`, {}).then(
        ({ ok }) => ok,
        () => false,
      ),
  }
}
