// The agent by page and by call: what is asked of the gateway, what is said without an answer, and what is
// never kept.
import { expect, test } from 'vitest'
import { type Json, useBank } from '../../test/bank.ts'

const bank = useBank()
const CODE = '0148210958'

const redeem = (more: Json = {}) => bank.call('POST', '/api/agents/redeem', { paycode: CODE, amount: 500, ...more })
const post = async (path: string, fields: Record<string, string>): Promise<{ status: number; text: string }> => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await fetch(bank.url() + path, {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields).toString(),
  })
  return { status: answer.status, text: await answer.text() }
}

test('PAID after the gateway has answered, under a session of thirty digits; repeated it is not asked again', async () => {
  const { status, json } = await redeem()
  expect([status, json]).toEqual([
    200,
    {
      sessionId: expect.stringMatching(/^\d{30}$/),
      status: 'PAID',
      amount: '500.00',
      paycode: '******58',
      agentId: 'AGENT-0001',
      beneficiaryName: 'Ada Obi',
    },
  ])
  expect(bank.redemptions).toEqual([
    { sessionId: json['sessionId'], paycode: CODE, agentId: 'AGENT-0001', amount: '500.00' },
  ])
  expect((await redeem({ sessionId: json['sessionId'] })).json).toEqual(json)
  expect(bank.redemptions).toHaveLength(1)
  expect((await redeem({ sessionId: json['sessionId'], amount: 501 })).status).toBe(409)
  expect((await bank.call('GET', `/api/agents/redemptions?sessionId=${String(json['sessionId'])}`)).json).toEqual([
    json,
  ])
})

test('REFUSED with the words of the gateway, for good', async () => {
  bank.paycodeStatus = 404
  const { json } = await redeem()
  expect(json).toMatchObject({ status: 'REFUSED', reason: 'No such paycode' })
  bank.paycodeStatus = 200
  expect((await redeem({ sessionId: json['sessionId'] })).json).toEqual(json)
  expect((await bank.call('POST', '/api/agents/enquire', { paycode: CODE })).json).toEqual({
    beneficiaryName: 'Ada Obi',
    amount: '500.00',
  })
})

test('UNKNOWN without an answer, and then what the gateway says under the same session', async () => {
  await bank.closeGateway()
  const { json } = await redeem()
  expect(json['status']).toBe('UNKNOWN')
  expect((await bank.call('POST', '/api/agents/enquire', { paycode: CODE })).status).toBe(503)
  await bank.reopenGateway()
  for (const status of [500, 401]) {
    bank.paycodeStatus = status
    expect((await redeem({ sessionId: json['sessionId'] })).json['status']).toBe('UNKNOWN')
  }
  bank.paycodeStatus = 200
  expect((await redeem({ sessionId: json['sessionId'] })).json['status']).toBe('PAID')
  expect(new Set(bank.redemptions.map(({ sessionId }) => sessionId)).size).toBe(1)
})

test('the code is in no row and no log', async () => {
  await redeem()
  await redeem({ scenario: 'lost' })
  const rows = await bank.query('select r::text as line from agent_redemptions r')
  expect(rows).toHaveLength(2)
  expect(JSON.stringify(rows) + bank.logged.join('\n')).not.toContain(CODE)
})

test('400 for a code, an amount, a session or a scenario that cannot be read', async () => {
  for (const more of [
    { paycode: '123' },
    { paycode: 148210958 },
    { amount: 0 },
    { amount: '1e3' },
    { sessionId: '1' },
    { scenario: 'late' },
    { agentId: 'ä' },
  ])
    expect((await redeem(more)).status).toBe(400)
  expect(bank.redemptions).toEqual([])
})

test('by page: look up, check the person, redeem; without an answer ask again under the same session', async () => {
  const till = await fetch(`${bank.url()}/agent`)
  expect([till.status, (await till.text()).includes('Pay out a paycode')]).toEqual([200, true])
  expect((await post('/agent', { paycode: '12' })).status).toBe(400)
  const confirm = await post('/agent', { paycode: '01 4821 0958', agentId: 'Till 7' })
  expect(confirm.text).toContain('Ada Obi')
  expect(confirm.text).toContain('₦500.00')
  const hidden = Object.fromEntries(
    [...confirm.text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  ) as Record<string, string>
  expect(hidden).toMatchObject({ paycode: CODE, amount: '500.00', agentId: 'Till 7' })
  bank.paycodeStatus = 500
  const silent = await post('/agent/redeem', hidden)
  expect(silent.text).toContain('Ask again')
  bank.paycodeStatus = 200
  const done = await post('/agent/redeem', hidden)
  expect(done.text).toContain('Hand over the cash')
  expect(done.text).not.toContain(CODE)
  bank.paycodeStatus = 404
  const wrong = await post('/agent', { paycode: CODE })
  expect([wrong.status, wrong.text.includes('No such paycode'), wrong.text.includes(CODE)]).toEqual([404, true, false])
})
