// Notifications: signed bytes, the schedule of attempts, what counts as taken, order, fairness, and where they never go.
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RETRY_DELAYS_SECONDS } from '../../../../../packages/contract/src/delivery.ts'
import { freePort } from '../../../../../tools/stack.ts'
import {
  advance,
  type Harness,
  paid,
  type Received,
  type TestMerchant,
  unique,
  useHarness,
} from '../../../test/harness.ts'
import { createWebhooks } from '../../outside/webhooks.ts'
import { nextAttemptAt } from './webhooks.ts'

const harness = useHarness()

const setUrls = async (h: Harness, merchant: TestMerchant, urls: Record<string, string | null>) => {
  const answer = await h.as(merchant, 'PUT', '/sandbox/webhook-urls', urls)
  expect(answer.status, answer.text).toBe(200)
}
/** A path of its own on the receiver, so that tests do not see each other's notifications. */
const ownPath = () => `/${unique('hook')}`
const at = (h: Harness, path: string): Received[] => h.received.filter((one) => one.path === path)
const eventOf = async (h: Harness, merchant: TestMerchant, reference: string, type?: string): Promise<any> => {
  const { json } = await h.as(merchant, 'GET', '/sandbox/events')
  return json.responseBody.find((one: any) => one.object === reference && (!type || one.eventType === type))
}
const deliveries = (h: Harness, merchant: TestMerchant, url: string) =>
  h.sql(merchant.cell, 'select * from deliveries where merchant_id = $1 and url = $2 order by number', [
    merchant.id,
    url,
  ])

type Place = { url: string; seen: string[]; connections: () => number; close: () => Promise<void>; server: Server }
async function place(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  host = '127.0.0.1',
): Promise<Place> {
  const seen: string[] = []
  let connections = 0
  const server = createServer((request, response) => {
    seen.push(request.url ?? '')
    request.resume()
    answer(request, response)
  })
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((done, reject) => {
    server.once('error', reject)
    server.listen(0, host, done)
  })
  const { port } = server.address() as { port: number }
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    seen,
    server,
    connections: () => connections,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
}

