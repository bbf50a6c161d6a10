// What the bank calls when money was received. It repeats a call four times if it is answered 03 or not at
// all, and then never again.
import { timingSafeEqual } from 'node:crypto'
import type { Claims, Log, Reply, Webhook } from '@cowrie/connector-kit'
import type { Config } from './config.ts'
import { claimOf } from './credits.ts'
import { signatureOf } from './upstream.ts'

const ANSWERS = {
  counted: ['00', 'success'],
  repeated: ['01', 'duplicate transaction'],
  rejected: ['02', 'rejected transaction'],
  open: ['03', 'system failure, retry'],
} as const

const reply = (answer: keyof typeof ANSWERS, sessionId: unknown, status = 200): Reply => {
  const [responseCode, responseMessage] = ANSWERS[answer]
  const named = typeof sessionId === 'string' ? sessionId.slice(0, 60) : ''
  return { status, body: { requestSuccessful: true, sessionId: named, responseMessage, responseCode } }
}

export function createWebhook(config: Config, claims: Claims, log: Log): (webhook: Webhook) => Promise<Reply> {
  const right = Buffer.from(signatureOf(config))
  const isOurs = (header: string | string[] | undefined): boolean => {
    const said = Buffer.from(typeof header === 'string' ? header.toUpperCase() : '')
    return said.length === right.length && timingSafeEqual(said, right)
  }
  return async ({ json, headers }) => {
    const { sessionId, settlementId }: { sessionId?: unknown; settlementId?: unknown } =
      typeof json === 'object' && json !== null ? json : {}
    // It proves nothing, but it keeps out who has not even seen one.
    if (!isOurs(headers['x-auth-signature'])) return reply('rejected', sessionId, 401)
    const claim = claimOf(sessionId, settlementId)
    if (claim === null) return reply('rejected', sessionId, 400)
    try {
      // 02 is never said of a claim: the bank does not pay out what was rejected, and a transfer that it does
      // not know yet may be true.
      return reply(await claims.take(claim), sessionId)
    } catch (error) {
      log.error({ error }, 'a webhook could not be recorded')
      return reply('open', sessionId, 503)
    }
  }
}
