// The port of the payouts against the real simulator, and against servers that speak nonsense.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import type { BankPort } from '#kit/ctx.ts'
import { KEY, useBank } from '../../../simulator/test/bank.ts'
import { payoutCalls } from '../../../simulator/test/payouts.ts'
import { createBank } from './bank.ts'

const bank = useBank()
const { orderTo } = payoutCalls(bank)
type Order = Parameters<BankPort['sendPayout']>[0]
const to = (ending: string): Order => orderTo(ending) as unknown as Order
const port = (): BankPort => createBank(bank.url(), KEY)

describe('payouts at the simulator', () => {
  test('yes with what the bank says, to an order, to the same order again, and to an inquiry', async () => {
    const order = to('7788')
    const { sessionId } = order
    const value = { sessionId, status: 'SUCCESS', responseCode: '00', message: 'Approved or completed successfully' }
    expect(await port().sendPayout(order)).toEqual({ kind: 'yes', value })
    expect(await port().sendPayout(order)).toEqual({ kind: 'yes', value })
    expect(await port().inquirePayout({ sessionId })).toEqual({ kind: 'yes', value })
    expect(await port().sendPayout(to('0001'))).toMatchObject({ kind: 'yes', value: { status: 'FAILED' } })
    expect(await port().sendPayout(to('0002'))).toMatchObject({ kind: 'yes', value: { status: 'PENDING' } })
  })

  test('no, with status and words: 409 for a session with other contents, 400 for nonsense, 401 for a wrong key', async () => {
    const order = to('7788')
    await port().sendPayout(order)
    expect(await port().sendPayout({ ...order, amount: '1.00' })).toEqual({
      ...{ kind: 'no', status: 409, why: 'answered 409', said: expect.stringContaining('a different order') },
    })
    expect(await port().sendPayout({ ...order, amount: 'x' })).toMatchObject({ kind: 'no', status: 400 })
    expect(await createBank(bank.url(), 'another key').sendPayout(order)).toMatchObject({ kind: 'no', status: 401 })
  })

  test('unknown when the bank is silent or away; an inquiry finds out, and a bar ends it', async () => {
    const [paid, failed, unheard] = [to('0004'), to('0005'), to('7788')] as const
    expect(await port().sendPayout(paid)).toMatchObject({ kind: 'unknown' })
    expect(await port().inquirePayout(paid)).toMatchObject({ kind: 'yes', value: { status: 'SUCCESS' } })
    expect(await port().sendPayout(failed)).toMatchObject({ kind: 'unknown' })
    expect(await port().inquirePayout(failed)).toMatchObject({ kind: 'yes', value: { status: 'FAILED' } })
    expect(await createBank('http://127.0.0.1:1', KEY).sendPayout(unheard)).toMatchObject({ kind: 'unknown' })
    expect(await port().inquirePayout(unheard)).toMatchObject({ kind: 'yes', value: { status: 'UNKNOWN' } })
    expect(await port().barPayout(unheard)).toMatchObject({ kind: 'yes', value: { status: 'FAILED' } })
    expect(await port().sendPayout(unheard)).toMatchObject({ kind: 'yes', value: { status: 'FAILED' } })
  })

  test('unknown after ten seconds of silence', async () => {
    await bank.restart({ silenceMs: 60_000 })
    const began = Date.now()
    expect(await port().sendPayout(to('0004'))).toMatchObject({ kind: 'unknown' })
    expect(Date.now() - began).toBeGreaterThanOrEqual(9_900)
    expect(Date.now() - began).toBeLessThan(40_000) // and not the bank's sixty
  })
})

describe('payouts at a bank that cannot be believed', () => {
  let server: Server | null = null
  const close = (): void => {
    server?.closeAllConnections()
    server?.close()
    server = null
  }
  afterEach(close)
  const bankThat = async (listener: RequestListener): Promise<BankPort> => {
    close()
    server = createServer(listener)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return createBank(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, KEY)
  }
  const order = to('7788')
  const good = { sessionId: order.sessionId, status: 'SUCCESS', responseCode: '00', message: 'Approved' }
  const answers = (status: number, body: string): RequestListener => {
    return (_request, response) => void response.writeHead(status, { 'content-type': 'application/json' }).end(body)
  }

  test('the control: a plain good answer is yes', async () => {
    expect(await (await bankThat(answers(200, JSON.stringify(good)))).sendPayout(order)).toMatchObject({ kind: 'yes' })
  })

  const { status: _status, ...withoutStatus } = good
  test.each([
    ['a page of HTML', '<html>SUCCESS</html>'],
    ['half an answer', JSON.stringify(good).slice(0, -9)],
    ['nothing', ''],
    ['null', 'null'],
    ['an array', '[]'],
    ['no status', JSON.stringify(withoutStatus)],
    ['a status nobody knows', JSON.stringify({ ...good, status: 'PAID' })],
    ['a code that is a number', JSON.stringify({ ...good, responseCode: 0 })],
    ['another payout', JSON.stringify({ ...good, sessionId: `${order.sessionId.slice(0, -1)}9` })],
    ['UNKNOWN, which does not answer an order', JSON.stringify({ ...good, status: 'UNKNOWN' })],
  ])('unknown for 200 with %s', async (_name, body) => {
    expect(await (await bankThat(answers(200, body))).sendPayout(order)).toMatchObject({ kind: 'unknown' })
  })

  test('unknown for a bar that is answered PENDING or UNKNOWN: neither is final', async () => {
    for (const status of ['PENDING', 'UNKNOWN']) {
      const faulty = await bankThat(answers(200, JSON.stringify({ ...good, status })))
      expect(await faulty.barPayout(order)).toMatchObject({ kind: 'unknown' })
    }
  })

  test.each([500, 502, 503])('unknown for %i', async (status) => {
    expect(await (await bankThat(answers(status, JSON.stringify(good)))).sendPayout(order)).toMatchObject({
      kind: 'unknown',
    })
  })

  test('unknown for a redirect, which is not followed, and for a connection that is reset', async () => {
    const away = await bankThat((_request, response) => void response.writeHead(307, { location: '/other' }).end())
    expect(await away.sendPayout(order)).toMatchObject({ kind: 'unknown' })
    const reset = await bankThat((request) => request.socket.destroy())
    expect(await reset.sendPayout(order)).toMatchObject({ kind: 'unknown' })
  })
})
