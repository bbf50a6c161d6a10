// What the bank answers about payouts: to the gateway, signed; and to whoever reads its books or injects
// faults.
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { PAYOUT_PATHS_V2, type PayoutAnswerV2 } from '@cowrie/contract/bank/v2/payouts'
import { parseNaira } from '@cowrie/contract/kit/money'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { readFaults } from '../kit/faults.ts'
import { bodyText, isLine, isName, isSession, parseFields, queryOf, refuse } from '../kit/requests.ts'
import { silent } from '../kit/silence.ts'
import { FEE, networkReference } from './payouts.rules.ts'
import { listPayouts, type Order } from './payouts.sql.ts'
import type { Outcome, Payouts } from './payouts.ts'

const isAccount = (value: unknown): value is string => typeof value === 'string' && /^\d{10}$/.test(value)

function readOrder(body: string): { readonly order: Order } | { readonly error: string } {
  const fields = parseFields(body) ?? {}
  const { sessionId, amount, narration, senderName, senderAccountNumber } = fields
  const { destinationBankCode, destinationAccountNumber, destinationAccountName } = fields
  const kobo = typeof amount === 'string' ? parseNaira(amount) : null
  if (!isSession(sessionId)) return { error: 'sessionId must be thirty digits' }
  if (kobo === null || kobo <= 0n) return { error: 'amount must be greater than zero, with two decimals' }
  if (!isName(destinationBankCode)) return { error: 'destinationBankCode is missing' }
  if (!isAccount(destinationAccountNumber)) return { error: 'destinationAccountNumber must be ten digits' }
  if (!isName(destinationAccountName))
    return { error: 'destinationAccountName must be a single line of at most 200 characters' }
  if (!isLine(narration)) return { error: 'narration must be a single line of at most 200 characters' }
  if (!isName(senderName)) return { error: 'senderName must be a single line of at most 200 characters' }
  if (!isAccount(senderAccountNumber)) return { error: 'senderAccountNumber must be ten digits' }
  const destination = { destinationBankCode, destinationAccountNumber, destinationAccountName }
  return { order: { sessionId, kobo, narration, senderName, senderAccountNumber, ...destination } }
}

async function answer(
  payouts: Payouts,
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: Outcome,
): Promise<unknown> {
  switch (outcome.kind) {
    case 'answer':
      return outcome.answer
    case 'other order':
      return refuse(reply, 409, 'This sessionId was used for a different order')
    case 'silence':
      return silent(payouts, request, reply)
  }
}

/** What version 2 adds, once the bank has the payout. */
function inVersion2(outcome: Outcome): Outcome {
  if (outcome.kind !== 'answer' || outcome.answer.status === 'UNKNOWN') return outcome
  const isPaid = outcome.answer.status === 'SUCCESS' || outcome.answer.status === 'REVERSED'
  const answer: PayoutAnswerV2 = {
    ...outcome.answer,
    networkReference: networkReference(outcome.answer.sessionId),
    ...(isPaid ? { fee: FEE } : {}),
  }
  return { ...outcome, answer }
}

/** Inside the signed scope. A session is one payout at the paths of both versions. */
export function bindPayouts(app: FastifyInstance, payouts: Payouts): void {
  for (const [paths, inVersion] of [
    [BANK_PATHS, (outcome: Outcome) => outcome],
    [PAYOUT_PATHS_V2, inVersion2],
  ] as const) {
    app.post(paths.payouts, async (request, reply) => {
      const reading = readOrder(bodyText(request))
      if ('error' in reading) return refuse(reply, 400, reading.error)
      return answer(payouts, request, reply, inVersion(await payouts.order(reading.order)))
    })

    const bySession = (ask: (sessionId: string) => Promise<Outcome>) => {
      return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
        const { sessionId } = parseFields(bodyText(request)) ?? {}
        if (!isSession(sessionId)) return refuse(reply, 400, 'sessionId must be thirty digits')
        return answer(payouts, request, reply, inVersion(await ask(sessionId)))
      }
    }
    app.post(
      paths.payoutInquiries,
      bySession((sessionId) => payouts.inquire(sessionId)),
    )
    app.post(
      paths.payoutBars,
      bySession((sessionId) => payouts.bar(sessionId)),
    )
  }
}

const LATEST = 100

/** Open, like the rest of the customer's side. */
export function bindPayoutBooks(app: FastifyInstance, pool: pg.Pool, payouts: Payouts): void {
  app.get('/api/payouts', async (request) =>
    listPayouts(pool, { sessionId: queryOf(request)['sessionId'] ?? null, limit: LATEST }),
  )

  app.get('/api/payouts/statement', async () => {
    const all = await listPayouts(pool, { sessionId: null, limit: null })
    return { count: all.length, payouts: all }
  })

  app.post('/api/payout-faults', async (request, reply) => {
    const fields = parseFields(bodyText(request))
    if (fields === null) return refuse(reply, 400, 'The body is not a JSON object')
    const reading = readFaults(fields)
    if ('error' in reading) return refuse(reply, 400, reading.error)
    await payouts.setFaults(reading.faults)
    return reading.faults ?? {}
  })
}
