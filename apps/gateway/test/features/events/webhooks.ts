// The merchants' side in a test: where notifications go, and servers that answer them in their own way.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { successfulTransaction } from '@cowrie/contract/events/collections'
import { expect } from 'vitest'
import { cellById, engineTx } from '#core/cells/cells.ts'
import { announce, eventBody } from '#core/events.ts'
import { type Harness, type Received, type TestMerchant, unique } from '../../kit/harness.ts'

/** Endpoints of this test alone: what waited for those of the test before is given up. */
export const setUrls = async (h: Harness, merchant: TestMerchant, urls: Record<string, string | null>) => {
  await h.as(merchant, 'PUT', '/sandbox/webhook-urls', { all: null })
  const answer = await h.as(merchant, 'PUT', '/sandbox/webhook-urls', urls)
  expect(answer.status, answer.text).toBe(200)
}
/** A path of its own on the receiver, so that tests do not see each other's notifications. */
export const ownPath = () => `/${unique('hook')}`
export const at = (h: Harness, path: string): Received[] => h.received.filter((one) => one.path === path)
export const eventOf = async (h: Harness, merchant: TestMerchant, reference: string, type?: string): Promise<any> => {
  const { json } = await h.as(merchant, 'GET', '/sandbox/events')
  return json.responseBody.find((one: any) => one.object === reference && (!type || one.eventType === type))
}
export const deliveries = (h: Harness, merchant: TestMerchant, url: string) =>
  h.sql(
    merchant.cell,
    'select d.*, e.url from deliveries d join endpoints e on e.id = d.endpoint_id where d.merchant_id = $1 and e.url = $2 order by number',
    [merchant.id, url],
  )
/** Nothing more is sent there: other tests move the clock too. */
export const forget = (h: Harness, url: string) =>
  h.sql(
    '01',
    `update deliveries set state = 'GIVEN_UP' from endpoints e where e.id = endpoint_id and e.url = $1 and state = 'PENDING'`,
    [url],
  )

export type Place = {
  url: string
  seen: string[]
  connections: () => number
  close: () => Promise<void>
  server: Server
}
export async function place(
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

/** Events of a merchant, committed together, in order: each about an object of its own, or all about the one
 *  given. Answers with their references. */
export async function tell(h: Harness, merchant: TestMerchant, count: number, object?: bigint): Promise<string[]> {
  const { ctx } = h.gateway
  const ids = await cellById(ctx, merchant.cell).takeIds(count * 2)
  const references = Array.from({ length: count }, () => unique('told'))
  await engineTx(ctx, merchant.cell, async (t) => {
    for (const [i, reference] of references.entries()) {
      const [{ eventData }] = successfulTransaction.samples
      await announce(t, {
        id: ids[i * 2] as bigint,
        merchantId: merchant.id,
        type: successfulTransaction.type,
        object: reference,
        objectId: object ?? (ids[i * 2 + 1] as bigint),
        objectVersion: i + 1,
        body: eventBody(successfulTransaction, { ...eventData, transactionReference: reference }),
      })
    }
  })
  return references
}
/** The reference that a notification of `tell` carries. */
export const referenceOf = (request: Received): string => request.body.eventData.transactionReference
