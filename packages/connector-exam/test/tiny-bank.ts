// A fake of a small bank with an interface of its own: tokens, transfers, questions, names, numbers, a
// statement in pages, and signed webhooks.
import { createHmac, randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import { type Bank, createControls } from '../src/fake/controls.ts'
import { type Door, type Json, openDoor, parseObject, readText, send, sendJson } from '../src/kit/http.ts'
import {
  type BankLine,
  type BookRow,
  CALLS,
  type Code,
  type Credit,
  type Outcome,
  type Playing,
  type Report,
} from '../src/subject/upstream.ts'
import { CARD_CODES, CARDS, createAcquirer } from './tiny-acquirer.ts'

export const WEBHOOK_SECRET = 'the secret of the webhooks of the tiny bank'
export const CLIENT_SECRET = 'the password of the tiny bank'
export const STATEMENT_PAGE = 1000
export const CODES: readonly Code[] = [
  ...(['order', 'inquiry'] as const).flatMap((on): Code[] => [
    { on, code: 'T00', outcome: 'SUCCESS' },
    { on, code: 'T01', outcome: 'PENDING' },
    { on, code: 'T07', outcome: 'FAILED' },
    { on, code: 'T61', outcome: 'FAILED' },
    { on, code: 'T96', outcome: 'PENDING' },
  ]),
  { on: 'inquiry', code: 'T05', outcome: 'REVERSED' },
  { on: 'inquiry', code: 'T25', outcome: 'PENDING' },
]
const PLAYING: Playing = {
  behaviours: ['pay', 'pend', 'mute', 'deaf', 'slow', 'status', 'html', 'half', 'code'],
  calls: [...CALLS],
  webhooks: ['outcome', 'credit', 'charge', 'forged'],
  codes: [...CODES],
  missingAccount: { bankCode: '058', accountNumber: '3011110000' },
  statement: { kinds: ['CREDIT', 'PAYOUT', 'FEE'], most: 6_000 },
  cards: [...CARDS],
  cardCodes: [...CARD_CODES],
}
const CODE_OF: Readonly<Record<Outcome, string>> = { SUCCESS: 'T00', PENDING: 'T01', FAILED: 'T07', REVERSED: 'T05' }
const OPPOSITE: Readonly<Record<Outcome, Outcome>> = {
  ...{ SUCCESS: 'FAILED', FAILED: 'SUCCESS', PENDING: 'SUCCESS', REVERSED: 'FAILED' },
}
/** Nobody has an account that ends so. */
export const MISSING = '0000'

export const webhookSignature = (body: string): string =>
  createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex')

type Row = { -readonly [Name in keyof BookRow]: BookRow[Name] }

function createBooks(webhookUrl: () => string) {
  const orders: Row[] = []
  const credits = new Map<string, Credit>()
  const lines: BankLine[] = []

  const acquirer = createAcquirer()

  const contentsOf = (report: Report): Json => {
    if (report.kind === 'charge') return { event: 'charge', reference: report.reference }
    if (report.kind === 'outcome')
      return { event: 'transfer', reference: report.reference, code: CODE_OF[report.status] }
    const { kobo, ...credit } = credits.get(report.reference) as Credit
    return { event: 'credit', ...credit, id: report.reference, amount: nairaText(BigInt(kobo)) }
  }
  const altered = (report: Report): Json => {
    if (report.kind === 'outcome') return contentsOf({ ...report, status: OPPOSITE[report.status] })
    if (report.kind === 'charge') return { ...contentsOf(report), code: 'K00' }
    const { kobo } = credits.get(report.reference) as Credit
    return { ...contentsOf(report), amount: nairaText(BigInt(kobo) * 100n) }
  }
  const bank: Bank = {
    playing: PLAYING,
    orders: () => orders,
    charges: acquirer.rows,
    settle: (reference, status) => {
      if (acquirer.settle(reference, status)) return
      for (const row of orders) if (row.reference === reference) row.status = status
    },
    credit: (credit) => {
      const reference = `${'9'.repeat(6)}${randomUUID().replace(/\D/g, '').padEnd(24, '7').slice(0, 24)}`
      credits.set(reference, credit)
      return reference
    },
    report: async (report) => {
      const honest = JSON.stringify(contentsOf(report))
      const body = report.forged === 'contents' ? JSON.stringify(altered(report)) : honest
      const signature = webhookSignature(report.forged === 'signature' ? `${honest} ` : honest)
      const statuses: (number | null)[] = []
      for (let turn = 0; turn < (report.times ?? 1); turn += 1) {
        const headers = { 'content-type': 'application/json', 'x-signature': signature }
        statuses.push((await send(`${webhookUrl()}/webhook`, { method: 'POST', headers, body }, 5_000))?.status ?? null)
      }
      return statuses
    },
    addLines: (more) => lines.push(...more),
  }
  return { bank, orders, lines, acquirer }
}

export async function openTinyBank(webhookUrl: () => string): Promise<Door> {
  const { bank, orders, lines, acquirer } = createBooks(webhookUrl)
  const controls = createControls(bank)
  let token = ''
  let issued = 0

  const transfer = (order: Json, response: ServerResponse): Promise<void> => {
    const reference = String(order['reference'])
    const kobo = parseNaira(String(order['amount']))
    return controls.play('order', response, {
      take: (status) => {
        orders.push({
          ...{ reference, status, kobo: String(kobo), at: new Date().toISOString() },
          ...{ bankCode: String(order['bank']), accountNumber: String(order['account']) },
        })
      },
      answer: (code) => {
        const status = orders.findLast((one) => one.reference === reference)?.status ?? 'SUCCESS'
        return { body: { code: code ?? CODE_OF[status], id: `B-${reference}` } }
      },
    })
  }
  const question = (reference: string, response: ServerResponse): Promise<void> =>
    controls.play('inquiry', response, {
      answer: (code) => {
        const row = orders.find((one) => one.reference === reference)
        return { body: { code: code ?? (row === undefined ? 'T25' : CODE_OF[row.status]) } }
      },
    })
  const name = (account: string, response: ServerResponse): Promise<void> =>
    controls.play('name', response, {
      answer: () =>
        account.endsWith(MISSING) ? { status: 404, body: { code: 'T07' } } : { body: { name: 'ADA OBI' } },
    })
  const number = (response: ServerResponse): Promise<void> =>
    controls.play('numbers', response, {
      answer: () => {
        issued += 1
        return { body: { account: `77${String(issued).padStart(8, '0')}` } }
      },
    })
  const statement = (query: URLSearchParams, response: ServerResponse): Promise<void> =>
    controls.play('statement', response, {
      answer: () => {
        const [from, until] = [query.get('from') ?? '', query.get('until') ?? '']
        const mine = lines.filter(({ at }) => at >= from && at < until)
        const start = Number(query.get('page')) * STATEMENT_PAGE
        const end = start + STATEMENT_PAGE
        return { body: { lines: mine.slice(start, end), more: end < mine.length } }
      },
    })

  const play = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (await controls.handle(request, response)) return
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://bank')
    const said = parseObject(await readText(request))
    const message = said ?? {}
    const [, what, key = '', more = ''] = pathname.split('/')
    if (what === 'token') {
      token = randomUUID()
      return sendJson(response, message['password'] === CLIENT_SECRET ? 200 : 403, { token })
    }
    if (request.headers.authorization !== `Bearer ${token}`) return sendJson(response, 401, {})
    if (what === 'transfers') return request.method === 'POST' ? transfer(message, response) : question(key, response)
    if (what === 'charges') return acquirer.play(controls, response, pathname.split('/').slice(2), said)
    if (what === 'names') return name(more, response)
    if (what === 'numbers') return number(response)
    return what === 'statement' ? statement(searchParams, response) : sendJson(response, 404, {})
  }
  return openDoor(play)
}
