// Payouts, names and balances over HTTP, with the faults that a bank has.
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { CONNECTOR_PATHS } from '@cowrie/contract/bank/v2/connectors'
import { describe, expect, test } from 'vitest'
import { call } from '../../packages/connector-kit/test/gateway.ts'
import { newOrder } from '../../packages/connector-kit/test/samples.ts'
import { PUBLISHED } from './fake/codes.ts'
import { referenceOf } from './src/mapping.ts'
import { useBank } from './test/harness.ts'
import { DEBIT_ACCOUNT } from './test/processes.ts'

const bank = useBank()

const order = async (url: string, message = newOrder()) => {
  const reply = await call(url, 'POST', BANK_PATHS.payouts, message)
  return { ...message, status: reply?.json['status'], code: reply?.json['responseCode'] }
}
const statusOf = async (url: string, sessionId: string) =>
  (await call(url, 'POST', BANK_PATHS.payoutInquiries, { sessionId }))?.json['status']

describe('a payout', () => {
  test('to another bank: by its code of the network, once, under a reference of ours', async () => {
    const { url } = await bank.adapter()
    const message = newOrder({ amount: '12500.05' })
    const paid = await order(url, message)
    expect(paid).toMatchObject({ status: 'SUCCESS', code: '00' })
    expect(await order(url, message)).toMatchObject({ status: 'SUCCESS' })
    expect(await bank.fake.orders()).toMatchObject([
      {
        ...{ reference: referenceOf(paid.sessionId), kobo: '1250005', status: 'SUCCESS' },
        ...{ bankCode: '000013', accountNumber: '0123456789' },
      },
    ])
    const rows = await bank.query(`select bank_reference from ${bank.store().schema}.orders`)
    expect(rows[0]?.['bank_reference']).toMatch(/^000023\d{24}$/)
  })

  test('to an account at this bank: within the bank, from our account, and asked about there', async () => {
    const { url } = await bank.adapter()
    await bank.fake.next('order', 'pend')
    const paid = await order(url, newOrder({ destinationBankCode: '101' }))
    expect(paid.status).toBe('PENDING')
    await bank.fake.post('/exam/settle', { reference: referenceOf(paid.sessionId), status: 'SUCCESS' })
    expect(await statusOf(url, paid.sessionId)).toBe('SUCCESS')
    expect(await bank.fake.orders()).toMatchObject([{ bankCode: '101', accountNumber: '0123456789' }])
  })

  test('to a bank that the network does not have is refused before anything is sent', async () => {
    const { url } = await bank.adapter()
    expect(await order(url, newOrder({ destinationBankCode: '00000' }))).toMatchObject({ status: 'FAILED', code: '16' })
    expect(await bank.fake.received()).toEqual([])
  })

  test('that the bank never received is PENDING with 96 until two people end it by name', async () => {
    const { url } = await bank.adapter()
    await bank.fake.next('order', 'status', { status: 503 })
    const { sessionId, status, code } = await order(url)
    expect([status, code]).toEqual(['PENDING', '96'])
    expect(await statusOf(url, sessionId)).toBe('PENDING')
    expect(await bank.settle('Bayo Ade', 'FAILED', sessionId)).toContain('waits for another person')
    expect(await bank.settle('Ada Obi', 'FAILED', sessionId)).toBe(`${sessionId} ended\n`)
    expect(await statusOf(url, sessionId)).toBe('FAILED')
    await expect.poll(() => bank.gateway.accepted()).toMatchObject([{ sessionId, status: 'FAILED' }])
    expect(await bank.fake.orders()).toEqual([])
  })

  test('that the bank works on is PENDING until it says how it ended', async () => {
    const { url } = await bank.adapter()
    await bank.fake.next('order', 'pend', { times: 2 })
    const [one, two] = [await order(url), await order(url)]
    expect([one.status, two.status]).toEqual(['PENDING', 'PENDING'])
    expect(await statusOf(url, one.sessionId)).toBe('PENDING')
    await bank.fake.post('/exam/settle', { reference: referenceOf(one.sessionId), status: 'SUCCESS' })
    await bank.fake.post('/exam/settle', { reference: referenceOf(two.sessionId), status: 'FAILED' })
    expect(await statusOf(url, one.sessionId)).toBe('SUCCESS')
    expect(await statusOf(url, two.sessionId)).toBe('FAILED')
  })
})

