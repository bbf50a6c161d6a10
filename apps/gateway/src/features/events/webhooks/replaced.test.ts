// An address that is taken off and put back is another endpoint: how many requests it gets at once, of both
// together.
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { tell } from '#test/features/events/events.ts'
import { useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

test('five are under way to an endpoint; put back, its address gets one more until it has answered, beside those that were under way', async () => {
  const h = harness()
  const { other } = h.merchants
  const open: ServerResponse[] = []
  let slow = false
  const server = createServer((request, response) => {
    request.resume()
    if (slow) open.push(response)
    else response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const point = async (all: string | null) =>
    expect((await h.as(other, 'PUT', '/sandbox/webhook-urls', { all })).status).toBe(200)
  const delivered = async (): Promise<number> =>
    (await h.sql('01', `select from deliveries where merchant_id = $1 and state = 'DELIVERED'`, [other.id])).length
  await point(url)
  const worker = h.startWorker()
  try {
    await tell(h, other)
    await h.until('the first is taken, and five places are open', async () => (await delivered()) === 1)
    slow = true
    await tell(h, other)
    await h.until('one is under way, and hangs', async () => open.length === 1)
    for (let n = 0; n < 4; n += 1) await tell(h, other)
    await h.until('those that came later have the other places', async () => open.length === 5)
    await point(null)
    await point(url)
    for (let n = 0; n < 3; n += 1) await tell(h, other)
    await h.until('the new endpoint gets its first', async () => open.length === 6)
    slow = false
    for (const response of open.slice(0, 6)) response.end()
    await h.until('everything is through', async () => (await delivered()) >= 4)
    expect(open.length).toBe(6)
  } finally {
    for (const response of open) response.end()
    await worker.stop()
    await point(null)
    server.close()
  }
})
