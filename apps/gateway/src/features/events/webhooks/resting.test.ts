// Endpoints that fail: they rest, are looked at again, are disabled with a word to the merchant, and get
// everything in order when they are back. Meanwhile nobody else waits, and no worker sends what another
// holds.
import { ATTEMPT_HEADER } from '@cowrie/contract/events/delivery'
import { DAY_SECONDS } from '@cowrie/contract/kit/durations'
import { describe, expect, test } from 'vitest'
import { readAll } from '#core/cells/cells.ts'
import { at, deliveries, forget, ownPath, place, referenceOf, setUrls, tell } from '#test/features/events/webhooks.ts'
import { advance, type Harness, type Received, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { scatter } from '#test/kit/waiting.ts'
import { fetch } from './webhooks.sql.ts'

const harness = useHarness()
const ENDPOINTS = '/api/v1/webhook-endpoints'

const endpointAt = async (h: Harness, merchant: TestMerchant, url: string): Promise<any> =>
  (await h.as(merchant, 'GET', ENDPOINTS)).json.responseBody.find((one: any) => one.url === url)
const mailsAbout = async (h: Harness, merchant: TestMerchant, url: string): Promise<any[]> =>
  (await h.as(merchant, 'GET', `/sandbox/mails?to=${merchant.email}`)).json.responseBody.filter((mail: any) =>
    mail.subject.includes(url),
  )
/** Five are under way at once, so each is at most so many places from its own. */
function inOrder(arrived: readonly string[], announced: readonly string[]): void {
  expect([...arrived].sort()).toEqual([...announced].sort())
  for (const [place, reference] of announced.entries())
    expect(Math.abs(arrived.indexOf(reference) - place), reference).toBeLessThan(10)
}
/** By event, the numbers of its attempts as they came: one that is there twice was sent twice. */
const attemptsOf = (requests: readonly Received[]): Record<string, number[]> =>
  Object.fromEntries(
    [...Map.groupBy(requests, referenceOf)].map(([reference, those]) => [
      reference,
      those.map(({ headers }) => Number(headers[ATTEMPT_HEADER])),
    ]),
  )
const each = (announced: readonly string[], attempts: (place: number) => number[]): Record<string, number[]> =>
  Object.fromEntries(announced.map((reference, place) => [reference, attempts(place)]))

describe('an endpoint that fails', () => {
  test('is paused after ten failures; one event at a time tries whether it is back; then all arrive in order', async () => {
    const h = harness()
    const { main } = h.merchants
    const path = ownPath()
    const url = h.receiverUrl(path)
    await setUrls(h, main, { all: url })
    let broken = true
    h.answerWith((request) => (request.path === path && broken ? 500 : 200))
    const announced = await tell(h, main, 40)
    await advance(h, 0)
    expect(at(h, path).length).toBe(10)
    expect((await endpointAt(h, main, url)).restingUntil).not.toBeNull()
    await advance(h, 5)
    expect(at(h, path).length).toBe(10)
    await advance(h, 30)
    expect(at(h, path).length).toBe(11)
    await advance(h, 61)
    expect(at(h, path).length).toBe(12)
    broken = false
    await advance(h, 121)
    const arrived = at(h, path).slice(12).map(referenceOf)
    const untried = announced.slice(10)
    inOrder(
      arrived.filter((reference) => untried.includes(reference)),
      untried,
    )
    await advance(h, 310) // the two that were looked with have their own next time
    expect(at(h, path).slice(12).map(referenceOf).sort()).toEqual([...announced].sort())
    for (const [reference, attempts] of Object.entries(attemptsOf(at(h, path))))
      expect(attempts, reference).toEqual(attempts.map((_, before) => before + 1))
    expect(await endpointAt(h, main, url)).toMatchObject({ restingUntil: null, failingSince: null, waiting: 0 })
    h.answerWith(() => 200)
  })

  test('that takes nothing at the first try gets everything by the second, and nothing by a third: it is looked at with one that was tried, once', async () => {
    const h = harness()
    const { main } = h.merchants
    const path = ownPath()
    await setUrls(h, main, { all: h.receiverUrl(path) })
    const tried = new Set<string>()
    h.answerWith((request) => {
      if (request.path !== path || tried.has(referenceOf(request))) return 200
      tried.add(referenceOf(request))
      return 500
    })
    const announced = await tell(h, main, 40)
    await advance(h, 15 * 60)
    expect(attemptsOf(at(h, path))).toEqual(each(announced, () => [1, 2]))
    // The look took one of the ten that made it rest; the other nine come next, before anything new that
    // would fail.
    expect(new Set(at(h, path).slice(10, 20).map(referenceOf))).toEqual(new Set(announced.slice(0, 10)))
    h.answerWith(() => 200)
  })

  test('is looked at with a single delivery, and no read has one twice', async () => {
    const h = harness()
    const { main } = h.merchants
    const path = ownPath()
    await setUrls(h, main, { all: h.receiverUrl(path) })
    h.answerWith((request) => (request.path === path ? 500 : 200))
    const announced = await tell(h, main, 12)
    await advance(h, 25) // it is paused for 30 s, and the ten that were tried are due again
    const [{ endpoint_id: id }] = await deliveries(h, main, h.receiverUrl(path))
    const read = (look: boolean) =>
      readAll(h.gateway.ctx, '01', (r) => fetch(r, [{ id: BigInt(id), most: 50, after: null, look }]))
    expect(await read(true)).toMatchObject([{ tries: 1 }])
    expect(new Set((await read(false)).map((row) => row.event_id)).size).toBe(announced.length)
    expect((await read(false)).length).toBe(announced.length)
    h.answerWith(() => 200)
  })

  test('that asks for time by 429 and Retry-After is left alone that long, an hour at most', async () => {
    const h = harness()
    const { other } = h.merchants
    let busy = true
    const target = await place((_, response) =>
      busy ? response.writeHead(429, { 'retry-after': '1800' }).end() : response.writeHead(200).end(),
    )
    try {
      await setUrls(h, other, { all: target.url })
      await tell(h, other, 3)
      await advance(h, 0)
      expect(target.seen.length).toBe(1)
      await advance(h, 1790)
      expect(target.seen.length).toBe(1)
      busy = false
      await advance(h, 15)
      expect(target.seen.length).toBe(4)
    } finally {
      await target.close()
      await forget(h, target.url)
    }
  })

  test('410 disables it at once, with a mail and an event; what happens then waits, and comes in order when it is enabled', async () => {
    const h = harness()
    const { main } = h.merchants
    const [path, watch] = [ownPath(), ownPath()]
    const url = h.receiverUrl(path)
    await setUrls(h, main, { all: url })
    const kinds = { url: h.receiverUrl(watch), eventTypes: ['ENDPOINT_DISABLED'] }
    expect((await h.as(main, 'POST', ENDPOINTS, kinds)).status).toBe(200)
    h.answerWith((request) => (request.path === path ? 410 : 200))
    const first = await tell(h, main, 1)
    await advance(h, 0)
    expect(at(h, path).length).toBe(1)
    const disabled = await endpointAt(h, main, url)
    expect(disabled).toMatchObject({ status: 'DISABLED', disabledReason: 'GONE', waiting: 1 })
    expect(at(h, watch).map(({ body }) => body)).toMatchObject([
      { eventType: 'ENDPOINT_DISABLED', eventData: { endpointId: disabled.endpointId, url, reason: 'GONE' } },
    ])
    const [mail, ...more] = await mailsAbout(h, main, url)
    expect(more).toEqual([])
    expect(mail.text).toContain('410')
    expect(mail.text).toContain(`${ENDPOINTS}/${disabled.endpointId}/enable`)
    const meanwhile = await tell(h, main, 30)
    await advance(h, 20 * DAY_SECONDS)
    expect(at(h, path).length).toBe(1)
    h.answerWith(() => 200)
    const enabled = await h.as(main, 'POST', `${ENDPOINTS}/${disabled.endpointId}/enable`)
    expect(enabled.json.responseBody).toMatchObject({ status: 'ENABLED', disabledReason: null })
    await advance(h, 0)
    inOrder(at(h, path).slice(1).map(referenceOf), [...first, ...meanwhile])
  })

  test('five days of nothing but failures disable it, not a tenth of a day before; enabled, it gets what waited', async () => {
    const h = harness()
    const { second } = h.merchants
    const path = ownPath()
    const url = h.receiverUrl(path)
    await setUrls(h, second, { all: url })
    h.answerWith((request) => (request.path === path ? 503 : 200))
    const tellAfter = async (days: number) => {
      await advance(h, days * DAY_SECONDS)
      const announced = await tell(h, second, 1)
      await advance(h, 0)
      return announced
    }
    await tellAfter(0)
    await tellAfter(2.5)
    const waiting = await tellAfter(2.4)
    expect(await endpointAt(h, second, url)).toMatchObject({ status: 'ENABLED', failingSince: expect.any(String) })
    waiting.push(...(await tellAfter(0.2)))
    const disabled = await endpointAt(h, second, url)
    expect(disabled).toMatchObject({ status: 'DISABLED', disabledReason: 'FAILING' })
    expect((await mailsAbout(h, second, url)).length).toBe(1)
    const before = at(h, path).length
    h.answerWith(() => 200)
    waiting.push(...(await tellAfter(10)))
    expect(at(h, path).length).toBe(before)
    await h.as(second, 'POST', `${ENDPOINTS}/${disabled.endpointId}/enable`)
    await advance(h, 0)
    expect(
      at(h, path)
        .slice(before)
        .map(referenceOf)
        .filter((reference) => waiting.includes(reference)),
    ).toEqual(waiting)
    expect(await endpointAt(h, second, url)).toMatchObject({ status: 'ENABLED', failingSince: null, waiting: 0 })
  })
})

describe('many at once', () => {
  test('of one object strictly one after the other, also when the first ones fail', async () => {
    const h = harness()
    const { main } = h.merchants
    const path = ownPath()
    await setUrls(h, main, { all: h.receiverUrl(path) })
    const failures = new Map<string, number>()
    h.answerWith((request) => {
      if (request.path !== path) return 200
      const reference = referenceOf(request)
      const failed = failures.get(reference) ?? 0
      failures.set(reference, failed + 1)
      return failed < 2 && announced.indexOf(reference) % 3 === 0 ? 500 : 200
    })
    const [{ id }] = await h.sql('01', `select nextval('ids')::text as id`)
    const announced = await tell(h, main, 12, BigInt(id))
    const others = await tell(h, main, 12)
    await advance(h, 0)
    expect(
      at(h, path)
        .map(referenceOf)
        .filter((reference) => others.includes(reference)).length,
    ).toBe(12)
    expect(
      at(h, path)
        .map(referenceOf)
        .filter((reference) => announced.includes(reference)),
    ).toEqual([announced[0]])
    await advance(h, 3600)
    const taken = at(h, path)
      .map(referenceOf)
      .filter((reference) => announced.includes(reference))
    expect([...new Set(taken)]).toEqual(announced)
    expect(attemptsOf(at(h, path))).toEqual({
      ...each(announced, (place) => (place % 3 === 0 ? [1, 2, 3] : [1])),
      ...each(others, () => [1]),
    })
    h.answerWith(() => 200)
  })

  test('one that is being answered is not sent again when many that were numbered before it come into their turn', async () => {
    const h = harness()
    const { main } = h.merchants
    const [seen, announced]: [string[], string[]] = [[], []]
    let answerLast = (): void => undefined
    const target = await place((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const reference = JSON.parse(Buffer.concat(parts).toString()).eventData.transactionReference
        seen.push(reference)
        const answer = () => void response.writeHead(200).end()
        if (reference === announced.at(-1) && announced.length > 1) answerLast = answer
        // Slow at first: to one that is quick, so much is read ahead that all of this would be a single read.
        else setTimeout(answer, seen.length < 40 ? 260 : 0)
        if (new Set(seen).size === announced.length) answerLast()
      })
    })
    try {
      await setUrls(h, main, { all: target.url })
      announced.push(...(await tell(h, main, 1)))
      await advance(h, 0) // from now on it gets five at once
      const objects = await h.sql('01', `select nextval('ids')::text as id from generate_series(1, 40)`)
      for (const { id } of objects) announced.push(...(await tell(h, main, 2, BigInt(id))))
      announced.push(...(await tell(h, main, 1)))
      await advance(h, 0)
      expect(seen.sort()).toEqual(announced.sort())
    } finally {
      await target.close()
      await forget(h, target.url)
    }
  })

  test('five at a time to one endpoint, however many workers there are, and each once', async () => {
    const h = harness()
    const { main } = h.merchants
    let [busy, most] = [0, 0]
    const bodies: string[] = []
    const target = await place((request, response) => {
      busy += 1
      most = Math.max(most, busy)
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      const answer = async () => {
        if (bodies.length > 0) await h.until('five are here at once', async () => most >= 5) // the first comes alone
        await scatter(8) // whoever would come as the sixth has its chance
        busy -= 1
        bodies.push(JSON.parse(Buffer.concat(parts).toString()).eventData.transactionReference)
        response.writeHead(200).end()
      }
      request.on('end', () => void answer())
    })
    const workers = [h.startWorker(), h.startWorker(), h.startWorker()]
    try {
      await setUrls(h, main, { all: target.url })
      const announced = (await Promise.all(Array.from({ length: 10 }, () => tell(h, main, 30)))).flat()
      h.gateway.ctx.wake('01')
      await h.until('all have arrived', async () => bodies.length >= announced.length)
      await h.until('all are written down', async () =>
        (await deliveries(h, main, target.url)).every(({ state }) => state === 'DELIVERED'),
      )
      expect(bodies.sort()).toEqual(announced.sort())
      expect(most).toBe(5)
    } finally {
      for (const worker of workers) await worker.stop()
      await target.close()
    }
  })

  test('a worker that stops finishes what is under way and leaves the rest of a queue to others', async () => {
    const h = harness()
    const { main } = h.merchants
    let [seen, stopping] = [0, false]
    const waiting: (() => void)[] = []
    const target = await place((request, response) => {
      seen += 1
      const answer = () => void response.writeHead(200).end()
      request.resume().on('end', () => (stopping ? answer() : waiting.push(answer)))
    })
    const worker = h.startWorker()
    try {
      await setUrls(h, main, { all: target.url })
      await tell(h, main, 40)
      h.gateway.ctx.wake('01')
      await h.until('one is under way', async () => waiting.length > 0)
      const stopped = worker.stop()
      stopping = true
      for (const answer of waiting.splice(0)) answer()
      await stopped
      expect(seen).toBeLessThan(20)
      await advance(h, 0)
      expect(seen).toBe(40)
    } finally {
      stopping = true
      for (const answer of waiting.splice(0)) answer()
      await worker.stop()
      await target.close()
    }
  })

  test('a worker whose session breaks lets go and comes back: nothing is lost, few come twice', async () => {
    const h = harness()
    const { main } = h.merchants
    const path = ownPath()
    await setUrls(h, main, { all: h.receiverUrl(path) })
    const worker = h.startWorker()
    try {
      const announced: string[] = []
      for (let round = 0; round < 6; round += 1) {
        announced.push(...(await tell(h, main, 100)))
        h.gateway.ctx.wake('01')
        await h.until('some have arrived', async () => at(h, path).length > announced.length - 80)
        await h.sql(
          '01',
          `select pg_terminate_backend(pid) from (select distinct l.pid from pg_locks l
          where l.locktype = 'advisory' and l.database = (select oid from pg_database where datname = current_database())) as holders`,
        )
      }
      await h.until('all have arrived', async () => new Set(at(h, path).map(referenceOf)).size === announced.length)
      expect(at(h, path).length - announced.length).toBeLessThanOrEqual(6 * 261)
    } finally {
      await worker.stop()
    }
  })
})
