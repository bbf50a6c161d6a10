// Live status: what open pages receive, how little it costs, and that it ends.
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { cellById } from '#core/cells/cells.ts'
import { advance, type Harness, initialise, issueAccount, useHarness } from '#test/kit/harness.ts'
import { rest } from '#test/kit/waiting.ts'
import { freePort } from '../../../../../../tools/ports.ts'
import { createApi } from '../../../app.ts'

const harness = useHarness({ settings: async () => ({ TRUSTED_PROXIES: '127.0.0.1,::1' }) })

type LiveState = { mark: string; state: string; now: number }

/** Reads a stream until it ends; `received` grows meanwhile. (Not by fetch: after an abort it opens a
 *  connection that never asks for anything, and a server waits for that one when it closes.) */
async function listen(
  url: string,
  from = '127.0.0.1',
): Promise<{ received: LiveState[]; ended: Promise<void>; stop: () => void; status: number }> {
  const asked = get(`${url}/live`, { agent: false, headers: { 'x-forwarded-for': from } })
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const received: LiveState[] = []
  let text = ''
  answer.setEncoding('utf8').on('data', (part: string) => {
    text += part
    const messages = text.split('\n\n')
    text = messages.pop() ?? ''
    for (const message of messages)
      if (message.startsWith('data: ')) received.push(JSON.parse(message.slice(6)) as LiveState)
  })
  answer.on('error', () => undefined) // our own end of it
  const ended = new Promise<void>((done) => answer.once('close', () => done()))
  return { received, ended, stop: () => asked.destroy(), status: answer.statusCode ?? 0 }
}

const openPage = async (h: Harness, merchant = h.merchants.main) => {
  const made = await initialise(h, merchant)
  return { made, account: await issueAccount(h, merchant, made.transactionReference), url: made.checkoutUrl }
}

test('a page receives its state at once, the payment at the next look, and the stream ends with it', async () => {
  const h = harness()
  const { url, account } = await openPage(h)
  const stream = await listen(url)
  await h.until('first word', async () => stream.received.length > 0)
  const shown = (await (await fetch(`${url}/status`)).json()) as LiveState
  expect(stream.received[0]).toMatchObject({ state: 'PENDING', mark: shown.mark })
  const paidAt = Date.now()
  await h.pay(account, 1500)
  await stream.ended
  expect(Date.now() - paidAt).toBeLessThan(10_000) // a look is a second away; the beat of a silent stream fifteen
  expect(stream.received.at(-1)?.state).toBe('PAID')
  expect(stream.received.at(-1)?.mark).not.toBe(shown.mark)
  expect(stream.received).toHaveLength(2) // nothing is said while nothing changes
})

test('a moved clock is sent to the page, for the count-down', async () => {
  const h = harness()
  const { url } = await openPage(h)
  const stream = await listen(url)
  await h.until('first word', async () => stream.received.length > 0)
  await advance(h, 600)
  await h.until('the new time', async () => stream.received.length > 1)
  expect((stream.received[1]?.now ?? 0) - (stream.received[0]?.now ?? 0)).toBeGreaterThanOrEqual(600_000)
  stream.stop()
  await stream.ended
})

test('40 pages of one cell cost one statement a second, and none to a cell that nobody watches', async () => {
  const h = harness()
  const open = await Promise.all(Array.from({ length: 20 }, () => openPage(h)))
  const streams = await Promise.all(open.flatMap(({ url }) => [listen(url), listen(url)]))
  await h.until('all have the state', async () => streams.every((stream) => stream.received.length > 0))
  const [watched, idle] = [cellById(h.gateway.ctx, '01'), cellById(h.gateway.ctx, '02')]
  const [before, untouched, began] = [watched.statements(), idle.statements(), performance.now()]
  await h.until('three looks', async () => watched.statements() >= before + 3)
  // Between three are two seconds; if each page asked for itself they would come at once.
  expect(performance.now() - began).toBeGreaterThan(1_900)
  expect(idle.statements()).toBe(untouched)
  for (const stream of streams) stream.stop()
  await Promise.all(streams.map((stream) => stream.ended))
  await rest('nobody watches, nobody looks', () => watched.statements(), 2_500)
})

test('429 for the eleventh watcher of one payment; its page asks for itself', async () => {
  const h = harness()
  const { url } = await openPage(h)
  const streams = await Promise.all(Array.from({ length: 10 }, () => listen(url)))
  expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  const refused = await fetch(`${url}/live`)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  expect((await fetch(`${url}/status`)).status).toBe(200)
  streams[0]?.stop()
  await streams[0]?.ended
  const again = await h.until('room again', async () => {
    const stream = await listen(url)
    return stream.status === 200 ? stream : null
  })
  for (const stream of [...streams, again]) stream.stop()
  await Promise.all([...streams, again].map((stream) => stream.ended))
})

test('429 for the fifty-first stream of one network, whatever the payments; other networks have theirs', async () => {
  const h = harness()
  const pages = await Promise.all(Array.from({ length: 6 }, () => openPage(h)))
  const at = (n: number) => pages[Math.floor(n / 10)]?.url ?? ''
  const streams = await Promise.all(Array.from({ length: 50 }, (_, n) => listen(at(n), `41.7.20.${n + 1}`)))
  expect(streams.every(({ status }) => status === 200)).toBe(true)
  expect((await listen(at(50), '41.7.20.99')).status).toBe(429)
  const elsewhere = await listen(at(51), '41.7.21.99')
  expect(elsewhere.status).toBe(200)
  streams[0]?.stop()
  const again = await h.until('room again', async () => {
    const stream = await listen(at(50), '41.7.20.99')
    return stream.status === 200 ? stream : null
  })
  for (const stream of [...streams, elsewhere, again]) stream.stop()
  await Promise.all([...streams, elsewhere, again].map((stream) => stream.ended))
})

test('the api ends at once with streams open, and ends them', async () => {
  const h = harness()
  const port = await freePort()
  const app = createApi(h.gateway, { ...h.config, port })
  await app.listen({ host: '127.0.0.1', port })
  const { url } = await openPage(h)
  const streams = await Promise.all(
    Array.from({ length: 5 }, () => listen(url.replace(h.apiUrl, `http://127.0.0.1:${port}`))),
  )
  await h.until('all have the state', async () => streams.every((stream) => stream.received.length > 0))
  const began = Date.now()
  await app.close()
  await Promise.all(streams.map((stream) => stream.ended))
  expect(Date.now() - began).toBeLessThan(10_000) // a stream lives as long as its payment waits: forty minutes
})
