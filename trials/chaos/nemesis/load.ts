// Clients that behave: they ask again until they are answered, and remember what was acknowledged. Each pays,
// every second one pays out to an account with one of the bank's endings, every third refunds a part.
import { setTimeout as pause } from 'node:timers/promises'
import { accountName } from '../../../apps/simulator/src/kit/names.ts'
import type { Stack } from '../../../tools/sandbox/stack.ts'
import type { Send } from '../kit/http.ts'
import type { ChaosMerchant } from '../kit/world.ts'

/** What was acknowledged, by merchant and reference. */
export type Seen = { readonly paid: Set<string>; readonly payouts: Set<string>; readonly refunds: Set<string> }

/** Endings of an account that the simulator's bank has a rule for, and one that it has none for
 *  (docs/sandbox-bank.md). */
const ENDINGS = ['7788', '0004', '0005', '0001', '0006', '0002'] as const
const BANK_CODE = '058'
const DEFAULT_BANK = '50515' // where accounts of a payment are
const TRIES = 60
const LIMIT_MS = 8_000
const WALK_LIMIT_MS = 300_000 // beside a load no instant becomes quiet, and each waits a minute for it

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a client reads them
export type Body = any
export type Caller = {
  /** Asked until it is answered, otherwise than by 429 or 5xx. Null: never. */
  call(
    merchant: number,
    method: 'GET' | 'POST',
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Body } | null>
  pay(accountNumber: string, amount: number, scenario: string, bankCode?: string): Promise<boolean>
  advance(seconds: number): Promise<void>
}

export function createCaller(
  send: Send,
  stack: Stack,
  merchants: readonly ChaosMerchant[],
  signal: AbortSignal,
): Caller {
  const [api, bank] = [`http://127.0.0.1:${stack.ports.api}`, `http://127.0.0.1:${stack.ports.simulator}`]
  const tokens = new Map<number, string>()
  const logIn = async (at: number): Promise<string | null> => {
    const { apiKey, secretKey } = merchants[at] as ChaosMerchant
    const authorization = `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`
    const reply = await send('POST', `${api}/api/v1/auth/login`, { headers: { authorization }, limitMs: LIMIT_MS })
    return reply?.status === 200 ? (JSON.parse(reply.text) as Body).responseBody.accessToken : null
  }
  const ask = async (at: number, method: 'GET' | 'POST', path: string, body: object | undefined, limitMs: number) => {
    const token = tokens.get(at) ?? (await logIn(at))
    if (token === null) return null
    tokens.set(at, token)
    const given = body === undefined ? {} : { body }
    const reply = await send(method, api + path, { headers: { authorization: `Bearer ${token}` }, limitMs, ...given })
    if (reply?.status === 401) tokens.delete(at)
    if (reply === null || reply.status >= 500 || reply.status === 429 || reply.status === 401) return null
    return { status: reply.status, body: (JSON.parse(reply.text) as Body).responseBody }
  }
  const call: Caller['call'] = async (at, method, path, body) => {
    for (let tries = 0; tries < TRIES && !signal.aborted; tries += 1) {
      const answer = await ask(at, method, path, body, LIMIT_MS)
      if (answer) return answer
      await pause(250)
    }
    return null
  }
  return {
    call,
    pay: async (accountNumber, amount, scenario, bankCode = DEFAULT_BANK) => {
      const body = { bankCode, accountNumber, amount, scenario }
      return (await send('POST', `${bank}/api/transfers`, { body, limitMs: LIMIT_MS }))?.status === 200
    },
    advance: async (seconds) => {
      const answer = await ask(0, 'POST', '/sandbox/clock/advance', { seconds }, WALK_LIMIT_MS)
      if (answer?.status !== 200) throw new Error(`the clock could not be advanced: ${answer?.status ?? 'no answer'}`)
      tokens.clear() // an hour is the life of a token
    },
  }
}

export type Turn = {
  readonly caller: Caller
  readonly at: number
  readonly merchant: ChaosMerchant
  readonly owner: string
}

/** Which part of what is asked the payer pays, and what the bank makes of it. */
export type Paying = { readonly part: number; readonly scenario: string }
const usual = (n: number): Paying => ({ part: 1, scenario: n % 5 === 0 ? 'twice' : 'exact' })

export async function payment(
  { caller, at, merchant, owner }: Turn,
  n: number,
  seen: Seen,
  { part, scenario }: Paying = usual(n),
): Promise<string | null> {
  const [paymentReference, amount] = [`p-${n}`, 1_000 + (n % 7)]
  const made = await caller.call(at, 'POST', '/api/v1/merchant/transactions/init-transaction', {
    ...{ amount, paymentReference, currencyCode: 'NGN', contractCode: merchant.contractCode },
    ...{ customerName: 'Ada Obi', customerEmail: 'ada@chaos.example', paymentDescription: 'Cloth' },
    metaData: { merchant: merchant.name }, // receivers look whether it is theirs
  })
  // A second try finds the reference used: then it was made by the first.
  const found =
    made?.body ??
    (await caller.call(at, 'GET', `/api/v1/merchant/transactions/query?paymentReference=${paymentReference}`))?.body
  const reference: string | undefined = found?.transactionReference
  if (reference === undefined) return null
  seen.paid.add(`${owner}/${reference}`)
  const account = await caller.call(at, 'POST', '/api/v1/merchant/bank-transfer/init-payment', {
    transactionReference: reference,
  })
  if (account?.body?.accountNumber) await caller.pay(account.body.accountNumber, Math.round(amount * part), scenario)
  return reference
}

export async function payout({ caller, at, merchant, owner }: Turn, n: number, seen: Seen): Promise<void> {
  const reference = `o-${n}`
  const destinationAccountNumber = `${100_000 + n}${ENDINGS[(n / 2) % ENDINGS.length]}`.slice(-10)
  const answer = await caller.call(at, 'POST', '/api/v2/disbursements/single', {
    ...{ amount: 50 + (n % 9), reference, narration: 'Wages', currency: 'NGN' },
    ...{ destinationBankCode: BANK_CODE, destinationAccountNumber, sourceAccountNumber: merchant.walletNumber },
    destinationAccountName: accountName(BANK_CODE, destinationAccountNumber),
  })
  if (answer?.status === 200) seen.payouts.add(`${owner}/${reference}`)
}

export async function refund(
  { caller, at, owner }: Turn,
  n: number,
  transactionReference: string,
  seen: Seen,
): Promise<void> {
  const refundReference = `r-${n}`
  const answer = await caller.call(at, 'POST', '/api/v1/refunds/initiate-refund', {
    ...{ transactionReference, refundReference, refundAmount: 200, refundReason: 'Returned', customerNote: 'Returned' },
  })
  if (answer?.status === 200) seen.refunds.add(`${owner}/${refundReference}`)
}

export async function runClients(
  caller: Caller,
  merchants: readonly ChaosMerchant[],
  ids: readonly bigint[],
  clients: number,
  until: number,
  seen: Seen,
): Promise<void> {
  let started = 0
  const client = async (number: number): Promise<void> => {
    const at = number % merchants.length
    const turn: Turn = { caller, at, merchant: merchants[at] as ChaosMerchant, owner: String(ids[at]) }
    while (Date.now() < until) {
      started += 1
      const n = started
      const reference = await payment(turn, n, seen)
      if (n % 2 === 0) await payout(turn, n, seen)
      if (n % 3 === 0 && reference !== null) await refund(turn, n, reference, seen)
      await pause(50)
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
}
