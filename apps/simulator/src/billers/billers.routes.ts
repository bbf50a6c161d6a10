// What the billers answer: to the gateway, signed; and to whoever reads their books.
import { BILLER_PATHS } from '@cowrie/contract/bank/biller-connector'
import { parseNaira } from '@cowrie/contract/kit/money'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type pg from 'pg'
import { bodyText, isName, isSession, parseFields, queryOf, refuse } from '../kit/requests.ts'
import { silent } from '../kit/silence.ts'
import { CATALOGUE } from './billers.catalogue.ts'
import { listVends, type Order } from './billers.sql.ts'
import type { Billers, Outcome } from './billers.ts'

function readOrder(body: string): { readonly order: Order } | { readonly error: string } {
  const { sessionId, productCode, customerId, amount, payableAmount, validationReference } = parseFields(body) ?? {}
  const kobo = typeof amount === 'string' ? parseNaira(amount) : null
  const payableKobo = typeof payableAmount === 'string' ? parseNaira(payableAmount) : null
  if (!isSession(sessionId)) return { error: 'sessionId must be thirty digits' }
  if (!isName(productCode)) return { error: 'productCode is missing' }
  if (!isName(customerId)) return { error: 'customerId is missing' }
  if (kobo === null || kobo <= 0n) return { error: 'amount must be greater than zero, with two decimals' }
  if (payableKobo === null || payableKobo <= 0n || payableKobo > kobo)
    return { error: 'payableAmount must be greater than zero, with two decimals, and not above amount' }
  if (validationReference !== undefined && !isName(validationReference))
    return { error: 'validationReference must be a single line' }
  return {
    order: { sessionId, productCode, customerId, kobo, payableKobo, validationReference: validationReference ?? null },
  }
}

async function answer(
  billers: Billers,
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
      return silent(billers, request, reply)
  }
}

/** Inside the signed scope. */
export function bindBillers(app: FastifyInstance, billers: Billers): void {
  app.get(BILLER_PATHS.catalogue, async () => CATALOGUE)

  app.post(BILLER_PATHS.validations, async (request, reply) => {
    const { productCode, customerId } = parseFields(bodyText(request)) ?? {}
    if (!isName(productCode) || !isName(customerId)) return refuse(reply, 400, 'productCode or customerId is missing')
    return billers.validate(productCode, customerId)
  })

  app.post(BILLER_PATHS.vends, async (request, reply) => {
    const reading = readOrder(bodyText(request))
    if ('error' in reading) return refuse(reply, 400, reading.error)
    return answer(billers, request, reply, await billers.order(reading.order))
  })

  const bySession = (ask: (sessionId: string) => Promise<Outcome>) => {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const { sessionId } = parseFields(bodyText(request)) ?? {}
      if (!isSession(sessionId)) return refuse(reply, 400, 'sessionId must be thirty digits')
      return answer(billers, request, reply, await ask(sessionId))
    }
  }
  app.post(
    BILLER_PATHS.vendInquiries,
    bySession((sessionId) => billers.inquire(sessionId)),
  )
  app.post(
    BILLER_PATHS.vendBars,
    bySession((sessionId) => billers.bar(sessionId)),
  )
}

/** Open, like the rest of the customer's side. */
export function bindBillerBooks(app: FastifyInstance, pool: pg.Pool): void {
  app.get('/api/vends', async (request) => {
    const { sessionId, customerId } = queryOf(request)
    return listVends(pool, { sessionId: sessionId ?? null, customerId: customerId ?? null })
  })
}
