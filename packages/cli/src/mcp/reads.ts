// The tools that only look. They work in live too, with a key of scope READ or AGENT.
import { timingSafeEqual } from 'node:crypto'
import { searchTransactions } from '@cowrie/contract/collections/search'
import { getMails } from '@cowrie/contract/screens/sandbox'
import { sentencesOf } from '../look/explain.ts'
import { findAll } from '../look/lookups.ts'
import { readPayment } from '../look/story.ts'
import { MISTAKES } from '../mistakes.ts'
import { serviceSignature } from '../sign.ts'
import { searchDocs } from './docs.ts'
import { type Input, numberOf, type Seat, type Tool, text, textOf, whole } from './tool.ts'

const PAGE = 20
const LINES_MAX = 50

const same = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))

/** Whether a signature is right and, if not, what the code that made it probably does wrong. The secret key
 *  is never shown. */
function verifySignature({ gateway }: Seat, input: Input): object {
  const { secretKey, apiKey } = gateway.credentials()
  const [body, signature] = [textOf(input, 'body') ?? '', (textOf(input, 'signature') ?? '').trim()]
  if (same(signature, serviceSignature(secretKey, body))) return { valid: true }
  const signed = { apiKey, secretKey, body, id: textOf(input, 'webhookId') ?? '', timestamp: '' }
  const mistake = MISTAKES.find(({ expects }) => {
    try {
      return same(signature, expects(signed))
    } catch {
      return false // the body is not the JSON that this mistake is about
    }
  })
  return { valid: false, probably: mistake ? { does: mistake.does, fix: mistake.fix, code: mistake.code } : null }
}

async function settlement({ gateway }: Seat, input: Input): Promise<unknown> {
  const reference = textOf(input, 'reference')
  if (reference === undefined) return (await gateway.settlements(0)).content.slice(0, PAGE)
  const { lines, ...rest } = await gateway.statement(reference)
  return { ...rest, lineCount: lines.length, lines: lines.slice(0, LINES_MAX) }
}

async function events({ gateway }: Seat, input: Input): Promise<unknown> {
  const newest = await gateway.newest()
  const after = numberOf(input, 'after') ?? Math.max(0, newest - PAGE)
  const page = await gateway.after(after, { wait: false, limit: PAGE })
  return { newest: page.lastNumber, events: page.events }
}

const reading = (tool: Omit<Tool, 'reads'>): Tool => ({ ...tool, reads: true })

function findingTools(seat: Seat): readonly Tool[] {
  const { gateway } = seat
  return [
    reading({
      name: 'search_docs',
      title: 'Search the documentation',
      description:
        'Finds sections of the guides, operations, error codes, events, states and scenarios of Cowrie by words.',
      properties: { query: text('A few words, such as "partial refund" or an error code') },
      required: ['query'],
      run: async (input) => searchDocs(textOf(input, 'query') ?? ''),
    }),
    reading({
      name: 'find',
      title: 'Find anything',
      description:
        'Looks up a payment, payout, refund, invoice, settlement, mandate, wallet, customer, event or request by whatever one has of it.',
      properties: { text: text('A whole reference, an account number, an e-mail address, an event number, an id') },
      required: ['text'],
      run: async (input) => findAll(gateway, (textOf(input, 'text') ?? '').trim()),
    }),
    reading({
      name: 'explain_payment',
      title: 'Explain a payment',
      description:
        'Tells the story of one payment in sentences with times: what was asked for, what came, what was sent to whom.',
      properties: { reference: text('Its transaction reference, or the payment reference of the merchant') },
      required: ['reference'],
      run: async (input) => {
        const payment = await readPayment(gateway, textOf(input, 'reference') ?? '')
        return { status: payment.status, story: sentencesOf(payment) }
      },
    }),
    reading({
      name: 'list_payments',
      title: 'List payments',
      description: `The newest payments, ${PAGE} at a time; filters narrow them.`,
      properties: {
        status: text('PENDING, PAID, PARTIALLY_PAID, OVERPAID, EXPIRED, FAILED or CANCELLED'),
        customerEmail: text('The whole address'),
        page: whole('From 0 on', 0, 10_000),
      },
      run: async (input) => {
        const [paymentStatus, customerEmail] = [textOf(input, 'status'), textOf(input, 'customerEmail')]
        const query = {
          size: String(PAGE),
          page: String(numberOf(input, 'page') ?? 0),
          ...(paymentStatus === undefined ? {} : { paymentStatus }),
          ...(customerEmail === undefined ? {} : { customerEmail }),
        }
        const { content, totalElements } = await gateway.ask(searchTransactions, { query })
        return { total: totalElements, payments: content }
      },
    }),
  ]
}

export function readingTools(seat: Seat): readonly Tool[] {
  return [
    ...findingTools(seat),
    reading({
      name: 'list_events',
      title: 'List events',
      description: `Events with their bodies, oldest first; without a number the newest ${PAGE}.`,
      properties: { after: whole('The last number that is known', 0, 999_999_999_999) },
      run: (input) => events(seat, input),
    }),
    reading({
      name: 'verify_signature',
      title: 'Verify a webhook signature',
      description:
        'Says whether a service-signature belongs to a body, with the secret key of this merchant, and which typical mistake it comes from. The key is not shown.',
      properties: {
        body: text('The raw body, byte for byte'),
        signature: text('The value of service-signature, or what your code computed'),
        webhookId: text('The header webhook-id, where there is one'),
      },
      required: ['body', 'signature'],
      run: async (input) => verifySignature(seat, input),
    }),
    reading({
      name: 'get_settlement',
      title: 'Get a settlement',
      description: `The statement of one settlement with its first ${LINES_MAX} lines; without a reference the newest ${PAGE} settlements.`,
      properties: { reference: text('The settlement reference') },
      run: (input) => settlement(seat, input),
    }),
  ]
}

/** The sandbox keeps all mails that were sent; in live they have left. */
export const readMails = (seat: Seat): Tool =>
  reading({
    name: 'read_mails',
    title: 'Read mails of the sandbox',
    description: `The ${PAGE} newest mails that the sandbox sent to the merchant and its customers. None has left this machine.`,
    properties: { to: text('Only to this address') },
    run: async (input) => {
      const to = textOf(input, 'to')
      const mails = await seat.gateway.ask(getMails, { query: to === undefined ? {} : { to } })
      return mails.slice(0, PAGE).map(({ html: _html, ...mail }) => mail)
    },
  })
