// Notifications: signed bytes, the schedule of attempts, what counts as taken, order and fairness.
import { createHmac } from 'node:crypto'
import { RETRY_DELAYS_SECONDS } from '@cowrie/contract/events/delivery'
import { describe, expect, test } from 'vitest'
import { at, deliveries, eventOf, forget, ownPath, place, setUrls } from '#test/features/events/webhooks.ts'
import { advance, paid, useHarness } from '#test/kit/harness.ts'
import { freePort } from '../../../../../../tools/ports.ts'

const harness = useHarness()

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
    const { number, objectVersion } = await eventOf(h, second, done.transactionReference)
    expect(headers).toMatchObject({
      'cowrie-event-number': String(number),
      'cowrie-object-version': String(objectVersion),
      'cowrie-attempt': '1',
    })
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
  test('76 hours hold ten attempts at their instants, each with the same bytes and webhook-id; then it is given up', async () => {
    const h = harness()
    const { main } = h.merchants
    const path = ownPath()
    const url = h.receiverUrl(path)
    await setUrls(h, main, { all: url })
    h.answerWith((request) => (request.path === path ? 500 : 200))
    const done = await paid(h, main)
    await advance(h, 0)
    expect(at(h, path).length).toBe(1)
    const statements = () => [...h.gateway.ctx.cells.values()].reduce((sum, cell) => sum + cell.statements(), 0)
    const sent = statements()
    await advance(h, 76 * 3600)
    expect(statements() - sent).toBeLessThan(1_000) // it goes from timer to timer: some 560
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
      expect(wait).toBeLessThanOrEqual(RETRY_DELAYS_SECONDS[i]! + 5) // the clock runs on during a walk
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
  test.each([201, 202, 204, 301, 302, 307, 400, 404, 429, 500])('%d is tried again', async (answered) => {
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
      await forget(h, `${target.url}/hook`)
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
      const [kept] = await h.sql(
        '01',
        'select answer from delivery_attempts where (event_id, endpoint_id) = ($1, $2)',
        [delivery.event_id, delivery.endpoint_id],
      )
      expect(kept.answer).toMatch(/^a{1000,1024}$/)
    } finally {
      await target.close()
    }
  })
})

describe('sent again while it is under way', () => {
  test('what comes of the attempt before does not put off the next', async () => {
    const h = harness()
    const { main } = h.merchants
    let answer: () => void = () => undefined
    const target = await place((_, response) => {
      if (target.seen.length > 1) return void response.writeHead(200).end()
      // Whoever were put off by it would come in an hour.
      answer = () => response.writeHead(500, { 'retry-after': '3600' }).end()
      return undefined
    })
    const worker = h.startWorker()
    try {
      await setUrls(h, main, { all: target.url })
      const done = await paid(h, main)
      await h.until('the first attempt is there', async () => target.seen.length === 1)
      const { number } = await eventOf(h, main, done.transactionReference)
      const again = await h.as(main, 'POST', '/api/v1/events/resend', { from: number, to: number })
      expect(again.json.responseBody.recordsFound).toBe(1)
      answer()
      await h.until('the second follows at once', async () => target.seen.length === 2)
    } finally {
      await target.close()
      await worker.stop()
      await forget(h, target.url)
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

  test("an endpoint that never answers does not delay another merchant's: 5 of 5 arrive while 20 hang", async () => {
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
      // An attempt that hangs is left after 15 s: whoever waited for one would come after that.
      await h.until('the good ones arrive', async () => at(h, path).length === 5, 12_000)
      expect(dead.seen.length).toBeLessThanOrEqual(5) // no more than its share of places
      expect((await deliveries(h, main, dead.url)).every((delivery) => delivery.state === 'PENDING')).toBe(true)
    } finally {
      await forget(h, dead.url)
      await dead.close()
      await worker.stop()
      await forget(h, dead.url)
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
