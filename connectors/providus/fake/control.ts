// How the fake is to behave, and what is in its books: the interface that all fakes have below /exam, and a
// few calls of this one below /fake.
import {
  type Body,
  CannotPlay,
  type Controls,
  type Plans,
  postWebhook,
  sharedControls,
} from '../../../packages/connector-kit/test/fake.ts'
import { bookedOf, type Call, type Login, signatureOf } from './bank.ts'
import type { Books, Credit, OrderStatus } from './books.ts'
import { PUBLISHED } from './codes.ts'
import { createStatements } from './statement.ts'

type Parts = {
  readonly books: Books
  readonly plans: Plans<Call>
  readonly login: Login
  /** Where the adapter takes webhooks; changed by POST /fake/webhooks. */
  webhookUrl: string
}
const RETRIES = 4

/** The bank publishes no code for an order that was paid and came back. */
const CODES: Readonly<Partial<Record<OrderStatus, string>>> = { PENDING: '09', SUCCESS: '00', FAILED: '05' }
type Sent = { readonly status: number | null; readonly code: string | null }

async function send(parts: Parts, body: string, signature: string): Promise<Sent> {
  const answer = await postWebhook(parts.webhookUrl, { 'X-Auth-Signature': signature }, body)
  return { status: answer?.status ?? null, code: /"responseCode":"(\w+)"/.exec(answer?.text ?? '')?.[1] ?? null }
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

const PLAYING = {
  webhooks: ['credit', 'forged'],
  codes: ['order', 'inquiry'].flatMap((on) => PUBLISHED.map(({ code, outcome }) => ({ code, on, outcome }))),
  missingAccount: { bankCode: '058', accountNumber: '0000000001' },
}

export function createControls(parts: Parts): Controls {
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

  const webhook = async (body: Body): Promise<number | null | undefined> => {
    const credit = creditOf(body)
    return credit === undefined ? undefined : (await report(parts, credit, body['forged'])).status
  }

  return {
    ...sharedControls(plans, PLAYING, webhook),
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
}
