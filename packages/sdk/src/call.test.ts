import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { loggedIn, no, ok, type Responder, testNetwork } from '../test/network.ts'
import { createCowrie } from './client.ts'
import {
  CowrieError,
  InvalidRequest,
  NoAnswer,
  NotAuthenticated,
  OutcomeUnknown,
  RateLimited,
  UnreadableAnswer,
} from './errors.ts'

const open = (respond: Responder) => {
  const network = testNetwork(loggedIn(respond))
  return { ...network, cowrie: createCowrie(network.options) }
}
const failure = (promise: Promise<unknown>): Promise<any> =>
  promise.then(
    (value) => {
      throw new Error(`it succeeded: ${JSON.stringify(value)}`)
    },
    (error: unknown) => error,
  )
const PAYOUT = {
  amount: '250.00',
  reference: 'wages-7',
  narration: 'Wages',
  destinationBankCode: '058',
  destinationAccountNumber: '0123456789',
  destinationAccountName: 'ADA OBI',
  sourceAccountNumber: '5010000127',
}
const BALANCE = { accountNumber: '5010000127' }

describe('the log-in', () => {
  test('twenty calls at once share one log-in, with the keys in the header and nowhere else', async () => {
    const { cowrie, asked, logIns, options } = open(() => ok([]))
    await Promise.all(Array.from({ length: 20 }, () => cowrie.banks.list()))
    expect(logIns()).toBe(1)
    expect(new Set(asked.map(({ headers }) => headers['authorization']))).toEqual(new Set(['Bearer token-1']))
    expect(inspect(cowrie, { depth: 9, showHidden: true })).not.toContain(options.secretKey)
  })

  test('five minutes before its hour ends the token is renewed once; the calls meanwhile use the old one and do not wait', async () => {
    const { cowrie, asked, logIns, pass } = open(() => ok([]))
    await cowrie.banks.list()
    pass(54 * 60_000)
    await cowrie.banks.list()
    expect(logIns()).toBe(1)
    pass(61_000)
    await Promise.all([cowrie.banks.list(), cowrie.banks.list()])
    expect(logIns()).toBe(2)
    await cowrie.banks.list()
    expect(asked.map(({ headers }) => headers['authorization']?.slice(-1))).toEqual(['1', '1', '1', '1', '2'])
  })

  test('a renewal that fails stops nobody while the old token is good', async () => {
    let down = false
    const network = testNetwork((asked, nth) => {
      if (asked.path !== '/api/v1/auth/login') return ok([])
      return down ? no(503, 'UNAVAILABLE') : ok({ accessToken: `token-${nth}`, expiresIn: 3600 })
    })
    const cowrie = createCowrie(network.options)
    await cowrie.banks.list()
    down = true
    network.pass(56 * 60_000)
    await cowrie.banks.list()
    network.pass(5 * 60_000)
    expect(await failure(cowrie.banks.list())).toMatchObject({ code: 'UNAVAILABLE', status: 503 })
  })

  test('401 TOKEN_EXPIRED, as when the clock of a sandbox was moved: logs in again and repeats with the same key', async () => {
    const { cowrie, asked, logIns } = open((_, nth) =>
      nth === 1 ? no(401, 'TOKEN_EXPIRED') : ok({ reference: 'wages-7' }),
    )
    await cowrie.transfers.initiate(PAYOUT)
    expect(logIns()).toBe(2)
    expect(asked.map(({ headers }) => headers['authorization'])).toEqual(['Bearer token-1', 'Bearer token-2'])
    expect(asked[1]?.headers['idempotency-key']).toBe(asked[0]?.headers['idempotency-key'])
  })

  test('401 CREDENTIALS_INVALID reaches whoever calls, and a token that is refused twice ends the call', async () => {
    const wrong = testNetwork(() => no(401, 'CREDENTIALS_INVALID'))
    expect(await failure(createCowrie(wrong.options).banks.list())).toBeInstanceOf(NotAuthenticated)
    expect(wrong.asked).toEqual([])
    const { cowrie, logIns } = open(() => no(401, 'TOKEN_INVALID'))
    expect(await failure(cowrie.transfers.initiate(PAYOUT))).toBeInstanceOf(NotAuthenticated)
    expect(logIns()).toBe(2)
  })
})

