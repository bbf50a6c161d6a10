// The customer's banking app, by page and by call, and what the bank answers the gateway about accounts and
// credits.
import { isOpenBank } from '@cowrie/contract/bank/banks'
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { PAYOUT_PATHS_V2 } from '@cowrie/contract/bank/v2/payouts'
import { parseNaira } from '@cowrie/contract/kit/money'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { PAGE_HEADERS } from '../kit/frame.ts'
import { accountName } from '../kit/names.ts'
import { bodyText, isLine, parseFields, queryOf, refuse } from '../kit/requests.ts'
import { type Fault, type FormValues, paymentPage, resultPage } from './bank.pages.ts'
import { type Returned, returnCredit, showTransfer } from './returns.ts'
import { type Parts, pay, readTransfer } from './transfers.ts'

const ENQUIRIES_MAX = 500
const GATEWAY_SILENT = 'The gateway did not respond; no money was moved'

/** Open, like the rest of the customer's side. */
export function bindTransfers(app: FastifyInstance, parts: Parts): void {
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

  app.get<{ Params: { bankCode: string; accountNumber: string } }>(
    '/api/accounts/:bankCode/:accountNumber',
    async (request, reply) => enquireName(reply, request.params),
  )
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

/** A bank that is closed holds no accounts. */
const nameAt = (bankCode: string, accountNumber: string): string | null =>
  isOpenBank(bankCode) ? accountName(bankCode, accountNumber) : null

function enquireName(reply: FastifyReply, account: { bankCode: string; accountNumber: string }): unknown {
  const { bankCode, accountNumber } = account
  if (!/^\d{10}$/.test(accountNumber)) return refuse(reply, 400, 'accountNumber must be ten digits')
  const name = nameAt(bankCode, accountNumber)
  return name === null ? refuse(reply, 404, 'No such account') : { accountNumber, bankCode, accountName: name }
}

/** One name of a list; null where it is not an account. */
function nameOfLine(account: Partial<Record<string, unknown>> | null): string | null {
  const { bankCode, accountNumber } = account ?? {}
  if (typeof bankCode !== 'string' || typeof accountNumber !== 'string' || !/^\d{10}$/.test(accountNumber)) return null
  return nameAt(bankCode, accountNumber)
}

type Refusal = Extract<Returned, { refusal: string }>['refusal']
const RETURN_REFUSALS: Readonly<Record<Refusal, readonly [status: number, error: string]>> = {
  'no such credit': [404, 'No such credit'],
  'other amount': [409, 'The amount differs from the credit'],
  'account closed': [422, "The sender's account is closed"],
  reversed: [409, 'The credit was already reversed'],
}

/** Inside the signed scope. */
export function bindAccounts(app: FastifyInstance, { pool, clock }: Parts): void {
  for (const path of [BANK_PATHS.nameEnquiry, PAYOUT_PATHS_V2.nameEnquiry])
    app.post(path, async (request, reply) => {
      const fields = parseFields(bodyText(request))
      const { bankCode, accountNumber } = fields ?? {}
      if (typeof bankCode !== 'string' || typeof accountNumber !== 'string') {
        return refuse(reply, 400, 'bankCode and accountNumber must be strings')
      }
      return enquireName(reply, { bankCode, accountNumber })
    })

  app.post(BANK_PATHS.nameEnquiries, async (request, reply) => {
    const { accounts } = parseFields(bodyText(request)) ?? {}
    if (!Array.isArray(accounts) || accounts.length > ENQUIRIES_MAX)
      return refuse(reply, 400, `accounts must be an array of at most ${ENQUIRIES_MAX}`)
    return { accountNames: accounts.map((one) => nameOfLine(one as Partial<Record<string, unknown>> | null)) }
  })

  app.post(BANK_PATHS.returns, async (request, reply) => {
    const { sessionId, amount, reason } = parseFields(bodyText(request)) ?? {}
    const kobo = typeof amount === 'string' ? parseNaira(amount) : null
    if (typeof sessionId !== 'string' || kobo === null || !isLine(reason)) {
      return refuse(reply, 400, 'sessionId, amount and reason must be strings')
    }
    const returned = await returnCredit(pool, clock, { sessionId, kobo, reason })
    return 'refusal' in returned ? refuse(reply, ...RETURN_REFUSALS[returned.refusal]) : { sessionId, ...returned }
  })
}
