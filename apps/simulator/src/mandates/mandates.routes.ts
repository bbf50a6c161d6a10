// What the mandate scheme answers: to the gateway, signed; to the customer, by page and by call; and to
// whoever wants to see the books of the debits.
import { MANDATE_CODE, MANDATE_PATHS } from '@cowrie/contract/bank/mandate-connector'
import { parseNaira } from '@cowrie/contract/kit/money'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readFaults } from '../kit/faults.ts'
import { missingPage, PAGE_HEADERS } from '../kit/frame.ts'
import { bodyText, type Fields, isLine, isName, isSession, parseFields, queryOf, refuse } from '../kit/requests.ts'
import { type Silence, silent } from '../kit/silence.ts'
import { listDebits, type Order } from './debits.sql.ts'
import type { Debits, Outcome } from './debits.ts'
import { mandatePage } from './mandates.pages.ts'
import { endMandate, findMandate, registerMandate, type Terms } from './mandates.sql.ts'
import { answerOf, type Decision, decide, type Scheme } from './mandates.ts'

const CODE = new RegExp(MANDATE_CODE)
const isCode = (value: unknown): value is string => typeof value === 'string' && CODE.test(value)

const momentOf = (value: unknown): Date | null => {
  const moment = typeof value === 'string' ? new Date(value) : null
  return moment === null || Number.isNaN(moment.getTime()) ? null : moment
}
/** Null where there is none, undefined where it cannot be read. */
const amountOf = (value: unknown): bigint | null | undefined => {
  if (value === undefined) return null
  return (typeof value === 'string' ? parseNaira(value) : null) || undefined
}

function readTerms(fields: Fields): Terms | string {
  const { merchantName, customerName, customerBankCode, customerAccountNumber, customerAccountName } = fields
  const { description, autoRenew, customerCancellation } = fields
  const [startsAt, endsAt, authorizeBy] = ['startDate', 'endDate', 'authorizeBy'].map((name) => momentOf(fields[name]))
  const [kobo, debitKobo] = [amountOf(fields['amount']), amountOf(fields['debitAmount'])]
  if (!isName(merchantName) || !isName(customerName) || !isName(customerAccountName))
    return 'merchantName, customerName and customerAccountName must be single lines of at most 200 characters'
  if (!isName(customerBankCode)) return 'customerBankCode is missing'
  if (typeof customerAccountNumber !== 'string' || !/^\d{10}$/.test(customerAccountNumber))
    return 'customerAccountNumber must be ten digits'
  if (typeof description !== 'string') return 'description must be a string'
  if (!startsAt || !endsAt || !authorizeBy) return 'startDate, endDate and authorizeBy must be ISO 8601 timestamps'
  if (typeof autoRenew !== 'boolean' || typeof customerCancellation !== 'boolean')
    return 'autoRenew and customerCancellation must be true or false'
  if (kobo === undefined || debitKobo === undefined) return 'amounts must be greater than zero, with two decimals'
  return {
    merchantName,
    customerName,
    description,
    startsAt,
    endsAt,
    authorizeBy,
    autoRenew,
    kobo,
    debitKobo,
    bankCode: customerBankCode,
    accountNumber: customerAccountNumber,
    accountName: customerAccountName,
    customerCancels: customerCancellation,
  }
}

function readOrder(body: string): Order | string {
  const { sessionId, mandateCode, amount, narration } = parseFields(body) ?? {}
  const kobo = typeof amount === 'string' ? parseNaira(amount) : null
  if (!isSession(sessionId)) return 'sessionId must be thirty digits'
  if (!isCode(mandateCode)) return 'mandateCode is not valid'
  if (kobo === null || kobo <= 0n) return 'amount must be greater than zero, with two decimals'
  if (!isLine(narration)) return 'narration must be a single line of at most 200 characters'
  return { sessionId, mandateCode, kobo, narration }
}

