// What the SDK promises of a call, held by the clients in PHP and Python: the same tests for both, over real
// connections to a gateway that answers as the test says.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ROUTES } from '../../../packages/contract/src/index.ts'
import { freePort } from '../../../tools/ports.ts'
import { OPERATIONS, snake } from '../../../tools/sdk/clients/operations.ts'
import { type Driver, startDriver } from './driver.ts'
import { isSkipped, LANGUAGES } from './languages.ts'
import { fakeGateway, no, ok, type Reply, type Responder } from './networks.ts'

const PAYOUT = {
  ...{ amount: '250.00', reference: 'wages-7', narration: 'Wages', sourceAccountNumber: '5010000127' },
  ...{ destinationBankCode: '058', destinationAccountNumber: '0123456789', destinationAccountName: 'ADA OBI' },
}
const BALANCE = { accountNumber: '5010000127' }
const SECRET = 'S3CRET-of-a-test'

let gateway: Awaited<ReturnType<typeof fakeGateway>>
beforeAll(async () => {
  gateway = await fakeGateway()
})
afterAll(() => gateway.stop())

for (const language of LANGUAGES)
  describe.skipIf(isSkipped(language))(`a call in ${language.name}`, () => {
    let driver: Driver
    beforeAll(() => {
      driver = startDriver(language)
    })
    afterAll(() => driver?.stop())

    const openAt = (baseUrl: string, more: Record<string, unknown> = {}) =>
      driver.get('open', { options: { baseUrl, apiKey: 'MK_TEST', secretKey: SECRET, ...more } })
    beforeEach(() => openAt(gateway.url))

    /** From now on the gateway answers so, and what it is asked is counted anew. */
    const answering = (respond: Responder, logIn?: Responder) => {
      Object.assign(gateway.state, {
        respond,
        logIn: logIn ?? (((_, nth) => ok({ accessToken: `token-${nth}`, expiresIn: 3600 })) satisfies Responder),
        asked: [],
        logIns: [],
      })
      return gateway.state
    }
    const call = (operation: string, input?: unknown, options = {}) => driver.get('call', { operation, input, options })
    const failure = (operation: string, input?: unknown, options = {}) =>
      driver.fail('call', { operation, input, options })
    const keysOf = (state: typeof gateway.state) => state.asked.map(({ headers }) => headers['idempotency-key'])
    const tokensOf = (state: typeof gateway.state) => state.asked.map(({ headers }) => headers.authorization?.slice(-1))

    describe('methods', () => {
      test('there is one for each operation of the SDK, with the same name in the case of the language', async () => {
        const all = OPERATIONS.flatMap(([, operations]) => operations.map(({ id }) => id))
        const named = (id: string) => (language.name === 'Python' ? id.split('.').map(snake).join('.') : id)
        expect((await driver.get('methods')).toSorted()).toEqual(all.map(named).toSorted())
        expect(all.length).toBe(ROUTES.filter(({ auth, id }) => auth !== 'bank' && id !== 'auth.login').length)
      })

      test('names of the path are encoded and leave the body; what is left of a GET is its query', async () => {
        const state = answering(() => ok({}))
        await call('transactions.get', { transactionReference: 'CWRY|01|20260502141500|000812' })
        await call('transactions.query', { paymentReference: 'order 7/8 ẹ' })
        await call('refunds.authorise', { refundReference: 'r/1', authorizationCode: '123456' })
        await call('endpoints.disable', { endpointId: 'ep_1' })
        await call('reservedAccounts.updateSplit', { accountReference: 'a', items: [{ subAccountCode: 's' }] })
        await call('subAccounts.create', [{ currencyCode: 'NGN', email: 'ọ@b', defaultSplitPercentage: 5.5 }])
        await call('auth.rotateSecretKey', {})
        expect(state.asked.map(({ method, path, body }) => [method, path, body])).toEqual([
          ['GET', '/api/v2/transactions/CWRY%7C01%7C20260502141500%7C000812', null],
          ['GET', '/api/v2/merchant/transactions/query?paymentReference=order+7%2F8+%E1%BA%B9', null],
          ['POST', '/api/v1/refunds/r%2F1/authorize', { authorizationCode: '123456' }],
          ['POST', '/api/v1/webhook-endpoints/ep_1/disable', null],
          ['PUT', '/api/v1/bank-transfer/reserved-accounts/update-income-split-config/a', [{ subAccountCode: 's' }]],
          ['POST', '/api/v1/sub-accounts', [{ currencyCode: 'NGN', email: 'ọ@b', defaultSplitPercentage: 5.5 }]],
          ['POST', '/api/v1/auth/secret-key/rotate', {}],
        ])
        expect(state.asked.at(-1)?.headers.authorization).toMatch(/^Basic /)
        expect(state.asked[0]?.headers['user-agent']).toBe(`cowrie-${language.name.toLowerCase()}/0.1.0`)
      })

      test.each(['', '.', '..', null])(
        'a name of the path that would lead elsewhere is refused: %j',
        async (reference) => {
          const state = answering(() => ok({}))
          const { message } = await failure('transactions.get', { transactionReference: reference })
          expect(message).toMatch(/transactions\.get needs transactionReference/)
          expect(state.asked).toEqual([])
        },
      )

      test('amounts that come as numbers are text, in lists too; what a merchant put into metaData stays', async () => {
        const item = { amount: 1500.1, fee: 22.5, payableAmount: 7, metaData: { amount: 5 }, amountPaid: '1500.10' }
        answering(() => ok({ content: [item], last: true, number: 0 }))
        expect((await driver.get('page', { operation: 'transactions.search' })).content).toEqual([
          { ...item, amount: '1500.10', fee: '22.50', payableAmount: '7.00' },
        ])
      })

      test('an amount that is a number is refused before anything is sent: kobo would be read as naira', async () => {
        const state = answering(() => ok({}))
        for (const amount of [25000, 250.5, true]) {
          const error = await failure('transfers.initiate', { ...PAYOUT, amount })
          expect(error).toMatchObject({ class: 'CowrieError', code: 'AMOUNT_NOT_DECIMAL' })
          expect(error.message).toMatch(/amount is .*naira\(\)/)
        }
        const rows = [PAYOUT, { ...PAYOUT, amount: 5 }]
        expect(await failure('batches.initiate', { batchReference: 'b', transactionList: rows })).toMatchObject({
          code: 'AMOUNT_NOT_DECIMAL',
        })
        expect(state.asked).toEqual([])
      })

      test('a file is text, and a success without a body is nothing', async () => {
        answering(({ path }) => (path.endsWith('.csv') ? { body: 'a,b\n1,2\n' } : ok()))
        expect(await call('settlements.statementCsv', { settlementReference: 'S' })).toBe('a,b\n1,2\n')
        expect(await call('endpoints.remove', { endpointId: 'e' })).toBeNull()
      })

      test('kobo and back; what is no amount is refused', async () => {
        for (const [text, kobo] of [
          ['1500.50', 150_050],
          ['0.5', 50],
          ['-7', -700],
          ['9999999999999.99', 999_999_999_999_999],
        ]) {
          expect(await driver.get('kobo', { value: text })).toBe(kobo)
        }
        for (const value of ['1,500', '20.001', ' 5', '5\n', '', '1e3', 5, 5.5, null])
          expect(await driver.fail('kobo', { value })).toMatchObject({ code: 'AMOUNT_NOT_DECIMAL' })
        for (const [kobo, text] of [
          [150_050, '1500.50'],
          [5, '0.05'],
          [0, '0.00'],
          [-5, '-0.05'],
        ])
          expect(await driver.get('naira', { value: kobo })).toBe(text)
      })
    })

    describe('the log-in', () => {
      test('happens once, with the keys in its header and nowhere else', async () => {
        const state = answering(() => ok([]))
        await call('banks.list')
        await call('banks.list')
        expect(tokensOf(state)).toEqual(['1', '1'])
        expect(state.logIns.map(({ headers }) => headers.authorization)).toEqual([
          `Basic ${Buffer.from(`MK_TEST:${SECRET}`).toString('base64')}`,
        ])
        expect(await driver.get('show')).not.toMatch(new RegExp(`${SECRET}|${state.logIns[0]?.headers.authorization}`))
      })

      test('five minutes before its hour ends the token is renewed once', async () => {
        const state = answering(() => ok([]))
        await call('banks.list')
        await driver.get('pass', { seconds: 54 * 60 })
        await call('banks.list')
        expect(state.logIns.length).toBe(1)
        await driver.get('pass', { seconds: 61 })
        await call('banks.list')
        await expect.poll(() => state.logIns.length).toBe(2)
        await expect.poll(async () => call('banks.list').then(() => tokensOf(state).at(-1))).toBe('2')
        expect(state.logIns.length).toBe(2)
      })

      test('a renewal that fails stops nobody while the old token is good', async () => {
        let down = false
        const state = answering(
          () => ok([]),
          (_, nth) => (down ? no(503, 'UNAVAILABLE') : ok({ accessToken: `token-${nth}`, expiresIn: 3600 })),
        )
        await call('banks.list')
        down = true
        await driver.get('pass', { seconds: 56 * 60 })
        await call('banks.list')
        expect(tokensOf(state)).toEqual(['1', '1'])
        await driver.get('pass', { seconds: 5 * 60 })
        expect(await failure('banks.list')).toMatchObject({ code: 'UNAVAILABLE', status: 503 })
      })

      test('401 TOKEN_EXPIRED: logs in again and repeats with the same key; refused twice, it ends the call', async () => {
        const state = answering((_, nth) => (nth === 1 ? no(401, 'TOKEN_EXPIRED') : ok({ reference: 'wages-7' })))
        await call('transfers.initiate', PAYOUT)
        expect(tokensOf(state)).toEqual(['1', '2'])
        expect(new Set(keysOf(state)).size).toBe(1)
        const again = answering(() => no(401, 'TOKEN_INVALID'))
        expect(await failure('transfers.initiate', PAYOUT)).toMatchObject({ class: 'NotAuthenticated' })
        expect(again.asked.length).toBe(2)
      })

      test('wrong keys reach whoever calls, and nothing else is sent', async () => {
        const state = answering(
          () => ok([]),
          () => no(401, 'CREDENTIALS_INVALID'),
        )
        expect(await failure('banks.list')).toMatchObject({ class: 'NotAuthenticated', code: 'CREDENTIALS_INVALID' })
        expect(state.asked).toEqual([])
      })

      test.runIf(language.name === 'Python')('twenty threads at once share one log-in, and one renewal', async () => {
        const state = answering(() => ok([]))
        await driver.get('at once', { operation: 'banks.list', times: 20 })
        expect([state.asked.length, state.logIns.length]).toEqual([20, 1])
        await driver.get('pass', { seconds: 56 * 60 })
        await driver.get('at once', { operation: 'banks.list', times: 20 })
        await expect.poll(async () => call('banks.list').then(() => tokensOf(state).at(-1))).toBe('2')
        expect(state.logIns.length).toBe(2)
      })
    })

    describe('repeating', () => {
      test('every POST has an Idempotency-Key, the same over its retries, another for the next call; an own one is kept', async () => {
        const state = answering((_, nth) => (nth < 4 ? no(503, 'UNAVAILABLE') : ok({})))
        await call('transfers.initiate', PAYOUT)
        await call('transfers.initiate', PAYOUT, { idempotencyKey: 'mine' })
        await call('endpoints.enable', { endpointId: 'ep_01_1' })
        const keys = keysOf(state)
        expect(new Set(keys.slice(0, 4)).size).toBe(1)
        expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
        expect(keys[4]).toBe('mine')
        expect(keys[5]).not.toBe(keys[0])
      })

      test('a key that would break out of its header is refused', async () => {
        const state = answering(() => ok({}))
        for (const idempotencyKey of ['a\r\nx: y', 'ẹ', 'x'.repeat(256)])
          expect(await failure('transfers.initiate', PAYOUT, { idempotencyKey })).toMatchObject({
            code: 'INPUT_INVALID',
          })
        expect(state.asked).toEqual([])
      })

      test.each<readonly [string, Reply]>([
        ['a lost connection', 'reset'],
        ['503 UNAVAILABLE', no(503, 'UNAVAILABLE')],
        ['409 IDEMPOTENCY_IN_FLIGHT', no(409, 'IDEMPOTENCY_IN_FLIGHT')],
        ['a page of a proxy', { status: 502, body: '<html>Bad gateway</html>' }],
      ])('%s: a GET and a POST with a key are tried again, a DELETE and a PATCH are not', async (_, reply) => {
        const state = answering((_asked, nth) => (nth % 2 === 1 ? reply : ok({})))
        await call('wallet.balance', BALANCE)
        await call('transactions.initPayment', { transactionReference: 'CWRY|01|1|2' })
        expect(state.asked.length).toBe(4)
        const once = answering(() => reply)
        await failure('invoices.cancel', { invoiceReference: 'INV-1' })
        await failure('mandates.cancel', { mandateCode: 'M-1' })
        expect(once.asked.map(({ method }) => method)).toEqual(['DELETE', 'PATCH'])
      })

      test('429: nothing was looked at, so a DELETE is tried again too; Retry-After is kept to', async () => {
        const state = answering((_, nth) => (nth === 1 ? no(429, 'RATE_LIMITED', { 'retry-after': '7' }) : ok({})))
        await call('invoices.cancel', { invoiceReference: 'INV-1' })
        expect(state.asked.length).toBe(2)
        expect(await driver.get('waits')).toEqual([7])
      })

      test('a refusal is final: 422 is not tried again', async () => {
        const state = answering(() => no(422, 'REFUND_TOO_LARGE'))
        await failure('refunds.get', { refundReference: 'r-1' })
        expect(state.asked.length).toBe(1)
      })

      test('waits double and have chance in them', async () => {
        answering((_, nth) => (nth < 4 ? no(503, 'UNAVAILABLE') : ok({})))
        await call('wallet.balance', BALANCE)
        const waits: number[] = await driver.get('waits')
        expect(waits.length).toBe(3)
        for (const [nth, longest] of [0.25, 0.5, 1].entries()) {
          expect(waits[nth]).toBeGreaterThanOrEqual(longest / 2)
          expect(waits[nth]).toBeLessThan(longest)
        }
      })
    })

    describe('limits', () => {
      const SHORT = { tryTimeout: 0.3, deadline: 1.5, retries: 9 }
      test.each(['hang', 'drip'] as const)(
        '%s: each try has its limit, and the call ends at its deadline',
        async (reply) => {
          const state = answering(() => reply)
          const began = performance.now()
          const error = await failure('wallet.balance', BALANCE, SHORT)
          expect(error).toMatchObject({ class: 'NoAnswer', code: 'DEADLINE' })
          expect(error.message).toMatch(/deadline of 1\.5 s, [23] tries/)
          const waited = (await driver.get('waits')).reduce((sum: number, one: number) => sum + one, 0)
          expect(state.asked.length).toBeGreaterThanOrEqual(2)
          // What it waited for between the tries was not slept; what is left is the time that the tries took.
          expect(waited + (performance.now() - began) / 1000, 'in all').toBeLessThan(3)
        },
      )

      test('a log-in that hangs counts in the deadline of the call', async () => {
        const state = answering(
          () => ok([]),
          () => 'hang',
        )
        const began = performance.now()
        expect(await failure('banks.list', {}, { deadline: 0.4 })).toMatchObject({ class: 'NoAnswer' })
        expect(performance.now() - began).toBeLessThan(3_000)
        expect(state.asked).toEqual([])
      })

      test('Retry-After beyond the deadline: says so at once, as RateLimited', async () => {
        const state = answering(() => no(429, 'RATE_LIMITED', { 'retry-after': '120' }))
        expect(await failure('wallet.balance', BALANCE)).toMatchObject({ class: 'RateLimited', retryAfter: 120 })
        expect(state.asked.length).toBe(1)
        expect(await driver.get('waits')).toEqual([])
      })
    })

    describe('money whose outcome is not known', () => {
      const ONE = { retries: 1, tryTimeout: 0.3 }
      test.each<readonly [string, Reply]>([
        ['no answer at all', 'hang'],
        ['a lost connection', 'reset'],
        ['503 UNAVAILABLE', no(503, 'UNAVAILABLE')],
        ['a page of a proxy', { status: 504, body: 'timeout' }],
        ['half an answer', { status: 200, body: '{"requestSuccessful":tr' }],
        ['a first request that never ends', no(409, 'IDEMPOTENCY_IN_FLIGHT')],
      ])('%s: OutcomeUnknown, with the key, the reference, and the calls that ask and repeat', async (_, reply) => {
        let back = false
        const state = answering(({ method }) =>
          back ? ok({ reference: 'wages-7', status: method === 'GET' ? 'PENDING' : 'SUCCESS', amount: 250 }) : reply,
        )
        const error = await failure('transfers.initiate', PAYOUT, ONE)
        expect(error).toMatchObject({ class: 'OutcomeUnknown', code: 'OUTCOME_UNKNOWN' })
        expect(error).toMatchObject({ operation: 'transfers.initiate', reference: 'wages-7' })
        back = true
        expect(await driver.get('ask')).toMatchObject({ status: 'PENDING', amount: '250.00' })
        expect(state.asked.at(-1)).toMatchObject({
          ...{ method: 'GET', path: '/api/v2/disbursements/single/summary?reference=wages-7' },
        })
        expect(await driver.get('repeat')).toMatchObject({ status: 'SUCCESS', amount: '250.00' })
        expect(state.asked.at(-1)).toMatchObject({ method: 'POST', body: PAYOUT })
        const posts = state.asked.filter(({ method }) => method === 'POST')
        expect(posts.length).toBe(3)
        expect(new Set([...posts.map(({ headers }) => headers['idempotency-key']), error['idempotencyKey']]).size).toBe(
          1,
        )
      })

      test('a repeat that is lost too is OutcomeUnknown again, under the same key', async () => {
        answering(() => 'reset')
        const first = await failure('transfers.initiate', PAYOUT, ONE)
        expect(await driver.fail('repeat')).toMatchObject({
          class: 'OutcomeUnknown',
          idempotencyKey: first['idempotencyKey'],
        })
      })

      test('ask gives nothing where the gateway does not know it, and throws what else it says', async () => {
        let refusal = no(404, 'TRANSFER_NOT_FOUND')
        answering(({ method }) => (method === 'POST' ? 'reset' : refusal))
        await failure('transfers.initiate', PAYOUT, ONE)
        expect(await driver.get('ask')).toBeNull()
        refusal = no(403, 'PERMISSION_DENIED')
        expect(await driver.fail('ask')).toMatchObject({ class: 'NotAllowed', code: 'PERMISSION_DENIED' })
      })

      test('a batch is asked for by the reference that its input has under another name', async () => {
        const state = answering(({ method }) => (method === 'POST' ? 'reset' : ok({ totalAmount: 5 })))
        await failure('batches.initiate', { batchReference: 'b-1', transactionList: [PAYOUT] }, ONE)
        expect(await driver.get('ask')).toEqual({ totalAmount: '5.00' })
        expect(state.asked.at(-1)?.path).toBe('/api/v2/disbursements/batch/summary?reference=b-1')
      })

      test('a try that was lost, then 429 or 403: still OutcomeUnknown', async () => {
        for (const later of [no(429, 'RATE_LIMITED'), no(403, 'ADDRESS_NOT_ALLOWED')]) {
          answering((_, nth) => (nth === 1 ? 'reset' : later))
          expect((await failure('transfers.initiate', PAYOUT)).class).toBe('OutcomeUnknown')
        }
      })

      test('a try that was lost, then the refusal under its key: that is the outcome', async () => {
        answering((_, nth) => (nth === 1 ? 'reset' : no(400, 'INSUFFICIENT_FUNDS')))
        expect((await failure('transfers.initiate', PAYOUT)).class).toBe('InvalidRequest')
      })

      test('what was never sent, and what moves no money, is not OutcomeUnknown', async () => {
        await openAt(`http://127.0.0.1:${await freePort()}`)
        expect(await failure('settlements.key')).toMatchObject({ class: 'NoAnswer', code: 'NO_CONNECTION' })
        expect(await failure('transfers.initiate', PAYOUT)).toMatchObject({ class: 'NoAnswer', code: 'NO_CONNECTION' })
        expect((await driver.get('waits')).length, 'each tried four times').toBe(6)
        await openAt(gateway.url)
        answering(() => 'reset')
        expect(await failure('transactions.initPayment', { transactionReference: 'x' })).toMatchObject({
          ...{ class: 'NoAnswer', code: 'CONNECTION_LOST' },
        })
        answering(() => no(503, 'REFUND_BALANCE_UNAVAILABLE'))
        expect((await failure('refunds.initiate', { refundReference: 'r', refundAmount: '5' })).class).toBe(
          'GatewayFault',
        )
      })
    })

    describe('errors', () => {
      test('carry code, sentence, hint, doc link, request id and status', async () => {
        answering(() => no(422, 'REFUND_TOO_LARGE'))
        expect(await failure('refunds.get', { refundReference: 'r-1' })).toMatchObject({
          ...{ class: 'InvalidRequest', code: 'REFUND_TOO_LARGE', sentence: 'Refused: REFUND_TOO_LARGE', status: 422 },
          ...{ hint: 'Do something else.', requestId: 'req-1', responseCode: '99' },
          docUrl: 'https://pay.example/docs#error-REFUND_TOO_LARGE',
          message: 'Refused: REFUND_TOO_LARGE (REFUND_TOO_LARGE, request req-1). Do something else.',
        })
      })

      test('each status is a class of its own', async () => {
        const classes = {
          400: 'InvalidRequest',
          401: 'NotAuthenticated',
          403: 'NotAllowed',
          404: 'NotFound',
          409: 'Conflict',
        }
        for (const [status, name] of Object.entries(classes)) {
          answering(() => no(Number(status), 'SOMETHING'))
          expect((await failure('refunds.get', { refundReference: 'r-1' })).class).toBe(name)
        }
      })

      test('a page that is not the gateway is named as such, and a redirect is not followed: the token goes nowhere else', async () => {
        const elsewhere = await fakeGateway()
        for (const [status, headers] of [
          [404, { 'content-type': 'text/html' }],
          [302, { 'content-type': 'text/html', location: elsewhere.url }],
        ] as const) {
          answering(() => ({ status, body: '<html>', headers }))
          const error = await failure('refunds.get', { refundReference: 'r-1' })
          expect(error).toMatchObject({ class: 'UnreadableAnswer', status })
          expect(error.message).toMatch(new RegExp(`answered ${status} \\(text/html\\)`))
        }
        elsewhere.stop()
        expect(elsewhere.state.asked).toEqual([])
      })

      test('an address without encryption is refused, but for this machine; missing keys are named', async () => {
        const refused = async (over: object) =>
          (await driver.fail('open', { options: { baseUrl: gateway.url, apiKey: 'k', secretKey: 's', ...over } }))
            .message
        expect(await refused({ baseUrl: 'http://pay.example' })).toMatch(/not encrypted/)
        expect(await refused({ baseUrl: 'pay.example' })).toMatch(/not the address/)
        expect(await refused({ secretKey: '' })).toMatch(/needs api_?[kK]ey and secret_?[kK]ey/)
        for (const baseUrl of [
          'http://127.0.0.1:4000',
          'http://localhost:1/',
          'http://[::1]:1',
          'https://pay.example/x/',
        ])
          await openAt(baseUrl)
        await openAt('http://gateway.internal', { allowHttp: true })
      })
    })

    describe('lists', () => {
      const numbered =
        (by: string): Responder =>
        ({ path }) => {
          const number = Number(new URLSearchParams(path.split('?')[1]).get(by) ?? 0)
          return ok({ content: [`${number}a`, `${number}b`], number, last: number === 2 })
        }
      const items = (operation: string, input = {}, more = {}) => driver.get('items', { operation, input, ...more })

      test.each([
        ['page', 'refunds.list', { size: 2 }],
        ['pageNo', 'transfers.list', { pageSize: 2 }],
      ])('by %s: a loop goes through all pages, page() gives one', async (by, operation, input) => {
        const state = answering(numbered(by))
        expect(await items(operation, input)).toEqual(['0a', '0b', '1a', '1b', '2a', '2b'])
        expect(state.asked.length).toBe(3)
        expect((await driver.get('page', { operation, input })).content).toEqual(['0a', '0b'])
      })

      test('who stops early asks for no more pages, and who begins later begins there', async () => {
        const state = answering(numbered('page'))
        expect(await items('refunds.list', { page: 1 }, { most: 1 })).toEqual(['1a'])
        expect(state.asked.map(({ path }) => path)).toEqual(['/api/v1/refunds?page=1'])
      })

      test('by cursor, by nextPage and by number of event', async () => {
        answering(({ path }) =>
          path.includes('before=7') ? ok({ content: [2], next: null }) : ok({ content: [1], next: '7' }),
        )
        expect(await items('paymentLinks.list')).toEqual([1, 2])
        answering(({ path }) => ok({ content: [1], nextPage: path.includes('page=1') ? null : 1 }))
        expect(await items('bills.categories')).toEqual([1, 1])
        answering(({ path }) => ok({ events: path.includes('after=2') ? [] : [{ number: 1 }, { number: 2 }] }))
        expect(await items('events.list', { after: '0' })).toEqual([{ number: 1 }, { number: 2 }])
      })
    })
  })
