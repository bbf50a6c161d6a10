// The adapter's own door: the gateway's calls, signed, and /health, /ready and /metrics for whoever runs it.
import type { IncomingMessage } from 'node:http'
import type { CardSettings } from '@cowrie/contract/bank/v2/cards'
import type { Cards } from '../cards/cards.ts'
import type { Claims } from '../claims/claims.ts'
import { isReady, type Store } from '../database/database.ts'
import { createMeter, type Meter } from '../kit/meter.ts'
import { checkKeys, isSigned, type Keys, signAnswer } from '../kit/signing.ts'
import type { Log } from '../log/log.ts'
import { createMetrics } from '../metrics/metrics.ts'
import type { Numbers } from '../numbers/numbers.ts'
import type { RefundContents } from '../orders/contents.ts'
import type { Orders } from '../orders/orders.ts'
import { type Address, openDoor, parseBody, type Reply, readBody, refusal } from './door.ts'
import type { BankMapping } from './mapping.ts'
import { createRoutes } from './routes.ts'

export type ServerParts = Store &
  Address & {
    readonly mapping: BankMapping
    /** Where the bank pays out. */
    readonly orders?: Orders
    /** Where it takes cards, with what `cardSettingsOf` says of them. */
    readonly cards?: Cards
    readonly cardSettings?: CardSettings
    readonly cardRefunds?: Orders<RefundContents>
    /** Where the bank issues account numbers. */
    readonly numbers?: Numbers
    /** Where credits are verified before they count; for /metrics. */
    readonly claims?: Pick<Claims, 'waiting'>
    /** The one that was given to the other parts, so that /metrics has their calls too. */
    readonly meter?: Meter
    readonly keys: Keys
    readonly log: Log
  }

export type AdapterServer = {
  readonly url: string
  /** From now on not ready. Every call that has arrived is answered, and every call to the bank that began is
   *  waited for. */
  drain(limitMs?: number): Promise<void>
}

/** 500 accounts of a list of names, and room. */
const BODY_MAX = 128 * 1024
const RESUME_EVERY_MS = 5_000
const DRAIN_MS = 70_000

type Answering = (request: IncomingMessage) => Promise<Reply>

function createAnswering(parts: ServerParts, isDraining: () => boolean): Answering {
  const { keys, meter = createMeter() } = parts
  const routes = createRoutes({ ...parts, meter })
  const metrics = createMetrics({ ...parts, meter })

  const ready = async (): Promise<Reply> => {
    const is = !isDraining() && (await isReady(parts))
    return { status: is ? 200 : 503, body: { ready: is } }
  }
  const open: Readonly<Record<string, () => Promise<Reply>>> = {
    'GET /health': async () => ({ status: 200, body: { healthy: true } }),
    'GET /ready': ready,
    'GET /metrics': async () => ({ status: 200, body: await metrics() }),
  }

  return async (request) => {
    const { method = '', url = '' } = request
    const [path = '', search = ''] = url.split('?', 2)
    const unsigned = open[`${method} ${path}`]
    if (unsigned !== undefined) return unsigned()
    const body = await readBody(request, BODY_MAX)
    if (body === null) return refusal(413, `A message has at most ${BODY_MAX} bytes`)
    // Before the path is looked at: who cannot sign learns nothing of what there is.
    if (!isSigned(keys(), { method, path: url, body }, request.headers, parts.clock))
      return refusal(401, 'The signature is not valid')
    // Not 404: of an account or a charge that would be an answer.
    const handler = routes.get(`${method} ${path}`)
    const json = parseBody(body)
    const reply =
      handler === undefined
        ? refusal(501, 'This adapter has no such call')
        : json === undefined
          ? refusal(400, 'The message is not JSON')
          : await handler({ json, query: new URLSearchParams(search) })
    const sign = (text: string) => signAnswer(keys()[0] ?? '', request.headers, reply.status, text)
    return { ...reply, sign }
  }
}

export async function serve(parts: ServerParts): Promise<AdapterServer> {
  const { orders, numbers, cards, cardRefunds, log } = parts
  checkKeys(parts.keys())
  let draining = false
  const door = await openDoor({ ...parts, answer: createAnswering(parts, () => draining) })

  const resume = (): void => {
    for (const kept of [orders, cardRefunds])
      kept?.resume().catch((error: unknown) => log.error({ error }, 'orders that were left could not be read'))
  }
  const resuming = setInterval(resume, RESUME_EVERY_MS)
  resume()

  return {
    url: door.url,
    drain: async (limitMs = DRAIN_MS) => {
      draining = true
      clearInterval(resuming)
      await door.close(limitMs)
      await Promise.all([orders?.idle(), cards?.idle(), cardRefunds?.idle()])
      await numbers?.stop()
    },
  }
}

/** Drains once, then ends the process: 0 when all was answered. `after` closes what the adapter has
 *  opened. */
export function drainOnSignals(server: AdapterServer, after: () => Promise<unknown>, log: Log): void {
  let ending = false
  const end = (): void => {
    if (ending) return
    ending = true
    server
      .drain()
      .then(after)
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ error }, 'could not stop cleanly')
          process.exit(1)
        },
      )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}
