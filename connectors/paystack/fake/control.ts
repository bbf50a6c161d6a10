// How the fake is to behave, and what is in its books: the interface that all fakes have below /exam, and a
// few calls of this one below /fake.
import { createHmac } from 'node:crypto'
import {
  type Body,
  CannotPlay,
  type Controls,
  type Plans,
  postWebhook,
  sharedControls,
} from '../../../packages/connector-kit/test/fake.ts'
import { type Books, type ChargeStatus, type RefundStatus, textOf } from './books.ts'
import { type Call, disputeData, refundData, transactionOf } from './paystack.ts'
import { PLAYING } from './playing.ts'

type Parts = {
  readonly books: Books
  readonly plans: Plans<Call>
  readonly secretKey: string
  /** Where the adapter takes webhooks; changed by POST /fake/webhooks. */
  webhookUrl: string
}
const SETTLED: Readonly<Record<string, ChargeStatus>> = { SUCCESS: 'success', FAILED: 'failed', PENDING: 'pending' }
const SHOWN: Readonly<Record<string, string>> = {
  ...{ success: 'SUCCESS', failed: 'FAILED', pending: 'PENDING', abandoned: 'PENDING' },
  ...{ reversed: 'REVERSED', 'reversal-pending': 'SUCCESS' },
}

/** Of a charge: what is on its way back has been taken. */
const STATES: Readonly<Record<string, string>> = {
  ...{ success: 'APPROVED', failed: 'DECLINED', pending: 'PENDING', abandoned: 'WAITING' },
  ...{ reversed: 'REVERSED', 'reversal-pending': 'APPROVED' },
}

function eventOf(books: Books, { event, reference, note }: Body): Body {
  const charge = books.find(String(reference))
  if (charge === undefined) throw new CannotPlay('no such charge')
  const named = textOf(event, 'charge.success')
  if (named.startsWith('charge.dispute.')) {
    const dispute = books.disputes.findLast((one) => one.charge === charge)
    if (dispute === undefined) throw new CannotPlay('no such dispute')
    return { event: named, data: disputeData(dispute) }
  }
  if (!named.startsWith('refund.')) return { event: named, data: transactionOf(charge, books.statusOf(charge)) }
  const refund = books.refunds.find((one) => one.charge === charge && (note === undefined || one.note === note))
  if (refund === undefined) throw new CannotPlay('no such refund')
  const about = { transaction_reference: charge.reference, refund_reference: null, processor: 'fake' }
  return { event: named, data: { ...refundData(refund), ...about, amount: String(refund.kobo) } }
}

async function send({ webhookUrl, secretKey }: Parts, body: Body, forged: unknown): Promise<number | null> {
  const signed = JSON.stringify(body)
  const signature = createHmac('sha512', forged === 'signature' ? 'another key' : secretKey)
    .update(signed)
    .digest('hex')
  // The right signature of the true event, over another one.
  const sent =
    forged === 'contents' ? JSON.stringify({ ...body, data: { ...(body['data'] as Body), amount: 1 } }) : signed
  return (await postWebhook(webhookUrl, { 'x-paystack-signature': signature }, sent))?.status ?? null
}

function settle(books: Books, { reference, status, text }: Body): object {
  const charge = books.find(String(reference))
  // What is on its way back has arrived.
  if (status === 'REVERSED') {
    for (const refund of books.refunds) if (refund.charge === charge) refund.status = 'processed'
    return {}
  }
  const settled = SETTLED[String(status)]
  if (charge === undefined || settled === undefined) throw new CannotPlay('no such charge, or no such status')
  Object.assign(charge, {
    status: settled,
    steps: [],
    text: textOf(text, settled === 'failed' ? 'Declined' : 'Approved'),
  })
  return {}
}

function settleRefund(books: Books, { note, status }: Body): object {
  const refund = books.refunds.findLast((one) => one.note === note)
  if (refund === undefined) throw new CannotPlay('no such refund')
  refund.status = status as RefundStatus
  return {}
}

/** Opens a dispute, or changes the one that there is. */
function dispute(books: Books, { reference, status, resolution, due }: Body): object {
  const charge = books.find(String(reference))
  if (charge === undefined) throw new CannotPlay('no such charge')
  const before = books.disputes.find((one) => one.charge === charge)
  const now = new Date().toISOString()
  const made = before ?? {
    ...{ id: 2_000_000 + books.disputes.length, charge, at: now, resolution: null, changed: now },
    ...{ status: 'awaiting-merchant-feedback', due: now },
  }
  if (before === undefined) books.disputes.push(made)
  made.changed = now
  made.status = textOf(status, made.status)
  made.resolution = typeof resolution === 'string' ? resolution : null
  made.due = textOf(due, made.due)
  return { id: String(made.id) }
}

export function createControls(parts: Parts): Controls {
  const { books, plans } = parts
  return {
    ...sharedControls(plans, PLAYING, (body) => send(parts, eventOf(books, body), body['forged'])),
    'GET /exam/orders': () => ({
      received: books.received.length,
      orders: books.charges.map((charge) => ({
        reference: charge.reference,
        kobo: String(charge.kobo),
        status: SHOWN[books.statusOf(charge)],
        at: charge.at,
      })),
    }),
    'GET /exam/charges': () => ({
      received: books.received.length,
      charges: books.charges.map((charge) => ({
        reference: charge.reference,
        kobo: String(charge.kobo),
        state: STATES[books.statusOf(charge)],
        refundedKobo: String(books.refunded(charge)),
        inputs: charge.inputs,
      })),
    }),
    'POST /exam/settle': (body) => settle(books, body),
    'POST /fake/webhooks': ({ url }) => {
      parts.webhookUrl = String(url)
      return {}
    },
    'POST /fake/raw': async ({ body }) => ({ statuses: [await send(parts, body as Body, null)] }),
    'POST /fake/refund': (body) => settleRefund(books, body),
    'POST /fake/dispute': (body) => dispute(books, body),
    'POST /fake/twist': ({ reference, as }) => {
      books.twists.set(String(reference), as as Body)
      return {}
    },
    'GET /fake/received': () => ({ references: books.received }),
    'GET /fake/bodies': () => ({ bodies: books.bodies }),
    'GET /fake/refunds': () => ({
      refunds: books.refunds.map(({ charge, kobo, note, status }) => ({
        reference: charge.reference,
        kobo: kobo.toString(),
        note,
        status,
      })),
    }),
  }
}