describe('the signature', () => {
  test('service-signature is the HMAC-SHA512 of the bytes, webhook-signature that of Standard Webhooks', async () => {
    const h = harness()
    const { second } = h.merchants
    const path = ownPath()
    await setUrls(h, second, { all: h.receiverUrl(path) })
    const done = await paid(h, second, { metaData: { '2': 'b', '1': 'a', 'ü"\\': '🐚\u2028</script>', n: 1.1 } })
    await advance(h, 0)
    const [seen, ...more] = at(h, path)
    expect(more).toEqual([])
    const { headers, text, body } = seen!
    expect(body).toMatchObject({
      eventType: 'SUCCESSFUL_TRANSACTION',
      eventData: { transactionReference: done.transactionReference, paymentReference: done.paymentReference },
    })
    expect(headers['service-signature']).toBe(createHmac('sha512', second.secretKey).update(text).digest('hex'))
    const [id, timestamp] = [String(headers['webhook-id']), String(headers['webhook-timestamp'])]
    const signed = createHmac('sha256', second.secretKey).update(`${id}.${timestamp}.${text}`).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${signed}`)
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(30)
    expect(headers['content-type']).toBe('application/json')
    expect(text).toBe(JSON.stringify(JSON.parse(text)))
    expect(JSON.stringify(body.eventData.metaData)).toBe('{"1":"a","2":"b","ü\\"\\\\":"🐚\u2028</script>","n":1.1}')
  })

  test('two events have two ids, and are signed with the key of their own merchant', async () => {
    const h = harness()
    const { main, other } = h.merchants
    const path = ownPath()
    for (const merchant of [main, other]) {
      await setUrls(h, merchant, { all: h.receiverUrl(path) })
      await paid(h, merchant)
    }
    await advance(h, 0)
    const seen = at(h, path)
    expect(new Set(seen.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
    const signers = seen.map(({ headers, text }) =>
      [main, other].findIndex(
        ({ secretKey }) => createHmac('sha512', secretKey).update(text).digest('hex') === headers['service-signature'],
      ),
    )
    expect(new Set(signers)).toEqual(new Set([0, 1]))
  })
})

describe('the schedule', () => {
  test('every wait is that of the contract, give or take a fifth; there is none after the tenth attempt', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (failed, from, spread) => {
          const next = nextAttemptAt(failed, from, spread)
          if (failed >= 10) return next === null
          const seconds = RETRY_DELAYS_SECONDS[failed]!
          const wait = (next!.getTime() - from.getTime()) / 1000
          return wait >= seconds * 0.8 - 0.001 && wait <= seconds * 1.2 + 0.001
        },
      ),
    )
    expect(RETRY_DELAYS_SECONDS).toEqual([0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400])
    expect(nextAttemptAt(1, new Date(0), 0)).not.toEqual(nextAttemptAt(1, new Date(0), 1))
  })

  test('ten attempts by the clock, each with the same bytes and webhook-id, then given up', async () => {
    const h = harness()
    const { main } = h.merchants
    const path = ownPath()
    const url = h.receiverUrl(path)
    await setUrls(h, main, { all: url })
    h.answerWith((request) => (request.path === path ? 500 : 200))
    const done = await paid(h, main)
    await advance(h, 0)
    expect(at(h, path).length).toBe(1)
    await advance(h, 100 * 3600)
    const seen = at(h, path)
    expect(seen.length).toBe(10)
    expect(new Set(seen.map(({ text }) => text)).size).toBe(1)
    expect(new Set(seen.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(seen.map(({ headers }) => headers['service-signature'])).size).toBe(1)
    const { attempts } = await eventOf(h, main, done.transactionReference)
    expect(attempts.length).toBe(10)
    for (const [i, attempt] of attempts.entries()) {
      expect(attempt).toMatchObject({ url, status: 500 })
      if (i === 0) continue
      const wait = (Date.parse(attempt.at) - Date.parse(attempts[i - 1].at)) / 1000
      expect(wait).toBeGreaterThanOrEqual(RETRY_DELAYS_SECONDS[i]! * 0.8)
      expect(wait).toBeLessThanOrEqual(RETRY_DELAYS_SECONDS[i]! * 1.2 + 5) // the clock runs on during a walk
    }
    expect(await deliveries(h, main, url)).toMatchObject([{ state: 'GIVEN_UP', attempts: 10 }])
    h.answerWith(() => 200)
    await advance(h, 60 * 86_400)
    expect(at(h, path).length).toBe(10)
  })

  test('a retry that is taken ends it', async () => {
    const h = harness()
    const { main } = h.merchants
    const path = ownPath()
    await setUrls(h, main, { all: h.receiverUrl(path) })
    h.answerWith((request) => (request.path === path && at(h, path).length < 3 ? 503 : 200))
    const done = await paid(h, main)
    await advance(h, 86_400)
    const { attempts } = await eventOf(h, main, done.transactionReference)
    expect(attempts.map((attempt: any) => attempt.status)).toEqual([503, 503, 200])
    expect(await deliveries(h, main, h.receiverUrl(path))).toMatchObject([{ state: 'DELIVERED', attempts: 3 }])
  })
})

describe('what counts as taken', () => {
  test.each([201, 202, 204, 301, 302, 307, 400, 404, 410, 429, 500])('%d is tried again', async (answered) => {
    const h = harness()
    const { main } = h.merchants
    const elsewhere = await place((_, response) => response.writeHead(200).end())
    const target = await place((request, response) =>
      request.url === '/other'
        ? response.writeHead(200).end()
        : response.writeHead(answered, { location: answered === 307 ? '/other' : `${elsewhere.url}/stolen` }).end(),
    )
    try {
      await setUrls(h, main, { all: `${target.url}/hook` })
      const done = await paid(h, main)
      await advance(h, 7)
      const { attempts } = await eventOf(h, main, done.transactionReference)
      expect(attempts.map((attempt: any) => attempt.status)).toEqual([answered, answered])
      expect(target.seen).toEqual(['/hook', '/hook'])
      expect(elsewhere.connections()).toBe(0)
      expect(await deliveries(h, main, `${target.url}/hook`)).toMatchObject([{ state: 'PENDING' }])
    } finally {
      await target.close()
      await elsewhere.close()
      await h.sql('01', `update deliveries set state = 'GIVEN_UP' where url = $1`, [`${target.url}/hook`])
    }
  })

  test('200 with an endless answer is taken, and a kilobyte of it is kept', async () => {
    const h = harness()
    const { main } = h.merchants
    const target = await place((_, response) => {
      response.writeHead(200)
      response.write(`\u0000${'a'.repeat(200_000)}`) // and never an end
    })
    try {
      await setUrls(h, main, { all: target.url })
      await paid(h, main)
      await advance(h, 0)
      const [delivery] = await deliveries(h, main, target.url)
      expect(delivery.state).toBe('DELIVERED')
      const [kept] = await h.sql('01', 'select answer from delivery_attempts where delivery_id = $1', [delivery.id])
      expect(kept.answer).toMatch(/^a{1000,1024}$/)
    } finally {
      await target.close()
    }
  })
})

describe('order and fairness', () => {
  test('the events of one transaction arrive in order: the second waits until the first is taken', async () => {
    const h = harness()
    const { main } = h.merchants
    const path = ownPath()
    await setUrls(h, main, { all: h.receiverUrl(path) })
    let refuse = true
    h.answerWith((request) => (request.path === path && refuse ? 500 : 200))
    const done = await paid(h, main)
    await h.pay(done.accountNumber, 50) // a surplus: REJECTED_PAYMENT
    const bystander = await paid(h, main)
    await advance(h, 0)
    const seen = () => at(h, path).map(({ body }) => [body.eventType, body.eventData.transactionReference])
    expect(seen().length).toBe(2)
    expect(seen()).toContainEqual(['SUCCESSFUL_TRANSACTION', done.transactionReference])
    expect(seen()).toContainEqual(['SUCCESSFUL_TRANSACTION', bystander.transactionReference])
    refuse = false
    await advance(h, 7)
    const own = seen().filter(([, reference]) => reference === done.transactionReference)
    expect(own.map(([type]) => type)).toEqual(['SUCCESSFUL_TRANSACTION', 'SUCCESSFUL_TRANSACTION', 'REJECTED_PAYMENT'])
    h.answerWith(() => 200)
  })

  test("an endpoint that never answers does not delay another merchant's: 5 of 5 within 2 s beside 20 that hang", async () => {
    const h = harness()
    const { main, other } = h.merchants
    const dead = await place(() => undefined)
    const path = ownPath()
    await setUrls(h, main, { all: dead.url })
    await setUrls(h, other, { all: h.receiverUrl(path) })
    const worker = h.startWorker()
    try {
      await Promise.all(Array.from({ length: 20 }, () => paid(h, main)))
      await h.until('the dead endpoint is being tried', async () => dead.seen.length > 0)
      await Promise.all(Array.from({ length: 5 }, () => paid(h, other)))
      await h.until('the good ones arrive', async () => at(h, path).length === 5, 2_000)
      expect(dead.seen.length).toBeLessThanOrEqual(5) // no more than its share of places
      expect((await deliveries(h, main, dead.url)).every((delivery) => delivery.state === 'PENDING')).toBe(true)
    } finally {
      await h.sql('01', `update deliveries set due_at = 'infinity' where url = $1 and lease_until is null`, [dead.url])
      await dead.close()
      await worker.stop()
      await h.sql('01', `update deliveries set state = 'GIVEN_UP' where url = $1`, [dead.url])
    }
  })
})

describe('sandbox.events', () => {
  test('200 lists events in number order without gaps, with each attempt: its moment, address, status, ms and error', async () => {
    const h = harness()
    const { second } = h.merchants
    const gone = `http://127.0.0.1:${await freePort()}/gone`
    await setUrls(h, second, { all: gone })
    const done = await paid(h, second)
    await advance(h, 0)
    const failed = await eventOf(h, second, done.transactionReference)
    expect(failed).toMatchObject({ eventType: 'SUCCESSFUL_TRANSACTION', objectVersion: 2 })
    expect(failed.attempts).toEqual([
      { at: expect.any(String), url: gone, status: null, durationMs: expect.any(Number), error: 'ECONNREFUSED' },
    ])
    const path = ownPath()
    await setUrls(h, second, { all: h.receiverUrl(path) })
    const next = await paid(h, second)
    await advance(h, 0)
    const taken = await eventOf(h, second, next.transactionReference)
    expect(taken.attempts).toEqual([
      { at: expect.any(String), url: h.receiverUrl(path), status: 200, durationMs: expect.any(Number) },
    ])
    expect(taken.attempts[0].durationMs).toBeGreaterThanOrEqual(0)
    expect(JSON.stringify(taken.body)).toBe(at(h, path)[0]!.text)
    const all = (await h.as(second, 'GET', '/sandbox/events')).json.responseBody
    expect(all.map((event: any) => event.number)).toEqual(all.map((_: unknown, i: number) => i + 1))
    const rest = (await h.as(second, 'GET', `/sandbox/events?after=${all[0].number}`)).json.responseBody
    expect(rest).toEqual(all.slice(1))
    expect((await h.as(second, 'GET', '/sandbox/events?after=-1')).json.problem.code).toBe('FIELD_INVALID')
  })

  test('an event goes to the address of its kind; without one it is listed and sent nowhere', async () => {
    const h = harness()
    const { other } = h.merchants
    const [completion, rejection] = [ownPath(), ownPath()]
    await setUrls(h, other, {
      all: null,
      transactionCompletion: h.receiverUrl(completion),
      rejectedPayment: h.receiverUrl(rejection),
    })
    const done = await paid(h, other)
    await h.pay(done.accountNumber, 50)
    await advance(h, 0)
    expect(at(h, completion).map(({ body }) => body.eventType)).toEqual(['SUCCESSFUL_TRANSACTION'])
    expect(at(h, rejection).map(({ body }) => body.eventType)).toEqual(['REJECTED_PAYMENT'])
    await setUrls(h, other, { all: null })
    const quiet = await paid(h, other)
    await advance(h, 0)
    expect((await eventOf(h, other, quiet.transactionReference)).attempts).toEqual([])
  })
})

