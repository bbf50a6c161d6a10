// The steps of a paycode, for tests: the request, the agent at the connector and at the simulator, and what
// the ledger says afterwards.

import { enquirePaycode, redeemPaycode } from '@cowrie/contract/bank/agent-connector'
import { expect } from 'vitest'
import { newSession, signature } from '../../bank/notices.ts'
import { type Answer, type Harness, type TestMerchant, unique } from '../../kit/harness.ts'

export const PAYCODES = '/api/v1/paycode'
export const pathOf = (reference: string, tail = ''): string => `${PAYCODES}/${encodeURIComponent(reference)}${tail}`

export const paycodeBody = (merchant: TestMerchant, over: Record<string, unknown> = {}) => ({
  beneficiaryName: 'Ada Obi',
  amount: 500,
  paycodeReference: unique('paycode'),
  clientId: merchant.apiKey,
  ...over,
})

export const ask = (h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}): Promise<Answer> =>
  h.as(merchant, 'POST', PAYCODES, paycodeBody(merchant, over))

/** A paycode that is accepted. */
export async function created(h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}): Promise<any> {
  const answer = await ask(h, merchant, over)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
export async function shown(h: Harness, merchant: TestMerchant, reference: string): Promise<any> {
  const answer = await h.as(merchant, 'GET', pathOf(reference))
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
export const statusOf = async (h: Harness, merchant: TestMerchant, reference: string): Promise<string> =>
  (await shown(h, merchant, reference)).transactionStatus
/** Its code in clear. */
export async function codeOf(h: Harness, merchant: TestMerchant, reference: string): Promise<string> {
  const answer = await h.as(merchant, 'GET', pathOf(reference, '/authorize'))
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody.paycode
}
/** One that is accepted, and its code. */
export async function issued(h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}) {
  const record = await created(h, merchant, over)
  const reference = record.paycodeReference as string
  return { record, reference, code: await codeOf(h, merchant, reference) }
}
export const cancel = (h: Harness, merchant: TestMerchant, reference: string): Promise<Answer> =>
  h.as(merchant, 'DELETE', pathOf(reference))

export const newAgent = (): string => unique('agent').slice(-40)
const asAgents = (h: Harness, path: string, body: unknown): Promise<Answer> => {
  const raw = JSON.stringify(body)
  return h.call('POST', path, { raw, headers: signature(h, raw, path) })
}
export const enquire = (h: Harness, paycode: string, agentId = newAgent()): Promise<Answer> =>
  asAgents(h, enquirePaycode.path, { paycode, agentId })
export const redeem = (h: Harness, paycode: string, over: Record<string, unknown> = {}): Promise<Answer> =>
  asAgents(h, redeemPaycode.path, { sessionId: newSession(), paycode, amount: '500.00', agentId: newAgent(), ...over })

/** The agent's own call at the simulator. */
export async function atAgent(h: Harness, path: string, body: unknown): Promise<{ status: number; json: any }> {
  const answer = await fetch(`${h.simulatorUrl}/api/agents/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, json: await answer.json() }
}

/** A code that is certainly another one, of the same cell. */
export const otherThan = (code: string): string =>
  code.slice(0, 2) + String((Number(code.slice(2)) + 1) % 100_000_000).padStart(8, '0')

/** What the ledger says of a merchant's paycodes, in kobo; the fee of 500 naira is 10. */
export async function money(h: Harness, merchant: TestMerchant) {
  const [row] = await h.sql<Record<'wallet' | 'hold' | 'agents' | 'fees', string>>(
    merchant.cell,
    `select coalesce(sum(e.kobo) filter (where e.account_id = $1::bigint * 16 + 9), 0) as wallet,
       coalesce(sum(e.kobo) filter (where e.account_id = $1::bigint * 16 + 10), 0) as hold,
       coalesce(sum(e.kobo) filter (where e.account_id = 7), 0) as agents,
       coalesce(sum(e.kobo) filter (where f.kind = 'PAYCODE' and e.account_id = 2), 0) as fees
     from transfers f join entries e on e.transfer_id = f.id where f.merchant_id = $1`,
    [merchant.id],
  )
  const of = (name: 'wallet' | 'hold' | 'agents' | 'fees'): bigint => BigInt(row?.[name] ?? 0)
  return { wallet: of('wallet'), hold: of('hold'), agents: of('agents'), fees: of('fees') }
}
export const HELD = { wallet: 949_000n, hold: 51_000n, agents: 0n, fees: 0n }
export const PAID = { wallet: 949_000n, hold: 0n, agents: 50_000n, fees: 1_000n }
export const RETURNED = { wallet: 1_000_000n, hold: 0n, agents: 0n, fees: 0n }

export const problemOf = (answer: { json: any }): string | undefined => answer.json?.problem?.code
export const eventsOf = async (h: Harness, merchant: TestMerchant, reference: string): Promise<any[]> => {
  const events: any[] = (await h.as(merchant, 'GET', '/sandbox/events?after=0')).json.responseBody
  return events.filter(({ object }) => object === reference)
}
