// What the simulator answers: the customer's side (open, loopback only) and the gateway's side (signed).
import { BANK_PATHS, type BankSelf } from '@cowrie/contract/bank/connector'
import { parseNaira } from '@cowrie/contract/kit/money'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { saveOffset } from './database.ts'
import type { Debits } from './debits.ts'
import { PAGE_HEADERS } from './frame.ts'
import type { Issuer } from './issuer.ts'
import { bindIssuer, bindPayer } from './issuer-routes.ts'
import { listMails, type MailSink } from './mail-sink.ts'
import { bindDebtor, bindMandates } from './mandate-routes.ts'
import { accountName } from './names.ts'
import { type Fault, type FormValues, paymentPage, resultPage } from './pages.ts'
import { bindPayoutBooks, bindPayouts } from './payout-routes.ts'
import type { Payouts } from './payouts.ts'
import { bindRegister } from './register.ts'
import { bodyText, isLine, parseFields, queryOf, refuse } from './requests.ts'
import { type Returned, returnCredit, showTransfer } from './returns.ts'
import { ALL_SCENARIOS } from './scenarios.ts'
import { isSigned } from './signing.ts'
import { bindStatement, bindStatementFaults } from './statement-routes.ts'
import { type Parts, pay, readTransfer } from './transfers.ts'

const ENQUIRIES_MAX = 500
const GATEWAY_SILENT = 'The gateway does not answer; no money has moved'

export function bindCustomer(
  app: FastifyInstance,
  parts: Parts,
  issuer: Issuer,
  payouts: Payouts,
  debits: Debits,
  mailSink: MailSink,
): void {
  app.get('/health', async () => ({ ok: true }))

  app.get('/', async (request, reply) => reply.headers(PAGE_HEADERS).send(paymentPage(queryOf(request), null)))

  app.post('/pay', async (request, reply) => {
    const values: FormValues = Object.fromEntries(new URLSearchParams(bodyText(request)))
    reply.headers(PAGE_HEADERS)
    // People write 1,500 and leave spaces in account numbers; the interface for programs stays strict.
    const amount = (values['amount'] ?? '').replace(/[\s,₦]/gu, '')
    const accountNumber = (values['accountNumber'] ?? '').replace(/\s/gu, '')
    const reading = readTransfer({ ...values, amount, accountNumber })
    if ('error' in reading) return reply.code(400).send(paymentPage(values, faultOf(reading.error)))
    const answer = await pay(parts, reading.transfer)
    if (answer === null) return reply.code(503).send(paymentPage(values, { field: null, text: `${GATEWAY_SILENT}.` }))
    return reply.send(resultPage(reading.transfer, answer))
  })

  app.post('/api/transfers', async (request, reply) => {
    const fields = parseFields(bodyText(request))
    if (fields === null) return refuse(reply, 400, 'The body is not a JSON object')
    const reading = readTransfer(fields)
    if ('error' in reading) return refuse(reply, 400, reading.error)
    return (await pay(parts, reading.transfer)) ?? refuse(reply, 503, GATEWAY_SILENT)
  })

  app.get<{ Params: { sessionId: string } }>(
    '/api/transfers/:sessionId',
    async (request, reply) =>
      (await showTransfer(parts.pool, request.params.sessionId)) ?? refuse(reply, 404, 'No such transfer'),
  )

  app.get('/api/scenarios', async () => ALL_SCENARIOS)

  bindPayer(app, issuer)
  bindPayoutBooks(app, parts.pool, payouts)
  bindDebtor(app, parts, debits)
  bindStatementFaults(app, parts.pool)

  app.get<{ Params: { bankCode: string; accountNumber: string } }>(
    '/api/accounts/:bankCode/:accountNumber',
    async (request, reply) => enquireName(reply, request.params),
  )

  app.post('/api/mail', async (request, reply) => {
    const refused = parseFields(bodyText(request))?.['refuse']
    if (typeof refused !== 'boolean') return refuse(reply, 400, 'refuse must be true or false')
    mailSink.refuse(refused)
    return { refuse: refused }
  })
}

/** The same faults, as a form names them. */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  accountNumber: 'The account number',
  amount: 'The amount',
  senderAccountName: 'Your name',
  bankCode: 'The bank',
}

function faultOf(error: string): Fault {
  const field = Object.keys(FIELD_WORDS).find((name) => error.startsWith(`${name} `)) ?? null
  return { field, text: `${field === null ? error : error.replace(field, FIELD_WORDS[field] ?? field)}.` }
}

