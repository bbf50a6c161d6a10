// What developers send wrong in their first hour, each as one request over HTTP: thirty-nine of them, from
// the log-in to a declined card. They know nothing of this repository but addresses and keys, so they can be
// sent to any sandbox.
import { randomUUID } from 'node:crypto'

export type Shop = {
  readonly apiKey: string
  readonly secretKey: string
  readonly contractCode: string
  readonly wallet: string
}
/** `shop` pays out at once, `coded` with a mailed code, and `poor` has less than a thousand naira. */
export type Shops = { readonly shop: Shop; readonly coded: Shop; readonly poor: Shop }

export type Sent = {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** A body that is not JSON, or not well-formed JSON. */
  readonly raw?: string
}
export type Answered = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: any
}
export type Mistake = { readonly what: string; readonly send: (world: World) => Sent | Promise<Sent> }

/** A sandbox with its shops, and how it is asked. */
export type World = Shops & {
  readonly ask: (sent: Sent) => Promise<Answered>
  /** `authorization` with a token of the shop. */
  readonly bearer: (shop: Shop) => Promise<Record<string, string>>
}

const LOG_IN = '/api/v1/auth/login'
const INIT = '/api/v1/merchant/transactions/init-transaction'
const CLOCK = '/sandbox/clock'
const SINGLE = '/api/v2/disbursements/single'
const VALIDATE = '/api/v1/disbursements/account/validate'
const BANK = '058'
const ACCOUNT = '0123457788'

const basic = (user: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})
const bearing = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })
const reference = (): string => `first-hour-${randomUUID()}`

