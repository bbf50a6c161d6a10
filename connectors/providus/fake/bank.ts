// The interface that the bank publishes: payouts with the login in the body, collections with a static
// signature in a header.
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Plan, type Plans, play } from '../../../packages/connector-kit/test/fake.ts'
import { type Books, type Credit, koboOf, localTime, nairaOf, type Order } from './books.ts'
import { outcomeOf } from './codes.ts'

export const CALLS = ['order', 'inquiry', 'name', 'numbers', 'verify', 'balance', 'banks'] as const
export type Call = (typeof CALLS)[number]
const TROUBLE = {
  fault: '{"requestSuccessful":false,"responseMessage":"Exception; Failed","responseCode":"03"}',
  page: 'Service Temporarily Unavailable',
}

export type Login = {
  readonly userName: string
  readonly password: string
  readonly clientId: string
  readonly clientSecret: string
}
type Body = Readonly<Record<string, string>>
type Answer = { readonly status?: number; readonly text: string }
type Handler = { readonly on: Call; readonly answer: (body: Body, plan: Plan, query: URLSearchParams) => Answer }

export const signatureOf = ({ clientId, clientSecret }: Login): string =>
  createHash('sha512').update(`${clientId}:${clientSecret}`).digest('hex').toUpperCase()

const json = (body: unknown, status = 200): Answer => ({ status, text: JSON.stringify(body) })
const NO_TRANSACTION = json({ responseMessage: 'Transaction does not exist.', responseCode: '01' })

/** Amounts without quotes, as the bank prints them. */
export const bookedOf = (credit: Credit | undefined, asText = false): string => {
  const amount = (kobo: bigint): string => (asText ? nairaOf(kobo).replace(/\.0?$/, '') : `#${nairaOf(kobo)}#`)
  const amounts = {
    transactionAmount: amount(credit?.kobo ?? 0n),
    settledAmount: amount((credit?.kobo ?? 0n) - (credit?.feeKobo ?? 0n)),
    feeAmount: amount(credit?.feeKobo ?? 0n),
    vatAmount: amount(0n),
  }
  const text = JSON.stringify({
    sessionId: credit?.sessionId ?? '',
    initiationTranRef: '',
    accountNumber: credit?.accountNumber ?? '',
    tranRemarks: credit?.remarks ?? 'Transaction not found!!!',
    ...amounts,
    currency: credit === undefined ? '' : 'NGN',
    settlementId: credit?.settlementId ?? '',
    sourceAccountNumber: credit?.sourceAccountNumber ?? '',
    sourceAccountName: credit?.sourceAccountName ?? '',
    ...(asText ? {} : { sourceBankCode: credit?.sourceBankCode ?? '' }),
    sourceBankName: credit?.sourceBankName ?? '',
    channelId: credit === undefined ? '' : '1',
    tranDateTime: credit === undefined ? '' : localTime(credit.at),
    ...(asText ? {} : { stamp_duty_flg: 0, post_flg: 0, notification_acknowledgement: credit?.acknowledged ? 1 : 0 }),
  })
  return text.replace(/"#([\d.]+)#"/g, '$1')
}

function take(books: Books, body: Body, plan: Plan, own: boolean): Order | undefined {
  const reference = body['transactionReference'] ?? ''
  if (!plan.taken) return undefined
  const coded = plan.behaviour === 'code'
  const outcome = coded ? (outcomeOf(plan.code) ?? 'PENDING') : plan.behaviour === 'pend' ? 'PENDING' : 'SUCCESS'
  const order: Order = {
    reference,
    kobo: koboOf(body['transactionAmount'] ?? '0'),
    status: outcome,
    code: coded && outcomeOf(plan.code) !== undefined ? plan.code : outcome === 'PENDING' ? '09' : '00',
    bankCode: own ? '101' : (body['beneficiaryBank'] ?? ''),
    accountNumber: (own ? body['creditAccount'] : body['beneficiaryAccountNumber']) ?? '',
    own,
    at: new Date(),
    session: books.session(),
  }
  books.orders.push(order)
  return order
}

const transfer =
  (books: Books, own: boolean) =>
  (body: Body, plan: Plan): Answer => {
    const reference = body['transactionReference'] ?? ''
    books.received.push(reference)
    if (books.find(reference) !== undefined)
      return json({
        ...{ transactionReference: reference, responseMessage: 'TRANSACTION REFERENCE EXISTS', responseCode: '7709' },
      })
    const order = take(books, body, plan, own)
    const code = plan.behaviour === 'code' ? plan.code : plan.behaviour === 'pend' ? '09' : '00'
    const details = own ? { amount: body['transactionAmount'], currency: 'NGN' } : { sessionId: order?.session ?? '' }
    return json({ ...details, transactionReference: reference, responseMessage: 'x', responseCode: code })
  }

const status =
  (books: Books, own: boolean) =>
  (body: Body, plan: Plan): Answer => {
    const order = books.find(body['transactionReference'] ?? '')
    if (order === undefined || order.own !== own) return NO_TRANSACTION
    const who = own
      ? { creditAccount: order.accountNumber, debitAccount: books.debitAccount }
      : { recipientBankCode: order.bankCode, recipientAccountNumber: order.accountNumber }
    return json({
      amount: nairaOf(order.kobo),
      ...who,
      transactionReference: own ? order.reference : `${order.reference}| ${order.session}`,
      transactionDateTime: localTime(order.at),
      ...{ currency: own ? 'NGN' : '1', responseMessage: 'x' },
      responseCode: plan.behaviour === 'code' ? plan.code : order.code,
    })
  }

