// The published interface, as far as the adapter uses it, over the books.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Plan, type Plans, play } from '../../../packages/connector-kit/test/fake.ts'
import { type Books, type Charge, type Dispute, type Json, type Refund, type Step, textOf, wire } from './books.ts'

export const CALLS = ['charge', 'input', 'verify', 'check', 'refund', 'refunds', 'dispute'] as const
export type Call = (typeof CALLS)[number]
const TROUBLE = {
  fault: '{"status":false,"message":"The request could not be processed"}',
  page: '502 Bad Gateway',
}

type Reply = { readonly status: number; readonly body: Json }

const ok = (message: string, data: unknown): Reply => ({ status: 200, body: { status: true, message, data } })
const refused = (message: string, code: string): Reply => ({
  status: 400,
  body: {
    status: false,
    message,
    meta: { nextStep: 'Ensure that the value(s) are valid' },
    type: 'validation_error',
    code,
  },
})
const NOT_FOUND = refused('Transaction reference not found.', 'transaction_not_found')

function transactionOf(charge: Charge, status: string): Json {
  const { id, reference, kobo, text, at, authorisation, brand, email } = charge
  return {
    ...{
      id,
      domain: 'test',
      status,
      reference,
      amount: wire(kobo),
      requested_amount: wire(kobo),
      currency: 'NGN',
      channel: 'card',
    },
    ...{ message: null, gateway_response: text, paid_at: at, created_at: at, ip_address: '127.0.0.1', fees: 100 },
    authorization: {
      ...{ authorization_code: authorisation, bin: '408408', last4: '4081', exp_month: '12', exp_year: '2030' },
      ...{ channel: 'card', card_type: `${brand} `, bank: 'Zenith Bank', country_code: 'NG', brand },
      ...{ reusable: true, signature: 'SIG_fake', account_name: null },
    },
    customer: { id: 1, email, customer_code: 'CUS_fake', phone: null },
  }
}

/** At the step that it is at; how it ended, once it has. */
function stepOf(charge: Charge): Json {
  const [step] = charge.steps
  const { reference } = charge
  if (step === 'open_url') return { reference, url: 'https://bank.example/3ds', status: step }
  if (step !== undefined) return { reference, status: step, display_text: 'Please send it' }
  if (charge.status === 'failed') return { reference, status: 'failed', message: charge.text }
  return charge.status === 'success' ? transactionOf(charge, 'success') : { reference, status: charge.status }
}

const refundData = ({ id, charge, kobo, note, status }: Refund): Json => ({
  ...{ id, transaction: charge.id, integration: 1, domain: 'test', amount: wire(kobo), deducted_amount: wire(kobo) },
  ...{ currency: 'NGN', channel: 'card', status, merchant_note: note, customer_note: 'x', fully_deducted: true },
})

/** As it is answered and as a webhook has it: with people and cards in it. */
const disputeData = ({ id, charge, status, resolution, at, changed, due }: Dispute): Json => ({
  ...{
    id,
    refund_amount: wire(charge.kobo),
    currency: 'NGN',
    status,
    resolution,
    domain: 'test',
    category: 'chargeback',
  },
  ...{ transaction: transactionOf(charge, 'success'), customer: { email: charge.email }, bin: '408408', last4: '4081' },
  ...{ dueAt: due, resolvedAt: resolution === null ? null : changed, evidence: null, note: null, createdAt: at },
  ...{ updatedAt: changed },
})

/** `code` replaces what the books say, for one answer. */
const worded = ({ behaviour, code, text }: Plan, { status, body }: Reply): Reply => {
  if (behaviour !== 'code') return { status, body }
  const data = {
    ...(body['data'] as Json),
    status: code,
    ...(text === '' ? {} : { message: text, gateway_response: text }),
  }
  return { status, body: { ...body, data } }
}