export async function ask(apiUrl: string, { method, path, headers = {}, body, raw }: Sent): Promise<Answered> {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const answer = await fetch(apiUrl + path, {
    method,
    headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(payload === undefined ? {} : { body: payload }),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    json: text.startsWith('{') ? JSON.parse(text) : undefined,
  }
}

export function openWorld(apiUrl: string, shops: Shops): World {
  const tell = (sent: Sent): Promise<Answered> => ask(apiUrl, sent)
  return {
    ...shops,
    ask: tell,
    bearer: async ({ apiKey, secretKey }) => {
      const { json } = await tell({ method: 'POST', path: LOG_IN, headers: basic(apiKey, secretKey) })
      return bearing(json.responseBody.accessToken as string)
    },
  }
}

// ---- good requests, which the mistakes are made from

const payment = ({ contractCode }: Shop): Record<string, unknown> => ({
  amount: 1500,
  customerName: 'Ngozi Bello',
  customerEmail: 'ngozi@example.com',
  paymentReference: reference(),
  paymentDescription: 'Two yards of adire',
  currencyCode: 'NGN',
  contractCode,
})

/** A payment of the shop with something wrong in it. */
const init =
  (change: (body: Record<string, unknown>) => unknown) =>
  async ({ shop, bearer }: World): Promise<Sent> => ({
    method: 'POST',
    path: INIT,
    headers: await bearer(shop),
    body: change(payment(shop)),
  })
const initText =
  (raw: string, more: Record<string, string> = {}) =>
  async ({ shop, bearer }: World): Promise<Sent> => ({
    method: 'POST',
    path: INIT,
    headers: { ...(await bearer(shop)), ...more },
    raw,
  })

async function payout({ ask: tell, bearer }: World, shop: Shop, over: object = {}): Promise<Sent> {
  const headers = await bearer(shop)
  const found = await tell({ method: 'GET', path: `${VALIDATE}?accountNumber=${ACCOUNT}&bankCode=${BANK}`, headers })
  return {
    method: 'POST',
    path: SINGLE,
    headers,
    body: {
      amount: 250,
      reference: reference(),
      narration: 'Cloth for May',
      destinationBankCode: BANK,
      destinationAccountNumber: ACCOUNT,
      destinationAccountName: found.json.responseBody.accountName,
      currency: 'NGN',
      sourceAccountNumber: shop.wallet,
      ...over,
    },
  }
}

const charge =
  (number: string) =>
  async (world: World): Promise<Sent> => {
    const made = await world.ask(await init((body) => body)(world))
    return {
      method: 'POST',
      path: '/api/v1/merchant/cards/charge',
      headers: await world.bearer(world.shop),
      body: {
        transactionReference: made.json.responseBody.transactionReference,
        collectionChannel: 'API_NOTIFICATION',
        card: { number, expiryMonth: '10', expiryYear: '2030', cvv: '123', pin: '1234' },
      },
    }
  }

const get =
  (path: string) =>
  async ({ shop, bearer }: World): Promise<Sent> => ({ method: 'GET', path, headers: await bearer(shop) })

const logIn =
  (header: (shop: Shop) => Record<string, string>) =>
  ({ shop }: World): Sent => ({ method: 'POST', path: LOG_IN, headers: header(shop) })
const call =
  (header: (shop: Shop) => Record<string, string>) =>
  ({ shop }: World): Sent => ({ method: 'GET', path: CLOCK, headers: header(shop) })

// ---- the mistakes

async function expired({ shop, bearer, ask: tell }: World): Promise<Sent> {
  const headers = await bearer(shop)
  await tell({ method: 'POST', path: '/sandbox/clock/advance', headers, body: { seconds: 3601 } })
  return { method: 'GET', path: CLOCK, headers }
}

async function duplicate(world: World): Promise<Sent> {
  const sent = await init((body) => body)(world)
  await world.ask(sent)
  return { ...sent, body: { ...(sent.body as object), amount: 1600 } }
}

async function wrongCode(world: World): Promise<Sent> {
  const { coded } = world
  const sent = await payout(world, coded)
  await world.ask(sent)
  const body = { reference: (sent.body as { reference: string }).reference, authorizationCode: '000000' }
  return { method: 'POST', path: `${SINGLE}/validate-otp`, headers: await world.bearer(coded), body }
}

const reserve = async ({ shop, bearer }: World): Promise<Sent> => ({
  method: 'POST',
  path: '/api/v2/bank-transfer/reserved-accounts',
  headers: await bearer(shop),
  body: {
    accountReference: reference(),
    accountName: 'Ada Obi',
    currencyCode: 'NGN',
    contractCode: shop.contractCode,
    customerEmail: 'ada@example.com',
    bvn: '2222222222',
    getAllAvailableBanks: true,
  },
})

const invoice = async ({ shop, bearer }: World): Promise<Sent> => ({
  method: 'POST',
  path: '/api/v1/invoice/create',
  headers: await bearer(shop),
  body: {
    amount: 2500,
    currencyCode: 'NGN',
    invoiceReference: reference(),
    customerName: 'Ada Obi',
    customerEmail: 'ada@example.com',
    contractCode: shop.contractCode,
    description: 'Ankara gown',
    expiryDate: '31/12/2030',
  },
})

/** `customerMail` in place of `customerEmail`. */
const renamed = ({ customerEmail, ...body }: Record<string, unknown>): unknown => ({
  ...body,
  customerMail: customerEmail,
})

export const MISTAKES: readonly Mistake[] = [
  { what: 'log-in with a wrong secret key', send: logIn(({ apiKey }) => basic(apiKey, 'X'.repeat(32))) },
  { what: 'log-in with an unknown API key', send: logIn((shop) => basic('MK_TEST_01ZZZZZZZZ', shop.secretKey)) },
  { what: 'log-in without a header', send: logIn(() => ({})) },
  { what: 'log-in with Bearer', send: logIn(({ secretKey }) => bearing(secretKey)) },
  { what: 'log-in with the keys swapped', send: logIn(({ apiKey, secretKey }) => basic(secretKey, apiKey)) },
  {
    what: 'log-in with keys that are not in base64',
    send: logIn(({ apiKey, secretKey }) => ({ authorization: `Basic ${apiKey}:${secretKey}` })),
  },
  { what: 'call without a token', send: call(() => ({})) },
  { what: 'call with Basic', send: call(({ apiKey, secretKey }) => basic(apiKey, secretKey)) },
  { what: 'call with the secret key as token', send: call(({ secretKey }) => bearing(secretKey)) },
  { what: 'call with the API key as token', send: call(({ apiKey }) => bearing(apiKey)) },
  { what: 'call with an expired token', send: expired },
  {
    what: 'call with a token that was cut off',
    send: async ({ shop, bearer }) => {
      const { authorization = '' } = await bearer(shop)
      return { method: 'GET', path: CLOCK, headers: { authorization: authorization.slice(0, -20) } }
    },
  },
  { what: 'payment with an empty body', send: init(() => ({})) },
  { what: 'payment without an amount', send: init((body) => ({ ...body, amount: undefined })) },
  { what: 'amount with a thousands separator', send: init((body) => ({ ...body, amount: '1,500.00' })) },
  { what: 'payment reference again, with another amount', send: duplicate },
  { what: 'amount below the minimum', send: init((body) => ({ ...body, amount: 5 })) },
  { what: 'customerMail in place of customerEmail', send: init(renamed) },
  { what: 'e-mail address without @', send: init((body) => ({ ...body, customerEmail: 'ngozi.example.com' })) },
  { what: 'contract code of nobody', send: init((body) => ({ ...body, contractCode: '0000000000' })) },
  { what: 'currency USD', send: init((body) => ({ ...body, currencyCode: 'USD' })) },
  { what: 'paymentMethods ["card"]', send: init((body) => ({ ...body, paymentMethods: ['card'] })) },
  {
    what: 'three faults at once',
    send: init((body) => ({ ...body, contractCode: undefined, amount: '12.345', customerEmail: 'ngozi' })),
  },
  {
    what: 'redirectURL in place of redirectUrl',
    send: init((body) => ({ ...body, redirectURL: 'https://shop.example/back' })),
  },
  { what: 'JSON with a comma too many', send: initText('{\n  "amount": 1500,\n  "currencyCode": "NGN",\n}') },
  {
    what: 'form in place of JSON',
    send: initText('amount=1500&currencyCode=NGN', { 'content-type': 'application/x-www-form-urlencoded' }),
  },
  { what: 'GET in place of POST', send: get(INIT) },
  { what: 'payout above the balance', send: (world) => payout(world, world.poor, { amount: 5000 }) },
  {
    what: 'path misspelt',
    send: async ({ shop, bearer }) => ({
      method: 'POST',
      path: '/api/v1/merchant/transaction/init-transaction',
      headers: await bearer(shop),
      body: payment(shop),
    }),
  },
  { what: 'query bankcode in place of bankCode', send: get(`${VALIDATE}?accountNumber=${ACCOUNT}&bankcode=${BANK}`) },
  {
    what: 'query transactionRef in place of transactionReference',
    send: get('/api/v2/merchant/transactions/query?transactionRef=CWRY%7C01%7C20261117000000%7C000001'),
  },
  {
    what: 'payout to nine digits',
    send: (world) => payout(world, world.shop, { destinationAccountNumber: '012345778' }),
  },
  { what: 'payout to an unknown bank', send: (world) => payout(world, world.shop, { destinationBankCode: '999' }) },
  {
    what: 'payout to another name',
    send: (world) => payout(world, world.shop, { destinationAccountName: 'Completely Different' }),
  },
  { what: 'payout with a wrong code', send: wrongCode },
  { what: 'BVN of ten digits', send: reserve },
  { what: 'expiry of an invoice as 31/12/2030', send: invoice },
  { what: 'card that is declined', send: charge('4111111111111110') },
  { what: 'card number with a wrong digit', send: charge('4111111111111112') },
]

// ---- what was answered, as a row of a table

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
/** The headers that a developer is helped with. */
const HELPFUL = ['allow', 'x-cowrie-unknown-fields'] as const

/** Number, mistake, request, status, code, and everything that is said in words. */
export function rowOf(number: number, { what }: Mistake, { method, path }: Sent, { status, headers, json }: Answered) {
  const { problem = {}, errors = [], responseBody = {}, responseMessage = '' } = json ?? {}
  const said = [
    status === 200 && responseBody.message ? responseBody.message : responseMessage,
    ...(responseBody.declineCode ? [`declineCode ${responseBody.declineCode}`] : []),
    ...(problem.hint ? [`Hint: ${problem.hint}`] : []),
    ...(problem.position ? [`position ${problem.position.line}:${problem.position.column}`] : []),
    ...(errors.length > 1 ? [`errors: ${errors.map(({ field }: { field: string }) => field).join(', ')}`] : []),
    ...HELPFUL.flatMap((name) => (headers.get(name) ? [`${name}: ${headers.get(name)}`] : [])),
  ]
  return { number, what, request: `${method} ${path.split('?')[0]}`, status, code: problem.code ?? '', said }
}
export type Row = ReturnType<typeof rowOf>
export const tableOf = (rows: readonly Row[]): string =>
  [
    '| # | Mistake | Request | Status | Code | Said |',
    '|---|---|---|---|---|---|',
    ...rows.map(({ number, what, request, status, code, said }) =>
      [`| ${number}`, cell(what), cell(request), status, code, `${cell(said.join(' · '))} |`].join(' | '),
    ),
    '',
  ].join('\n')
