// Refunds to cards: the issuer returns money of a charge it approved.
//   order → SUCCESS | FAILED | PENDING → SUCCESS | FAILED when due; SUCCESS → REVERSED; bar: PENDING or not
//     received → FAILED
// Books: refunded on the way into SUCCESS, reversed on the way into REVERSED, each once per session.
import { CARD_REFUND_PATHS, type CardRefundAnswer } from '@cowrie/contract/bank/card-refund-connector'
import { parseNaira } from '@cowrie/contract/kit/money'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import type { Clock } from '../kit/clock.ts'
import { LEASE_SECONDS, type Notices } from '../kit/notices.ts'
import { bodyText, isLine, isName, isSession, parseFields, queryOf, refuse } from '../kit/requests.ts'
import { type Silence, silent } from '../kit/silence.ts'
import { REFUND_CODES, refundText } from './refunds.rules.ts'
import {
  barRefund,
  type CardRefund,
  insertRefund,
  listRefunds,
  presentRefund,
  type RefundOrder,
  refundAskedAgain,
} from './refunds.sql.ts'

/** Where refunds are kept, and who is notified of them. */
export type Refunding = { readonly pool: pg.Pool; readonly clock: Clock; readonly notices: Notices }

type Outcome = CardRefundAnswer | 'silence' | 'other order'

const answerWith = (sessionId: string, status: CardRefundAnswer['status'], responseCode: string): CardRefundAnswer => ({
  sessionId,
  status,
  responseCode,
  message: refundText(responseCode),
})
const answerFor = (sessionId: string, refund: CardRefund | null): CardRefundAnswer =>
  refund === null
    ? answerWith(sessionId, 'UNKNOWN', REFUND_CODES.notReceived)
    : answerWith(sessionId, refund.status, refund.code)

/** One session names one refund for ever; only one that was barred in advance cannot be compared. */
const sameOrder = (order: RefundOrder, refund: CardRefund): Outcome =>
  refund.kobo === null ||
  (refund.kobo === order.kobo &&
    refund.chargeReference === order.chargeReference &&
    refund.narration === order.narration)
    ? answerFor(order.sessionId, refund)
    : 'other order'

async function order({ pool, clock, notices }: Refunding, asked: RefundOrder): Promise<Outcome> {
  const { sessionId } = asked
  const known = await refundAskedAgain(pool, sessionId, clock.now())
  if (known !== null) return sameOrder(asked, known)
  const made = await insertRefund(pool, asked, clock.now(), LEASE_SECONDS)
  if (made === 'not received') return 'silence'
  if (made === 'known') return order({ pool, clock, notices }, asked)
  void notices.sendTogether(
    made.owed.filter((notice) => notice.now).map(({ id, status }) => ({ id, refund: { sessionId, status } })),
  )
  return made.plan.answer === 'silence' ? 'silence' : answerWith(sessionId, made.plan.status, made.plan.code)
}

function readOrder(body: string): { readonly asked: RefundOrder } | { readonly error: string } {
  const { sessionId, chargeReference, amount, narration, merchantName } = parseFields(body) ?? {}
  const kobo = typeof amount === 'string' ? parseNaira(amount) : null
  if (!isSession(sessionId)) return { error: 'sessionId must be thirty digits' }
  if (!isName(chargeReference)) return { error: 'chargeReference is missing' }
  if (kobo === null || kobo <= 0n) return { error: 'amount must be greater than zero, with two decimals' }
  if (!isLine(narration)) return { error: 'narration must be a single line of at most 200 characters' }
  if (!isName(merchantName)) return { error: 'merchantName must be a single line of at most 200 characters' }
  return { asked: { sessionId, chargeReference, kobo, narration } }
}

/** Inside the signed scope. */
export function bindRefunds(app: FastifyInstance, refunding: Refunding, silence: Silence): void {
  const { pool, clock } = refunding
  app.post(CARD_REFUND_PATHS.refunds, async (request, reply) => {
    const reading = readOrder(bodyText(request))
    if ('error' in reading) return refuse(reply, 400, reading.error)
    const outcome = await order(refunding, reading.asked)
    if (outcome === 'silence') return silent(silence, request, reply)
    return outcome === 'other order' ? refuse(reply, 409, 'This sessionId was used for a different order') : outcome
  })

  const bySession = (ask: (pool: pg.Pool, sessionId: string, now: Date) => Promise<CardRefund | null>) => {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const { sessionId } = parseFields(bodyText(request)) ?? {}
      if (!isSession(sessionId)) return refuse(reply, 400, 'sessionId must be thirty digits')
      return answerFor(sessionId, await ask(pool, sessionId, clock.now()))
    }
  }
  app.post(CARD_REFUND_PATHS.inquiries, bySession(presentRefund))
  app.post(CARD_REFUND_PATHS.bars, bySession(barRefund))
}

/** Open, like the rest of the customer's side. */
export function bindRefundBooks(app: FastifyInstance, { pool }: Pick<Refunding, 'pool'>): void {
  app.get('/api/cards/refunds', async (request) => {
    const { sessionId, chargeReference } = queryOf(request)
    return listRefunds(pool, { sessionId: sessionId ?? null, chargeReference: chargeReference ?? null })
  })
}
