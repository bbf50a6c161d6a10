// How the fake is to behave, and what is in its books: the interface that all fakes have below /exam, and a
// few calls of this one below /fake.

import { bookedOf, type Login, signatureOf } from './bank.ts'
import type { Books, Credit, OrderStatus } from './books.ts'
import { PUBLISHED } from './codes.ts'
import { BEHAVIOURS, type Behaviour, CALLS, type createPlans } from './plans.ts'
import { createStatements } from './statement.ts'

type Body = Readonly<Record<string, unknown>>
type Parts = {
  readonly books: Books
  readonly plans: ReturnType<typeof createPlans>
  readonly login: Login
  /** Where the adapter takes webhooks; changed by POST /fake/webhooks. */
  webhookUrl: string
}
const RETRIES = 4
const WEBHOOK_MS = 20_000

/** The bank publishes no code for an order that was paid and came back. */
const CODES: Readonly<Partial<Record<OrderStatus, string>>> = { PENDING: '09', SUCCESS: '00', FAILED: '05' }
/** What the bank cannot do, in words: answered with 409. */
export class CannotPlay extends Error {
  override name = 'CannotPlay'
}

type Sent = { readonly status: number | null; readonly code: string | null }

async function send(parts: Parts, text: string, signature: string): Promise<Sent> {
  try {
    const response = await fetch(parts.webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-Auth-Signature': signature },
      body: text,
      signal: AbortSignal.timeout(WEBHOOK_MS),
    })
    const answer = (await response.json()) as { readonly responseCode?: string }
    return { status: response.status, code: answer.responseCode ?? null }
  } catch {
    return { status: null, code: null }
  }
}

async function report(parts: Parts, credit: Credit, forged: unknown): Promise<Sent> {
  const wrong = forged === 'signature' ? 'F'.repeat(128) : signatureOf(parts.login)
  const shown = forged === 'contents' ? { ...credit, kobo: credit.kobo * 100n } : credit
  const sent = await send(parts, bookedOf(shown, true), wrong)
  if (sent.code === '00' || sent.code === '01') credit.acknowledged = true
  return sent
}

/** As the bank does it: once, and four times more unless it is answered. */
async function deliver(parts: Parts, credit: Credit): Promise<readonly Sent[]> {
  const sent: Sent[] = []
  while (sent.length <= RETRIES) {
    const one = await report(parts, credit, null)
    sent.push(one)
    if (one.code === '00' || one.code === '01' || one.code === '02') break
  }
  return sent
}

const text = (body: Body, name: string): string | undefined => {
  const value = body[name]
  return typeof value === 'string' ? value : undefined
}

const play = {
  behaviours: BEHAVIOURS,
  webhooks: ['credit', 'forged'],
  codes: ['order', 'inquiry'].flatMap((on) => PUBLISHED.map(({ code, outcome }) => ({ code, on, outcome }))),
  missingAccount: { bankCode: '058', accountNumber: '0000000001' },
  calls: CALLS,
}

export function createControl(parts: Parts): (route: string, body: Body) => Promise<unknown> {
  const { books, plans } = parts
  const print = createStatements(books)
  const creditOf = (body: Body): Credit | undefined =>
    books.credits.find(({ sessionId }) => sessionId === body['reference'])
  const book = (body: Body): Credit => {
    const at = text(body, 'at')
    const names = {
      sourceAccountName: text(body, 'senderName'),
      sourceAccountNumber: text(body, 'senderAccountNumber'),
      sourceBankName: text(body, 'senderBankName'),
      sourceBankCode: text(body, 'senderBankCode'),
      remarks: text(body, 'narration'),
      sessionId: text(body, 'sessionId'),
    }
    return books.credit({
      accountNumber: text(body, 'accountNumber') ?? '',
      kobo: BigInt(text(body, 'kobo') ?? '0'),
      feeKobo: BigInt(text(body, 'feeKobo') ?? '0'),
      ...(at === undefined ? {} : { at: new Date(at) }),
      ...Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined)),
    })
  }

  const routes: Readonly<Record<string, (body: Body) => unknown>> = {
    'GET /exam': () => play,
    'POST /exam/next': ({ on, times, ...plan }) => {
      plans.add(String(on), plan as { readonly behaviour: Behaviour }, Number(times ?? 1))
      return {}
    },
    'GET /exam/orders': () => ({
      received: books.received.length,
      orders: books.orders.map(({ reference, kobo, status, bankCode, accountNumber, at }) => ({
        ...{ reference, kobo: kobo.toString(), status, bankCode, accountNumber, at: at.toISOString() },
      })),
    }),
    'POST /exam/settle': ({ reference, status }) => {
      const order = books.find(String(reference))
      const code = CODES[status as OrderStatus]
      if (code === undefined) throw new CannotPlay(`no code is published for ${String(status)}`)
      if (order === undefined) return null
      Object.assign(order, { status, code })
      return {}
    },
    'POST /exam/credit': (body) => ({ reference: book(body).sessionId }),
    'POST /exam/webhook': async (body) => {
      const credit = creditOf(body)
      if (credit === undefined) return null
      const statuses: (number | null)[] = []
      for (let turn = 0; turn < Number(body['times'] ?? 1); turn += 1)
        statuses.push((await report(parts, credit, body['forged'])).status)
      return { statuses }
    },
    'POST /exam/reset': () => {
      plans.reset()
      return {}
    },
    'POST /fake/webhooks': (body) => {
      parts.webhookUrl = text(body, 'url') ?? ''
      return {}
    },
    'POST /fake/balance': (body) => {
      books.balance = text(body, 'balance') ?? ''
      return {}
    },
    'POST /fake/deliver': async (body) => {
      const credit = creditOf(body)
      return credit === undefined ? null : { codes: (await deliver(parts, credit)).map(({ code }) => code) }
    },
    'POST /fake/print': ({ date }) => print(String(date)),
    'GET /fake/received': () => ({ references: books.received }),
    'GET /fake/numbers': () => ({ numbers: books.numbers }),
    'GET /fake/credits': () => ({
      credits: books.credits.map(({ sessionId, settlementId, acknowledged }) => ({
        sessionId,
        settlementId,
        acknowledged,
      })),
    }),
  }
  return async (route, body) => (Object.hasOwn(routes, route) ? routes[route]?.(body) : undefined)
}