describe('repeating', () => {
  test('every POST has an Idempotency-Key, the same over its retries, another for the next call; an own one is kept', async () => {
    const { cowrie, asked } = open((_, nth) => (nth < 4 ? no(503, 'UNAVAILABLE') : ok({})))
    await cowrie.transfers.initiate(PAYOUT)
    await cowrie.transfers.initiate(PAYOUT, { idempotencyKey: 'mine' })
    await cowrie.endpoints.enable({ endpointId: 'ep_01_1' })
    const keys = asked.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(keys.slice(0, 4)).size).toBe(1)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(keys[4]).toBe('mine')
    expect(keys[5]).not.toBe(keys[0])
  })

  test.each([
    ['ECONNRESET', 'ECONNRESET'],
    ['503 UNAVAILABLE', no(503, 'UNAVAILABLE')],
    ['409 IDEMPOTENCY_IN_FLIGHT', no(409, 'IDEMPOTENCY_IN_FLIGHT')],
    ['a page of a proxy', { status: 502, body: '<html>Bad gateway</html>' }],
  ] as const)('%s: a GET and a POST with a key are tried again, a DELETE and a PATCH are not', async (_, reply) => {
    const { cowrie, asked } = open((_asked, nth) => (nth % 2 === 1 ? reply : ok({})))
    await cowrie.wallet.balance(BALANCE)
    await cowrie.transactions.initPayment({ transactionReference: 'CWRY|01|1|2' })
    expect(asked.length).toBe(4)
    await failure(cowrie.invoices.cancel({ invoiceReference: 'INV-1' }))
    expect(asked.length).toBe(5)
    asked.push(asked[0]!)
    await failure(cowrie.mandates.cancel({ mandateCode: 'M-1' }))
    expect(asked.length).toBe(7)
  })

  test.each([
    ['ECONNREFUSED: nothing was sent', 'ECONNREFUSED'],
    ['429: nothing was looked at', no(429, 'RATE_LIMITED')],
  ] as const)('%s: a DELETE is tried again too', async (_, reply) => {
    const { cowrie, asked } = open((_asked, nth) => (nth === 1 ? reply : ok({})))
    await cowrie.invoices.cancel({ invoiceReference: 'INV-1' })
    expect(asked.length).toBe(2)
  })

  test('a refusal is final: 422 is not tried again', async () => {
    const { cowrie, asked } = open(() => no(422, 'REFUND_TOO_LARGE'))
    await failure(cowrie.refunds.get({ refundReference: 'r-1' }))
    expect(asked.length).toBe(1)
  })

  test('waits double and have chance in them; Retry-After is kept to', async () => {
    const { cowrie, asked } = open((_, nth) => (nth < 4 ? no(503, 'UNAVAILABLE') : ok({})))
    await cowrie.wallet.balance(BALANCE)
    const gaps = asked.slice(1).map(({ at }, before) => at - (asked[before]?.at ?? 0))
    for (const [nth, longest] of [250, 500, 1000].entries()) {
      expect(gaps[nth]).toBeGreaterThanOrEqual(longest / 2)
      expect(gaps[nth], 'without chance in it').toBeLessThan(longest)
    }
    const limited = open((_, nth) => (nth === 1 ? no(429, 'RATE_LIMITED', { 'retry-after': '7' }) : ok({})))
    await limited.cowrie.wallet.balance(BALANCE)
    expect(limited.asked[1]?.at).toBe(7000)
  })
})

describe('limits', () => {
  test('a gateway that hangs: each try has its limit, and the call ends at its deadline', async () => {
    const { cowrie, asked, now } = open(() => 'hang')
    const error = await failure(cowrie.wallet.balance(BALANCE, { tryMs: 4_000, deadlineMs: 10_000, retries: 9 }))
    expect(error).toBeInstanceOf(NoAnswer)
    expect(error.code).toBe('DEADLINE')
    expect(asked.length).toBe(3)
    expect(asked[1]?.at).toBeGreaterThanOrEqual(4_000)
    expect(now()).toBeGreaterThan(9_000)
    expect(now()).toBeLessThanOrEqual(10_000)
  })

  test('a log-in that hangs counts in the deadline of the call', async () => {
    const network = testNetwork(() => 'hang')
    const error = await failure(createCowrie(network.options).banks.list({}, { deadlineMs: 3_000 }))
    expect(error).toMatchObject({ name: 'NoAnswer' })
    expect(network.now()).toBeLessThanOrEqual(3_000)
  })

  test('Retry-After beyond the deadline: says so at once, as RateLimited', async () => {
    const { cowrie, asked, now } = open(() => no(429, 'RATE_LIMITED', { 'retry-after': '120' }))
    const error = await failure(cowrie.wallet.balance(BALANCE))
    expect(error).toBeInstanceOf(RateLimited)
    expect(error.retryAfterMs).toBe(120_000)
    expect([asked.length, now()]).toEqual([1, 0])
  })

  test('a listing that waits for events has that much more time', async () => {
    const { cowrie, now } = open(() => 'hang')
    await failure(cowrie.events.list({ after: '0', wait: '30' }, { retries: 0 }))
    expect(now()).toBe(50_000)
  })

  test('an aborted call ends with the reason of its signal, and is not repeated', async () => {
    const stop = new AbortController()
    const { cowrie, asked } = open(() => {
      stop.abort(new Error('the shop closes'))
      return 'hang'
    })
    const how = { signal: stop.signal, retries: 0 }
    expect((await failure(cowrie.wallet.balance(BALANCE, how))).message).toBe('the shop closes')
    expect(asked.length).toBe(1)
    expect((await failure(cowrie.transfers.initiate(PAYOUT, { signal: stop.signal }))).message).toBe('the shop closes')
    expect(asked.length).toBe(1)
  })
})