describe('a fault of the bank', () => {
  test.each([
    ['500', 'status', { status: 500 }, false],
    ['401', 'status', { status: 401 }, false],
    ['500, and it has paid', 'status', { status: 500, taken: true }, true],
    ['a page of HTML', 'html', {}, false],
    ['a page of HTML, and it has paid', 'html', { taken: true }, true],
    ['half a body', 'half', {}, true],
    ['"reference exists"', 'code', { code: '7709', taken: false }, false],
    ['silence, and it has paid', 'mute', {}, true],
    ['silence', 'deaf', {}, false],
  ])('%s: PENDING, never sent again, and then the truth', async (_name, how, more, paid) => {
    const { url } = await bank.adapter()
    await bank.fake.next('order', how, more)
    const { sessionId, status } = await order(url)
    expect(status).toBe('PENDING')
    const expected = paid ? 'SUCCESS' : 'PENDING'
    expect(await statusOf(url, sessionId)).toBe(expected)
    expect((await call(url, 'POST', BANK_PATHS.payoutBars, { sessionId }))?.json['status']).toBe(expected)
    expect(await bank.fake.received()).toEqual([referenceOf(sessionId)])
  })

  test('a question that fails says nothing about the money', async () => {
    const { url } = await bank.adapter()
    await bank.fake.next('order', 'pend')
    const { sessionId } = await order(url)
    for (const [how, more] of [
      ['status', { status: 500 }],
      ['html', {}],
      ['half', {}],
    ] as const) {
      await bank.fake.next('inquiry', how, more)
      expect(await statusOf(url, sessionId)).toBe('PENDING')
    }
  })

  test('a slow answer is waited for', async () => {
    const { url } = await bank.adapter()
    await bank.fake.next('order', 'slow', { delayMs: 1_500 })
    expect(await order(url)).toMatchObject({ status: 'SUCCESS' })
  })
})

test('every published code, and codes that nobody published: what is not certain is PENDING', async () => {
  const { url } = await bank.adapter()
  const strange = ['99', 'ZZ', '', '7701', '000', 'toString', '__proto__', '21', '14'].map((code) => ({
    code,
    outcome: 'PENDING' as const,
  }))
  for (const { code, outcome } of [...PUBLISHED, ...strange]) {
    await bank.fake.next('order', 'code', { code, taken: outcome === 'SUCCESS' })
    expect([code, (await order(url)).status]).toEqual([code, outcome])
    await bank.fake.next('order', 'pend')
    const { sessionId } = await order(url)
    await bank.fake.next('inquiry', 'code', { code })
    expect([code, 'asked', await statusOf(url, sessionId)]).toEqual([code, 'asked', outcome])
  }
})

describe('names and balances', () => {
  const named = async (url: string, bankCode: string, accountNumber: string) => {
    const reply = await call(url, 'POST', BANK_PATHS.nameEnquiry, { bankCode, accountNumber })
    return [reply?.status, reply?.json['accountName']]
  }

  test('a name at another bank and at this one; absent; and what is not certain', async () => {
    const { url } = await bank.adapter()
    expect(await named(url, '058', '0123456789')).toEqual([200, 'ADA OBI'])
    expect(await named(url, '101', '5900043856')).toEqual([200, 'ADA OBI'])
    expect((await named(url, '058', '0000000001'))[0]).toBe(404)
    expect((await named(url, '101', '0000000001'))[0]).toBe(404)
    expect((await named(url, '00000', '0123456789'))[0]).toBe(503)
    await bank.fake.next('name', 'code', { code: '01' })
    expect((await named(url, '058', '0123456789'))[0]).toBe(503)
    await bank.fake.next('name', 'html')
    expect((await named(url, '058', '0123456789'))[0]).toBe(503)
  })

  test('a balance in whole kobo, of our account; a part of a kobo cannot be paid', async () => {
    const { url } = await bank.adapter()
    const ask = async () => {
      const reply = await call(url, 'GET', CONNECTOR_PATHS.balances)
      return reply?.status === 200 ? (reply.json['accounts'] as object[])[0] : reply?.status
    }
    expect(await ask()).toMatchObject({ accountNumber: DEBIT_ACCOUNT, bankCode: '101', available: '468520.95' })
    for (const [balance, available] of [
      ['0', '0.00'],
      ['-12.501', '-12.51'],
      ['7.5', '7.50'],
    ]) {
      await bank.fake.post('/fake/balance', { balance })
      expect(await ask()).toMatchObject({ available })
    }
    await bank.fake.post('/fake/balance', { balance: '1e6' })
    expect(await ask()).toBe(503)
  })

  test('a statement is not published: 501', async () => {
    const { url } = await bank.adapter()
    expect((await call(url, 'GET', `${BANK_PATHS.statement}?date=2026-11-17`))?.status).toBe(501)
  })
})