const coded = (plan: Plan, usual: string): string => (plan.behaviour === 'code' ? plan.code : usual)

function numbers(books: Books, kind: 'reserved' | 'dynamic') {
  return (body: Body, plan: Plan): Answer => {
    if (plan.behaviour === 'code' && plan.code !== '00')
      return json({ requestSuccessful: false, responseMessage: 'Error Completing Operation', responseCode: plan.code })
    if (!plan.taken) return json({})
    const { accountNumber, accountName } = books.number(body['account_name'] ?? '', kind)
    return json({
      ...{ account_number: accountNumber, account_name: accountName, bvn: '', requestSuccessful: true },
      ...{ responseMessage: 'OPERATION SUCCESSFUL', responseCode: '00', initiationTranRef: '' },
    })
  }
}

const BANKS = [
  { bankCode: '000014', bankName: 'ACCESS BANK' },
  { bankCode: '000004', bankName: 'UNITED BANK FOR AFRICA' },
  { bankCode: '000013', bankName: 'GTBANK PLC' },
]

function handlersOf(books: Books): Readonly<Record<string, Handler>> {
  const nip = (body: Body, plan: Plan): Answer => {
    const { accountNumber = '' } = body
    const code = coded(plan, accountNumber.startsWith('0000000') ? '07' : '00')
    const bvn = '22212345678'
    return json({
      bankCode: '57',
      accountName: 'ADA OBI',
      transactionReference: '',
      bvn,
      accountNumber,
      responseCode: code,
    })
  }
  const own = (body: Body, plan: Plan): Answer => {
    const { accountNumber = '' } = body
    if (accountNumber.startsWith('0000000')) return json({ responseMessage: 'x', responseCode: coded(plan, '01') })
    return json({
      ...{ accountStatus: 'ACTIVE', emailAddress: 'ada@example.com', phoneNumber: '08054477605', bvn: '22212345678' },
      ...{ accountName: 'ADA OBI', accountNumber, cbaCustomerID: '45139', responseMessage: 'SUCCESSFUL' },
      ...{ availableBalance: books.balance, responseCode: coded(plan, '00') },
    })
  }
  const booked = (find: (credit: Credit) => boolean): Answer => ({ text: bookedOf(books.credits.find(find)) })
  return {
    'POST /postingrest/NIPFundTransfer': { on: 'order', answer: transfer(books, false) },
    'POST /postingrest/ProvidusFundTransfer': { on: 'order', answer: transfer(books, true) },
    'POST /postingrest/GetNIPTransactionStatus': { on: 'inquiry', answer: status(books, false) },
    'POST /postingrest/GetProvidusTransactionStatus': { on: 'inquiry', answer: status(books, true) },
    'POST /postingrest/GetNIPAccount': { on: 'name', answer: nip },
    'POST /postingrest/GetProvidusAccount': { on: 'balance', answer: own },
    'GET /postingrest/GetNIPBanks': { on: 'banks', answer: () => json({ banks: BANKS, responseCode: '00' }) },
    'POST /api/PiPCreateReservedAccountNumber': { on: 'numbers', answer: numbers(books, 'reserved') },
    'POST /api/PiPCreateDynamicAccountNumber': { on: 'numbers', answer: numbers(books, 'dynamic') },
    'GET /api/PiPverifyTransaction_sessionid': {
      on: 'verify',
      answer: (_body, _plan, query) => booked(({ sessionId }) => sessionId === query.get('session_id')),
    },
    'GET /api/PiPverifyTransaction_settlementid': {
      on: 'verify',
      answer: (_body, _plan, query) => booked(({ settlementId }) => settlementId === query.get('settlement_id')),
    },
  }
}

type Bank = (request: IncomingMessage, response: ServerResponse, text: string) => boolean

/** False: not a call of the bank. */
export function createBank(books: Books, plans: Plans<Call>, login: Login): Bank {
  const handlers = handlersOf(books)
  return (request, response, text) => {
    const [path = '', search = ''] = (request.url ?? '').split('?')
    const handler = handlers[`${request.method} ${path}`]
    if (handler === undefined) return false
    const body = (text === '' ? {} : JSON.parse(text)) as Body
    const known =
      path.startsWith('/api/') || path.endsWith('GetNIPBanks')
        ? path.endsWith('GetNIPBanks') ||
          (request.headers['client-id'] === login.clientId &&
            request.headers['x-auth-signature'] === signatureOf(login))
        : body['userName'] === login.userName && body['password'] === login.password
    if (!known) {
      response.writeHead(401).end('{"responseMessage":"Unauthorized","responseCode":"03"}')
      return true
    }
    const plan = plans.next(handler.on)
    // A plan that does not take an order leaves the books as they are.
    const answer = handler.answer(body, plan, new URLSearchParams(search))
    play(plan, response, answer.status ?? 200, answer.text, TROUBLE)
    return true
  }
}