describe('money whose outcome is not known', () => {
  test.each([
    ['no answer at all', 'hang'],
    ['a lost connection', 'ECONNRESET'],
    ['503 UNAVAILABLE', no(503, 'UNAVAILABLE')],
    ['a page of a proxy', { status: 504, body: 'timeout' }],
    ['half an answer', { status: 200, body: '{"requestSuccessful":tr' }],
    ['a first request that never ends', no(409, 'IDEMPOTENCY_IN_FLIGHT')],
  ] as const)(
    '%s: OutcomeUnknown, with the key, the reference, and the calls that ask and repeat',
    async (_, reply) => {
      let back = false
      const { cowrie, asked } = open(({ method }) =>
        back ? ok({ reference: 'wages-7', status: method === 'GET' ? 'PENDING' : 'SUCCESS', amount: 250 }) : reply,
      )
      const error = await failure(cowrie.transfers.initiate(PAYOUT, { retries: 1 }))
      expect(error).toBeInstanceOf(OutcomeUnknown)
      expect(error).toMatchObject({ code: 'OUTCOME_UNKNOWN', operation: 'transfers.initiate', reference: 'wages-7' })
      expect(error.cause).toBeInstanceOf(CowrieError)
      back = true
      expect(await error.ask()).toMatchObject({ status: 'PENDING', amount: '250.00' })
      expect(asked.at(-1)).toMatchObject({
        method: 'GET',
        path: '/api/v2/disbursements/single/summary?reference=wages-7',
      })
      expect(await error.repeat()).toMatchObject({ status: 'SUCCESS', amount: '250.00' })
      expect(asked.at(-1)).toMatchObject({ method: 'POST', body: PAYOUT })
      const keys = asked.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key'])
      expect(keys.length).toBe(3)
      expect(new Set([...keys, error.idempotencyKey]).size).toBe(1)
    },
  )

  test('ask() gives null where the gateway does not know it, and throws what else it says', async () => {
    let code = 'TRANSFER_NOT_FOUND'
    const { cowrie } = open(({ method }) =>
      method === 'POST' ? 'hang' : no(code === 'PERMISSION_DENIED' ? 403 : 404, code),
    )
    const error = await failure(cowrie.transfers.initiate(PAYOUT))
    expect(await error.ask()).toBeNull()
    code = 'PERMISSION_DENIED'
    expect(await failure(error.ask())).toMatchObject({ code: 'PERMISSION_DENIED', status: 403 })
  })

  test('a try that was lost, then 429, 403 or no connection: still OutcomeUnknown', async () => {
    for (const later of [no(429, 'RATE_LIMITED'), no(403, 'ADDRESS_NOT_ALLOWED'), 'ECONNREFUSED'] as const) {
      const { cowrie } = open((_, nth) => (nth === 1 ? 'ECONNRESET' : later))
      expect(await failure(cowrie.transfers.initiate(PAYOUT)), JSON.stringify(later)).toBeInstanceOf(OutcomeUnknown)
    }
  })

  test('a try that was lost, then the refusal under its key: that is the outcome', async () => {
    const { cowrie } = open((_, nth) => (nth === 1 ? 'hang' : no(400, 'INSUFFICIENT_FUNDS')))
    expect(await failure(cowrie.transfers.initiate(PAYOUT))).toBeInstanceOf(InvalidRequest)
  })

  test('what was never sent, and what moves no money, is not OutcomeUnknown', async () => {
    const refused = open(() => 'ECONNREFUSED')
    expect(await failure(refused.cowrie.transfers.initiate(PAYOUT))).toMatchObject({
      name: 'NoAnswer',
      code: 'NO_CONNECTION',
    })
    const lost = open(() => 'ECONNRESET')
    expect(await failure(lost.cowrie.transactions.initPayment({ transactionReference: 'x' }))).toMatchObject({
      name: 'NoAnswer',
      code: 'CONNECTION_LOST',
    })
    const busy = open(() => no(503, 'REFUND_BALANCE_UNAVAILABLE'))
    const refund = {
      transactionReference: 'x',
      refundReference: 'r',
      refundAmount: '5',
      refundReason: 'a',
      customerNote: 'b',
    }
    expect(await failure(busy.cowrie.refunds.initiate(refund))).toMatchObject({ name: 'GatewayFault', status: 503 })
  })

  test('aborted after it was sent: OutcomeUnknown, because it may have been done', async () => {
    const stop = new AbortController()
    const { cowrie } = open(({ method }) => {
      if (method === 'GET') return ok({ status: 'SUCCESS' })
      stop.abort()
      return 'hang'
    })
    const error = await failure(cowrie.transfers.initiate(PAYOUT, { signal: stop.signal }))
    expect(error).toBeInstanceOf(OutcomeUnknown)
    expect(await error.ask()).toMatchObject({ status: 'SUCCESS' })
  })
})