/** Inside the signed scope. */
export function bindMandates(app: FastifyInstance, scheme: Scheme, debits: Debits, silence: Silence): void {
  const { pool, clock } = scheme
  const addressOf = (request: FastifyRequest): string => `${request.protocol}://${request.host}`

  app.post(MANDATE_PATHS.mandates, async (request, reply) => {
    const fields = parseFields(bodyText(request)) ?? {}
    const { mandateCode } = fields
    if (!isCode(mandateCode)) return refuse(reply, 400, 'mandateCode is not valid')
    const terms = readTerms(fields)
    if (typeof terms === 'string') return refuse(reply, 400, terms)
    const mandate = await registerMandate(pool, mandateCode, terms, clock.now())
    return mandate === null
      ? refuse(reply, 409, 'This mandateCode was used for a different mandate')
      : answerOf(mandate, addressOf(request))
  })

  app.post(MANDATE_PATHS.mandateEnds, async (request, reply) => {
    const { mandateCode } = parseFields(bodyText(request)) ?? {}
    if (!isCode(mandateCode)) return refuse(reply, 400, 'mandateCode is not valid')
    const mandate = await endMandate(pool, mandateCode, clock.now())
    return mandate === null
      ? refuse(reply, 500, 'The mandate could not be read')
      : answerOf(mandate, addressOf(request))
  })

  const answer = (request: FastifyRequest, reply: FastifyReply, outcome: Outcome): unknown => {
    switch (outcome.kind) {
      case 'answer':
        return outcome.answer
      case 'other order':
        return refuse(reply, 409, 'This sessionId was used for a different order')
      case 'no mandate':
        return refuse(reply, 404, 'No such mandate')
      case 'silence':
        return silent(silence, request, reply)
    }
  }
  app.post(MANDATE_PATHS.debits, async (request, reply) => {
    const order = readOrder(bodyText(request))
    if (typeof order === 'string') return refuse(reply, 400, order)
    return answer(request, reply, await debits.order(order))
  })
  const bySession =
    (ask: (sessionId: string) => Promise<Outcome>) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const { sessionId } = parseFields(bodyText(request)) ?? {}
      if (!isSession(sessionId)) return refuse(reply, 400, 'sessionId must be thirty digits')
      return answer(request, reply, await ask(sessionId))
    }
  app.post(
    MANDATE_PATHS.debitInquiries,
    bySession((sessionId) => debits.inquire(sessionId)),
  )
  app.post(
    MANDATE_PATHS.debitBars,
    bySession((sessionId) => debits.bar(sessionId)),
  )
}

type ByCode = { Params: { mandateCode: string } }
const DECISIONS: readonly Decision[] = ['authorize', 'decline', 'cancel']
const LATEST = 100

/** Open, like the rest of the customer's side. */
export function bindDebtor(app: FastifyInstance, scheme: Scheme, debits: Debits): void {
  const { pool, clock } = scheme
  const notFound = (reply: FastifyReply): FastifyReply =>
    reply.code(404).headers(PAGE_HEADERS).send(missingPage('There is no mandate at this address.'))

  for (const decision of DECISIONS) {
    app.post<ByCode>(`/api/mandates/:mandateCode/${decision}`, async (request, reply) => {
      const outcome = await decide(scheme, request.params.mandateCode, decision)
      if (outcome.kind === 'unknown') return refuse(reply, 404, 'No such mandate')
      if (outcome.kind === 'refused') return refuse(reply, 409, outcome.why)
      return { mandateCode: outcome.mandate.mandateCode, status: outcome.mandate.status }
    })
  }

  app.get<ByCode>('/mandates/:mandateCode', async (request, reply) => {
    const mandate = await findMandate(pool, request.params.mandateCode)
    if (mandate === null) return notFound(reply)
    return reply.headers(PAGE_HEADERS).send(mandatePage(mandate, clock.now(), null))
  })
  app.post<ByCode>('/mandates/:mandateCode', async (request, reply) => {
    const chosen = new URLSearchParams(bodyText(request)).get('decision')
    const decision = DECISIONS.find((one) => one === chosen)
    const { mandateCode } = request.params
    const mandate = await findMandate(pool, mandateCode)
    if (mandate === null) return notFound(reply)
    reply.headers(PAGE_HEADERS)
    if (decision === undefined)
      return reply.code(400).send(mandatePage(mandate, clock.now(), 'Choose Authorise, Decline or Cancel.'))
    const outcome = await decide(scheme, mandateCode, decision)
    if (outcome.kind === 'refused') return reply.code(409).send(mandatePage(outcome.mandate, clock.now(), outcome.why))
    return reply.redirect(`/mandates/${encodeURIComponent(mandateCode)}`, 303)
  })

  app.get('/api/debits', async (request) => {
    const { sessionId = null, mandateCode = null } = queryOf(request)
    return listDebits(pool, { sessionId, mandateCode, limit: mandateCode === null ? LATEST : null })
  })
  app.get('/api/debits/statement', async () => {
    const all = await listDebits(pool, { sessionId: null, mandateCode: null, limit: null })
    return { count: all.length, debits: all }
  })
  app.post('/api/debit-faults', async (request, reply) => {
    const fields = parseFields(bodyText(request))
    if (fields === null) return refuse(reply, 400, 'The body is not a JSON object')
    const reading = readFaults(fields)
    if ('error' in reading) return refuse(reply, 400, reading.error)
    await debits.setFaults(reading.faults)
    return reading.faults ?? {}
  })
}
