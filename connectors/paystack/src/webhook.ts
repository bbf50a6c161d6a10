// What Paystack calls when something has changed. It is signed over its body, and still decides nothing: it
// is signed with the key that every call carries, it may be old, and it comes in any order. It says which
// charge to ask about.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type {
  Cards,
  Claims,
  Limits,
  Log,
  Orders,
  RefundContents,
  Reply,
  Verified,
  Webhook,
} from '@cowrie/connector-kit'

export const REFERENCE = /^[A-Za-z0-9.=-]{1,60}$/
const reply = (status: number): Reply => ({ status, body: {} })

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? { ...value } : {})

/** The event, the charge that it is about, and the dispute where it is about one. */
function eventOf(json: unknown): { readonly event: string; readonly reference: string; readonly dispute: string } {
  const { event, data } = fieldsOf(json)
  const { id, reference, transaction_reference, transaction } = fieldsOf(data)
  const named = transaction_reference ?? fieldsOf(transaction)['reference'] ?? reference
  return {
    event: typeof event === 'string' && /^[\w.-]{1,60}$/.test(event) ? event : '',
    reference: typeof named === 'string' && REFERENCE.test(named) ? named : '',
    dispute: /^\d{1,20}$/.test(String(id)) ? String(id) : '',
  }
}

/** The same webhook is the same claim; another one about the same charge is another. */
const claimOf = (what: 'charge' | 'refund' | 'dispute', reference: string, raw: Buffer): string =>
  `${what}:${reference}:${createHash('sha256').update(raw).digest('hex').slice(0, 8)}`

type Parts = {
  readonly secretKey: string
  readonly claims: Claims
  readonly cards: Cards
  readonly log: Log
}

export function createWebhook({ secretKey, claims, cards, log }: Parts): (webhook: Webhook) => Promise<Reply> {
  const isSigned = (raw: Buffer, header: string | string[] | undefined): boolean => {
    const right = Buffer.from(createHmac('sha512', secretKey).update(raw).digest('hex'))
    const given = Buffer.from(typeof header === 'string' ? header : '')
    return given.length === right.length && timingSafeEqual(given, right)
  }
  return async ({ raw, json, headers }) => {
    if (!isSigned(raw, headers['x-paystack-signature'])) return reply(401)
    const { event, reference, dispute } = eventOf(json)
    const isDispute = event.startsWith('charge.dispute.')
    if (isDispute) log.warn({ event, reference }, 'a charge is disputed; a person must answer')
    const what =
      event === 'charge.success' ? 'charge' : event.startsWith('refund.') ? 'refund' : isDispute ? 'dispute' : null
    try {
      // Another shop's charge may be in the same account: it is answered, or it would be repeated for days.
      if (what === null || reference === '' || !(await cards.has(reference))) return reply(200)
      if (what === 'dispute' && dispute === '') return reply(200)
      await claims.take(claimOf(what, what === 'dispute' ? dispute : reference, raw))
      return reply(200)
    } catch (error) {
      log.error({ error, event }, 'a webhook could not be recorded')
      return reply(503)
    }
  }
}

/** Asks Paystack about what a webhook named. What that changes the kit reports to the gateway. */
export function createVerify(
  cards: Cards,
  refunds: Orders<RefundContents>,
  disputed: (id: string, limits: Limits) => Promise<Verified>,
) {
  return async (claim: string, limits: Limits): Promise<Verified> => {
    const [what, reference = ''] = claim.split(':')
    if (what === 'dispute') return disputed(reference, limits)
    const sessions = what === 'refund' ? await refunds.openOf(reference) : []
    const looks = await Promise.all([cards.look(reference), ...sessions.map((sessionId) => refunds.look(sessionId))])
    return looks.every(Boolean) ? { kind: 'known' } : { kind: 'absent' }
  }
}
