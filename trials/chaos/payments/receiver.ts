// The merchants' side of notifications: one path per merchant, every signature verified over the raw bytes.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isSigned } from '../kit/signature.ts'
import type { ChaosMerchant } from '../kit/world.ts'

export type Receiver = {
  readonly url: string
  /** By path, then by transaction reference: how many notifications were verified and answered 200. */
  readonly taken: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** How many were answered 500 on purpose. */
  refused(): number
  /** Wrong signatures, unknown paths, foreign contents. */
  readonly faults: readonly string[]
  close(): Promise<void>
}

type Notification = {
  readonly eventType: string
  readonly eventData: { readonly transactionReference: string; readonly paymentReference: string }
}

/** `refusesFirst` says for which payments the merchant is not there at first. */
export async function startReceiver(
  merchants: readonly ChaosMerchant[],
  refusesFirst: (paymentReference: string) => boolean,
): Promise<Receiver> {
  const byPath = new Map(merchants.map((merchant) => [merchant.path, merchant]))
  const taken = new Map(merchants.map(({ path }) => [path, new Map<string, number>()]))
  const refusedOnce = new Set<string>()
  const faults: string[] = []

  const judge = (path: string, signature: unknown, body: Buffer): number => {
    const merchant = byPath.get(path)
    if (!merchant || !isSigned(merchant.secretKey, signature, body)) {
      faults.push(`${path}: ${merchant ? 'the signature is wrong' : 'unknown address'}: ${body.toString('utf8')}`)
      return 400
    }
    const { eventType, eventData } = JSON.parse(body.toString('utf8')) as Notification
    if (eventType !== 'SUCCESSFUL_TRANSACTION') faults.push(`${path}: ${eventType} ${eventData.transactionReference}`)
    if (refusesFirst(eventData.paymentReference) && !refusedOnce.has(eventData.transactionReference)) {
      refusedOnce.add(eventData.transactionReference)
      return 500
    }
    const counts = taken.get(path) as Map<string, number>
    counts.set(eventData.transactionReference, (counts.get(eventData.transactionReference) ?? 0) + 1)
    return 200
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('error', () => undefined) // the worker was killed while it spoke
    request.on('end', () => {
      response.writeHead(judge(request.url ?? '', request.headers['service-signature'], Buffer.concat(parts))).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    refused: () => refusedOnce.size,
    faults,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
