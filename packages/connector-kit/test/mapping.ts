// The mapping of the bank of upstream.ts: what an integrator writes.
import { request } from 'undici'
import type { Accepted, Asked, Forwarded, Known, OrderMapping, Unknown } from '../src/orders/mapping.ts'

const OUTCOMES: Readonly<Record<string, Omit<Known, 'bankReference'> | Omit<Accepted, 'bankReference'>>> = {
  PAID: { kind: 'known', status: 'SUCCESS', code: '00' },
  REJECTED: { kind: 'known', status: 'FAILED', code: '07' },
  RETURNED: { kind: 'known', status: 'REVERSED', code: '05' },
  QUEUED: { kind: 'accepted' },
}
const unknown = (why: string): Unknown => ({ kind: 'unknown', why })

type Said = { readonly status?: string; readonly code?: string; readonly id?: string }

function outcomeOf({ status = '', id }: Said): Asked {
  const outcome = OUTCOMES[status]
  if (outcome === undefined) return unknown('a status that the table does not have')
  return id === undefined ? outcome : { ...outcome, bankReference: id }
}

export const createMapping = (upstreamUrl: () => string): OrderMapping => ({
  forward: async (order, { signal }): Promise<Forwarded> => {
    const { statusCode, body } = await request(`${upstreamUrl()}/transfers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
      signal,
    })
    const said = (await body.json()) as Said
    if (statusCode === 400 && said.code === 'NO_ACCOUNT') return { kind: 'refused', code: '07' }
    return statusCode === 200 ? outcomeOf(said) : unknown(`answered ${statusCode}`)
  },
  ask: async ({ reference }, { signal }): Promise<Asked> => {
    const { statusCode, body } = await request(`${upstreamUrl()}/transfers/${reference}`, { signal })
    const said = (await body.json()) as Said
    return statusCode === 200 ? outcomeOf(said) : unknown(`answered ${statusCode}`)
  },
})
