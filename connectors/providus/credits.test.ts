// Money received, from the bank's webhook to the gateway's notice: only the bank's own answer counts.

import { describe, expect, test } from 'vitest'
import type { Program } from '../../packages/connector-kit/test/programs.ts'
import { signatureOf } from './src/upstream.ts'
import { useBank } from './test/harness.ts'
import { LOGIN } from './test/processes.ts'

const bank = useBank()
const { gateway } = bank

const post = async ({ webhooks }: Program, body: unknown, signature = signatureOf(LOGIN)) => {
  const headers = { 'content-type': 'application/json', 'X-Auth-Signature': signature }
  const response = await fetch(`${webhooks}/providus`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, json: (await response.json()) as Record<string, unknown> }
}
const claims = () => bank.query(`select id, state from ${bank.store().schema}.claims order by id`)
const received = () => gateway.accepted()

describe('a webhook', () => {
  test('is verified, then counted once; amount, time, account and sender are those of the bank', async () => {
    const adapter = await bank.adapter()
    const at = '2026-11-18T23:30:05.000Z'
    const reference = await bank.fake.credit({ kobo: '101550', feeKobo: '4500', at, narration: 'Order 17' })
    expect(await bank.fake.deliver(reference)).toEqual(['00'])
    await expect.poll(received).toHaveLength(1)
    expect(gateway.received[0]).toMatchObject({
      path: '/connector/v2/credits',
      message: {
        ...{ reference, bankCode: '101', accountNumber: '9970000000', amount: '1015.50', paidAt: at },
        ...{ senderName: 'ADA OBI', senderAccountNumber: '2093566866', senderBankCode: '033', narration: 'Order 17' },
      },
    })
    expect(await bank.fake.deliver(reference)).toEqual(['01'])
    expect((await post(adapter, { sessionId: reference })).json).toMatchObject({
      ...{
        requestSuccessful: true,
        sessionId: reference,
        responseCode: '01',
        responseMessage: 'duplicate transaction',
      },
    })
    expect(received()).toHaveLength(1)
  })

  test('with another amount than the bank has counts what the bank has', async () => {
    await bank.adapter()
    const reference = await bank.fake.credit({ kobo: '1015' })
    expect(await bank.fake.post('/exam/webhook', { kind: 'credit', reference, forged: 'contents' })).toEqual({
      statuses: [200],
    })
    await expect.poll(received).toMatchObject([{ reference, amount: '10.15' }])
  })

  test('with a wrong signature leaves no trace', async () => {
    const adapter = await bank.adapter()
    const reference = await bank.fake.credit()
    expect(await bank.fake.post('/exam/webhook', { kind: 'credit', reference, forged: 'signature' })).toEqual({
      statuses: [401],
    })
    for (const signature of ['', 'x', `${signatureOf(LOGIN)}0`])
      expect((await post(adapter, { sessionId: reference }, signature)).status).toBe(401)
    expect(await claims()).toEqual([])
    expect(received()).toEqual([])
  })

  test('that names what the bank does not know counts nothing, and is not rejected for ever', async () => {
    const adapter = await bank.adapter()
    const sessionId = '000004261118000000000000000001'
    const forged = { sessionId, accountNumber: '9970000000', transactionAmount: '900000', currency: 'NGN' }
    expect((await post(adapter, forged)).json).toMatchObject({ responseCode: '03' })
    expect(await claims()).toEqual([{ id: `session:${sessionId}`, state: 'WAITING' }])
    // The bank may only be late: when it knows it, its own amount counts.
    await bank.fake.credit({ sessionId, kobo: '500' })
    expect((await post(adapter, forged)).json).toMatchObject({ responseCode: '00' })
    await expect.poll(received).toMatchObject([{ reference: sessionId, amount: '5.00' }])
  })

  test('that names nothing, no object, or a session that is two words, too long or a number is rejected', async () => {
    const adapter = await bank.adapter()
    for (const body of [{}, 'x', { sessionId: 'two words' }, { sessionId: '1'.repeat(61) }, { sessionId: 5 }])
      expect(await post(adapter, body)).toMatchObject({ status: 400, json: { responseCode: '02' } })
    expect(await claims()).toEqual([])
  })

  test('that has a settlement and no session is verified by it', async () => {
    const adapter = await bank.adapter()
    const reference = await bank.fake.credit()
    const [credit] = (await bank.fake.get('/fake/credits'))['credits'] as { readonly settlementId: string }[]
    const settlementId = credit?.settlementId
    expect((await post(adapter, { settlementId })).json).toMatchObject({ responseCode: '00' })
    await expect.poll(received).toMatchObject([{ reference }])
    // The same money by its other name is the same notice.
    expect((await post(adapter, { sessionId: reference, settlementId })).json['responseCode']).toMatch(/00|01/)
    await expect.poll(async () => (await claims()).map(({ state }) => state)).toEqual(['CONFIRMED', 'CONFIRMED'])
    expect(received()).toHaveLength(1)
  })

  test('at once from a hundred callers counts once', async () => {
    const adapter = await bank.adapter()
    const sessionId = await bank.fake.credit()
    await Promise.all(Array.from({ length: 100 }, () => post(adapter, { sessionId })))
    await expect.poll(received).toHaveLength(1)
    expect(await bank.query(`select count(*)::int as count from ${bank.store().schema}.notices`)).toEqual([
      { count: 1 },
    ])
  })
})