function enquireName(reply: FastifyReply, account: { bankCode: string; accountNumber: string }): unknown {
  const { bankCode, accountNumber } = account
  if (!/^\d{10}$/.test(accountNumber)) return refuse(reply, 400, 'accountNumber must be ten digits')
  const name = accountName(bankCode, accountNumber)
  return name === null ? refuse(reply, 404, 'No such account') : { accountNumber, bankCode, accountName: name }
}

/** The name of one of many; what is no account has none. */
function nameOfLine(account: Partial<Record<string, unknown>> | null): string | null {
  const { bankCode, accountNumber } = account ?? {}
  if (typeof bankCode !== 'string' || typeof accountNumber !== 'string' || !/^\d{10}$/.test(accountNumber)) return null
  return accountName(bankCode, accountNumber)
}

type Refusal = Extract<Returned, { refusal: string }>['refusal']
const RETURN_REFUSALS: Readonly<Record<Refusal, readonly [status: number, error: string]>> = {
  'no such credit': [404, 'No such credit'],
  'other amount': [409, 'The credit has another amount'],
  'account closed': [422, "The sender's account is closed"],
  'taken back': [409, 'The credit was taken back'],
}

const SELF: BankSelf = { bankCode: '000', bankName: 'Cowrie simulator', environment: 'SIMULATOR' }

/** Routes of the gateway; `app` is a scope of its own, so the check of the signature cannot be forgotten for one. */
export function bindGateway(
  app: FastifyInstance,
  parts: Parts,
  issuer: Issuer,
  payouts: Payouts,
  debits: Debits,
  key: string,
): void {
  const { pool, clock, notices } = parts
  app.addHook('preHandler', async (request, reply) => {
    const message = { method: request.method, path: request.url, body: bodyText(request) }
    if (!isSigned(key, message, request.headers)) await refuse(reply, 401, 'The signature is missing, wrong or too old')
  })

  app.get(BANK_PATHS.self, async () => SELF)

  app.post(BANK_PATHS.nameEnquiry, async (request, reply) => {
    const fields = parseFields(bodyText(request))
    const { bankCode, accountNumber } = fields ?? {}
    if (typeof bankCode !== 'string' || typeof accountNumber !== 'string') {
      return refuse(reply, 400, 'bankCode and accountNumber must be texts')
    }
    return enquireName(reply, { bankCode, accountNumber })
  })

  app.post(BANK_PATHS.nameEnquiries, async (request, reply) => {
    const { accounts } = parseFields(bodyText(request)) ?? {}
    if (!Array.isArray(accounts) || accounts.length > ENQUIRIES_MAX)
      return refuse(reply, 400, 'accounts must be a list')
    return { accountNames: accounts.map((one) => nameOfLine(one as Partial<Record<string, unknown>> | null)) }
  })

  app.post(BANK_PATHS.returns, async (request, reply) => {
    const { sessionId, amount, reason } = parseFields(bodyText(request)) ?? {}
    const kobo = typeof amount === 'string' ? parseNaira(amount) : null
    if (typeof sessionId !== 'string' || kobo === null || !isLine(reason)) {
      return refuse(reply, 400, 'sessionId, amount and reason must be texts')
    }
    const returned = await returnCredit(pool, clock, { sessionId, kobo, reason })
    return 'refusal' in returned ? refuse(reply, ...RETURN_REFUSALS[returned.refusal]) : { sessionId, ...returned }
  })

  bindIssuer(app, issuer)
  bindPayouts(app, payouts)
  bindRegister(app)
  bindMandates(app, parts, debits, payouts)

  bindStatement(app, pool, clock)

  const clockAnswer = async (ran: number) => ({ nextDueAt: (await notices.nextDueAt())?.toISOString() ?? null, ran })
  app.get(BANK_PATHS.simulatorClock, async () => clockAnswer(0))
  app.post(BANK_PATHS.simulatorClock, async (request, reply) => {
    const offsetMs = parseFields(bodyText(request))?.['offsetMs']
    if (typeof offsetMs !== 'number' || !Number.isSafeInteger(Math.trunc(offsetMs))) {
      return refuse(reply, 400, 'offsetMs must be a number')
    }
    // Saved first: after a crash between the two the clock is ahead, never behind what the gateway believes.
    await saveOffset(pool, Math.trunc(offsetMs))
    return clockAnswer(await notices.advance(Math.trunc(offsetMs)))
  })

  app.get(BANK_PATHS.simulatorMails, async (request) => {
    const { merchant, to } = queryOf(request)
    return listMails(pool, merchant ?? null, to ?? null)
  })
}
