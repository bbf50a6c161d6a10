// A door for what a bank sends. It is not the gateway's door: a bank's door is open to the internet, and
// whoever knocks there must not find the gateway's calls, nor /metrics. Whatever is received is the adapter's
// to verify.
import type { IncomingHttpHeaders } from 'node:http'
import type { Log } from '../log/log.ts'
import { type Address, type Door, openDoor, parseBody, type Reply, readBody, refusal } from './door.ts'

export type Webhook = {
  /** The exact bytes, where a signature is made over them. */
  readonly raw: Buffer
  readonly json: unknown
  readonly headers: IncomingHttpHeaders
}

export type WebhookParts = Address & {
  readonly log: Log
  /** By path. A handler answers after what it was given is recorded, or verified and of no use. */
  readonly routes: Readonly<Record<string, (webhook: Webhook) => Promise<Reply>>>
}

const BODY_MAX = 64 * 1024

export const serveWebhooks = ({ routes, ...parts }: WebhookParts): Promise<Door> =>
  openDoor({
    ...parts,
    answer: async (request) => {
      const { method, url = '' } = request
      const path = url.split('?')[0] ?? ''
      const handler = method === 'POST' && Object.hasOwn(routes, path) ? routes[path] : undefined
      if (handler === undefined) return refusal(404, 'Not found')
      const raw = await readBody(request, BODY_MAX)
      if (raw === null) return refusal(413, `A message has at most ${BODY_MAX} bytes`)
      const json = parseBody(raw)
      return json === undefined
        ? refusal(400, 'The message is not JSON')
        : handler({ raw, json, headers: request.headers })
    },
  })