describe('what the bank does not say', () => {
  test('is left out: a sender of blanks and "null", and a bank that nobody knows', async () => {
    await bank.adapter()
    const sender = { senderName: 'null', senderAccountNumber: ' ', senderBankCode: '701', senderBankName: '' }
    await bank.fake.deliver(await bank.fake.credit(sender))
    await bank.fake.deliver(await bank.fake.credit({ senderBankName: 'BANK OF NOWHERE' }))
    await expect.poll(received).toHaveLength(2)
    const [first, second] = received()
    for (const name of ['senderName', 'senderAccountNumber', 'senderBankCode']) expect(first).not.toHaveProperty(name)
    expect(second).not.toHaveProperty('senderBankCode')
  })

  test('no digit is lost between the bank and the gateway, from one kobo to fourteen digits of them', async () => {
    await bank.adapter()
    const amounts = ['1', '29', '115', '435', '1999', '100505', '123456789', '98765432109877']
    for (const kobo of amounts) await bank.fake.deliver(await bank.fake.credit({ kobo }))
    await expect.poll(received).toHaveLength(amounts.length)
    const digits = (received() as { readonly amount: string }[]).map(({ amount }) => amount.replace('.', ''))
    expect(digits.map((text) => text.replace(/^0+/, ''))).toEqual(amounts)
  })

  test('a session that is not of thirty digits is a reference all the same', async () => {
    await bank.adapter()
    const sessionId = '09FG240119090404935XTTGA9'
    expect(await bank.fake.deliver(await bank.fake.credit({ sessionId }))).toEqual(['00'])
    await expect.poll(received).toMatchObject([{ reference: sessionId }])
  })
})

describe('what was missed', () => {
  test.each([
    ['500', 'status', { status: 500 }],
    ['a page of HTML', 'html', {}],
    ['half a body', 'half', {}],
  ])('the bank answers %s for all of its five attempts: asked again until it answers', async (_name, how, more) => {
    await bank.adapter()
    const reference = await bank.fake.credit()
    await bank.fake.next('verify', how, { ...more, times: 5 })
    expect(await bank.fake.deliver(reference)).toEqual(Array(5).fill('03'))
    expect(received()).toEqual([])
    await expect.poll(received, { timeout: 20_000 }).toMatchObject([{ reference, amount: '1015.50' }])
  })

  test('the gateway is away: the bank is answered, and the notice is kept', async () => {
    await bank.adapter()
    gateway.answer = () => 503
    const reference = await bank.fake.credit()
    expect(await bank.fake.deliver(reference)).toEqual(['00'])
    await expect.poll(() => gateway.received.length).toBeGreaterThan(0)
    gateway.answer = () => 200
    await expect.poll(received, { timeout: 20_000 }).toMatchObject([{ reference }])
  })

  test('the adapter was away for all five: a person names the session, and the bank confirms it', async () => {
    const first = await bank.adapter()
    await first.kill()
    const reference = await bank.fake.credit()
    expect(await bank.fake.deliver(reference)).toEqual(Array(5).fill(null))
    await bank.adapter()
    const never = '000004261118000000000000000009'
    expect(await bank.recover(reference, never)).toBe(`${reference} counted\n${never} open\n`)
    await expect.poll(received).toMatchObject([{ reference }])
    expect(await bank.recover(reference)).toBe(`${reference} repeated\n`)
    expect(received()).toHaveLength(1)
  })
})