describe('errors', () => {
  test('carry code, sentence, hint, field, doc link, request id and status', async () => {
    const { cowrie } = open(() => no(422, 'REFUND_TOO_LARGE'))
    const error = await failure(cowrie.refunds.get({ refundReference: 'r-1' }))
    expect(error).toBeInstanceOf(InvalidRequest)
    expect(error).toMatchObject({
      code: 'REFUND_TOO_LARGE',
      sentence: 'Refused: REFUND_TOO_LARGE',
      hint: 'Do something else.',
      docUrl: 'https://pay.example/docs#error-REFUND_TOO_LARGE',
      requestId: 'req-1',
      status: 422,
      responseCode: '99',
    })
    expect(error.message).toBe('Refused: REFUND_TOO_LARGE (REFUND_TOO_LARGE, request req-1). Do something else.')
  })

  test('a redirect is not followed: the token goes nowhere else', async () => {
    const elsewhere: unknown[] = []
    const listen = async (answer: RequestListener) => {
      const server = createServer(answer)
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
    }
    const other = await listen((request, response) => {
      elsewhere.push(request.headers)
      response.end('{}')
    })
    const gateway = await listen((request, response) => {
      if (request.method === 'GET') response.writeHead(302, { location: other.url })
      response.end(JSON.stringify({ requestSuccessful: true, responseBody: { accessToken: 't', expiresIn: 3600 } }))
    })
    const cowrie = createCowrie({ baseUrl: gateway.url, apiKey: 'k', secretKey: 's' })
    const error = await failure(cowrie.banks.list())
    for (const { server } of [other, gateway]) server.closeAllConnections()
    for (const { server } of [other, gateway]) server.close()
    expect(error).toMatchObject({ name: 'UnreadableAnswer', status: 302 })
    expect(elsewhere).toEqual([])
  })

  test('a page that is not the gateway is named as such', async () => {
    for (const status of [301, 404]) {
      const { cowrie } = open(() => ({ status, body: '<html>', headers: { 'content-type': 'text/html' } }))
      const error = await failure(cowrie.refunds.get({ refundReference: 'r-1' }))
      expect(error).toBeInstanceOf(UnreadableAnswer)
      expect(error.message).toMatch(new RegExp(`answered ${status} \\(text/html\\)`))
    }
  })

  test('an address without encryption is refused, but for this machine; missing keys are named', () => {
    const { options } = testNetwork(() => 'hang')
    const with_ = (over: object) => () => createCowrie({ ...options, ...over })
    expect(with_({ baseUrl: 'http://pay.example' })).toThrow(/not encrypted/)
    expect(with_({ baseUrl: 'pay.example' })).toThrow(/not the address/)
    expect(with_({ secretKey: '' })).toThrow(/needs apiKey and secretKey/)
    for (const baseUrl of ['http://127.0.0.1:4000', 'http://localhost:1', 'http://[::1]:1']) with_({ baseUrl })()
    with_({ baseUrl: 'http://gateway.internal', allowHttp: true })()
  })
})