describe('the guard of outgoing connections', () => {
  const headers = { 'content-type': 'application/json' }
  const ok = (_: IncomingMessage, response: ServerResponse) => void response.writeHead(200).end()

  test('refuses every way to write an address inside, and names that lead there, without connecting', async () => {
    const places = [await place(ok), await place(ok, '::1').catch(() => null)].filter((one) => one !== null)
    const port = new URL(places[0]!.url).port
    const guarded = createWebhooks({ allowInside: false })
    const open = createWebhooks({ allowInside: true })
    const targets = [
      ...places.map((one) => one.url),
      ...[
        '127.0.0.1',
        '127.1',
        '127.0.1',
        '2130706433',
        '0x7f000001',
        '0x7f.0.0.1',
        '017700000001',
        '0177.0.0.1',
        '127.0.0.1.',
        '127.255.255.254',
        '0.0.0.0',
        '0',
        '10.0.0.1',
        '10.255.0.1',
        '100.64.0.1',
        '169.254.169.254',
        '172.16.0.1',
        '172.31.255.255',
        '192.168.1.1',
        '198.18.0.1',
        '224.0.0.1',
        '255.255.255.255',
        '[::]',
        '[::1]',
        '[0:0:0:0:0:0:0:1]',
        '[::ffff:127.0.0.1]',
        '[::ffff:7f00:1]',
        '[::ffff:10.0.0.1]',
        '[::ffff:169.254.169.254]',
        '[64:ff9b::7f00:1]',
        '[2002:7f00:1::]',
        '[fe80::1]',
        '[fd00::1]',
        '[ff02::1]',
        'localhost',
        'LOCALHOST',
        'localhost.',
        'LOCALHOST.',
        'user:secret@localhost',
        '%31%32%37.0.0.1',
        '１２７.0.0.1',
      ].map((host) => `http://${host}:${port}/x`),
    ]
    try {
      expect((await open.post(`http://127.0.0.1:${port}/`, headers, '{}')).status).toBe(200) // somebody does listen
      const before = places.map((one) => one.connections())
      for (const target of targets) {
        const answer = await guarded.post(target, headers, '{}')
        // Not every resolver knows a localhost with a dot behind it.
        const refusals = target.includes('.:') ? ['ENOTPUBLIC', 'ENOTFOUND', 'EAI_AGAIN'] : ['ENOTPUBLIC']
        expect([target, answer.status]).toEqual([target, null])
        expect(refusals, target).toContain(answer.error)
      }
      expect(places.map((one) => one.connections())).toEqual(before)
    } finally {
      await guarded.close()
      await open.close()
      for (const one of places) await one.close()
    }
  })

  test.each(['ftp://127.0.0.1/', 'file:///etc/hostname', 'http://', 'nonsense', 'http://[', 'data:,x'])(
    'refuses %s',
    async (target) => {
      const guarded = createWebhooks({ allowInside: false })
      const answer = await guarded.post(target, headers, '{}')
      expect(answer.status).toBeNull()
      expect(answer.error).not.toBeNull()
      await guarded.close()
    },
  )
})