function createCalls(books: Books) {
  const charge = (asked: Json, plan: Plan): Reply => {
    const reference = String(asked['reference'])
    books.received.push(reference)
    if (books.find(reference) !== undefined) return refused('Duplicate Transaction Reference', 'duplicate_reference')
    if (!/^\d+$/.test(String(asked['amount'])) || !String(asked['email']).includes('@'))
      return refused('Invalid parameters', 'invalid_params')
    if (!plan.taken) return NOT_FOUND
    const taken = books.take(asked, plan.behaviour === 'pend')
    // What is called a failure is one in the books too.
    if (plan.behaviour === 'code' && plan.code === 'failed') books.fail(taken, plan.text)
    return ok('Charge attempted', stepOf(taken))
  }
  return {
    charge: (asked: Json, plan: Plan): Reply => charge(asked, plan),
    authorised: (asked: Json, plan: Plan): Reply => {
      const before = books.charges.find(({ authorisation }) => authorisation === asked['authorization_code'])
      if (before === undefined || before.email !== asked['email'])
        return refused('Authorization code does not exist or does not belong to this customer', 'invalid_params')
      const reply = charge(asked, plan)
      if (plan.code !== 'paused') return reply
      const page = { authorization_url: 'https://checkout.example/resume/1', access_code: '1', paused: true }
      return ok('Please, redirect your customer', { ...page, reference: asked['reference'] })
    },
    initialize: (asked: Json, plan: Plan, origin: string): Reply => {
      const { reference, email } = asked
      books.received.push(String(reference))
      if (books.find(String(reference)) !== undefined)
        return refused('Duplicate Transaction Reference', 'duplicate_reference')
      if (!String(email).includes('@')) return refused('Invalid parameters', 'invalid_params')
      if (!plan.taken) return NOT_FOUND
      const access = String(books.open(asked).id)
      const page = { authorization_url: `${origin}/page/${access}`, access_code: access }
      return ok('Authorization URL created', { ...page, reference })
    },
    input: (step: Step, typed: Json, plan: Plan): Reply => {
      const found = books.find(String(typed['reference']))
      if (found === undefined) return refused('Transaction reference is invalid', 'invalid_params')
      found.inputs += 1
      if (plan.taken) books.step(found, step, typed)
      return ok('Charge attempted', stepOf(found))
    },
    verify: (reference: string): Reply => {
      const found = books.find(reference)
      return found === undefined
        ? NOT_FOUND
        : ok('Verification successful', {
            ...transactionOf(found, books.statusOf(found)),
            ...books.twists.get(reference),
          })
    },
    check: (reference: string): Reply => {
      const found = books.find(reference)
      return found === undefined
        ? refused('Transaction reference is invalid', 'invalid_params')
        : ok('Reference check successful', stepOf(found))
    },
    refund: (asked: Json, plan: Plan): Reply => {
      const found = books.find(String(asked['transaction']))
      if (found === undefined) return NOT_FOUND
      if (!plan.taken) return refused('The refund could not be made', 'unknown')
      const made = books.refund(
        found,
        BigInt(textOf(asked['amount'], found.kobo.toString())),
        textOf(asked['merchant_note']),
      )
      if (made === null) return refused('Refund amount cannot be more than the transaction amount', 'invalid_params')
      return ok('Refund has been queued for processing', {
        ...refundData(made),
        transaction: { reference: found.reference },
      })
    },
    refunds: (of: string | null): Reply => {
      const mine = books.refunds.filter(({ charge: { id } }) => of === null || String(id) === of)
      return ok('Refunds retrieved', mine.map(refundData))
    },
    dispute: (id: string): Reply => {
      const found = books.disputes.find((one) => String(one.id) === id)
      return found === undefined
        ? refused('Dispute not found', 'not_found')
        : ok('Dispute retrieved', disputeData(found))
    },
    oneRefund: (id: string): Reply => {
      const found = books.refunds.find((one) => String(one.id) === id)
      return found === undefined ? refused('Refund not found', 'not_found') : ok('Refund retrieved', refundData(found))
    },
  }
}

/** The page where a payer types a card. Once it is paid, the payer is sent back with the reference twice, as
 *  the real one does. */
function showPage(books: Books, request: IncomingMessage, response: ServerResponse, text: string): boolean {
  const charge = books.find(request.url?.split('/').at(-1) ?? '')
  if (charge?.backTo == null) return false
  const form = new URLSearchParams(text)
  if (request.method === 'POST' && books.typed(charge, form.get('number') ?? '')) {
    const back = new URL(charge.backTo)
    for (const name of ['trxref', 'reference']) back.searchParams.set(name, charge.reference)
    response.writeHead(303, { location: back.href }).end()
    return true
  }
  const refusal = charge.status === 'failed' ? `<p role="alert">${charge.text}. Try another card.</p>` : ''
  response
    .writeHead(200, { 'content-type': 'text/html' })
    .end(
      `<!doctype html><title>Test card page</title>${refusal}<form method="post"><input name="number"><button>Pay</button></form>`,
    )
  return true
}

export function createPaystack(books: Books, plans: Plans<Call>, secretKey: string) {
  const calls = createCalls(books)

  /** Which kind of call it is, and its answer by the books. */
  const route = (
    method: string,
    target: string,
    asked: Json,
    origin: string,
  ): readonly [Call, (plan: Plan) => Reply] | null => {
    const { pathname, searchParams } = new URL(target, 'http://fake')
    const last = decodeURIComponent(pathname.split('/').at(-1) ?? '')
    const path = `${method} ${pathname}`
    if (path === 'POST /charge') return ['charge', (plan) => calls.charge(asked, plan)]
    if (path === 'POST /transaction/initialize') return ['charge', (plan) => calls.initialize(asked, plan, origin)]
    if (path === 'POST /transaction/charge_authorization') return ['charge', (plan) => calls.authorised(asked, plan)]
    if (path.startsWith('POST /charge/submit_'))
      return ['input', (plan) => calls.input(last.replace('submit', 'send') as Step, asked, plan)]
    if (path.startsWith('GET /transaction/verify/')) return ['verify', () => calls.verify(last)]
    if (path.startsWith('GET /charge/')) return ['check', () => calls.check(last)]
    if (path === 'POST /refund') return ['refund', (plan) => calls.refund(asked, plan)]
    if (path === 'GET /refund') return ['refunds', () => calls.refunds(searchParams.get('transaction'))]
    if (path.startsWith('GET /dispute/')) return ['dispute', () => calls.dispute(last)]
    if (path.startsWith('GET /refund/')) return ['refunds', () => calls.oneRefund(last)]
    return null
  }

  /** False: it is not a call of this interface. */
  return (request: IncomingMessage, response: ServerResponse, text: string): boolean => {
    if (request.url?.startsWith('/page/')) return showPage(books, request, response, text)
    const asked = (text === '' ? {} : JSON.parse(text)) as Json
    const found = route(request.method ?? '', request.url ?? '', asked, `http://${request.headers.host}`)
    if (found === null) return false
    const [call, answer] = found
    const plan = plans.next(call)
    if (request.headers.authorization !== `Bearer ${secretKey}`) {
      response.writeHead(401, { 'content-type': 'application/json' }).end('{"status":false,"message":"Invalid key"}')
      return true
    }
    if (text !== '') books.bodies.push(asked)
    const { status, body } = worded(plan, answer(plan))
    play(plan, response, status, JSON.stringify(body), TROUBLE)
    return true
  }
}
export { disputeData, refundData, transactionOf }
