// A webhook handler as it should be, in plain Node without dependencies:
//   COWRIE_SECRET_KEY=… node samples/handlers/right.mjs 3000
//   cowrie exam http://127.0.0.1:3000/hook --probe http://127.0.0.1:3000/credited
// It keeps everything in memory. In a shop `seen` and `payments` are tables, and what take() does is one
// database transaction.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const secretKey = process.env.COWRIE_SECRET_KEY ?? ''
const BODY_MAX = 5 * 1024 * 1024

/** Events that were processed, by webhook-id. */
const seen = new Set()
/** By our own reference: what is credited, and the version of the event that said so. */
const payments = new Map()
/** Work for after the answer. */
const queue = []

/** Over the bytes as they arrived: nothing may parse them before. */
function isOurs(raw, signature) {
  const expected = Buffer.from(createHmac('sha512', secretKey).update(raw).digest('hex'))
  const given = Buffer.from(signature ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** What a payment stands at, if the event says anything about that: the amount of the whole, never something
 *  to add. */
function creditedBy({ eventType, eventData }) {
  if (eventType === 'REVERSED_TRANSACTION') return eventData.amountLeft
  // OFFLINE_PAYMENT_AGENT is a paycode, paid out in cash: money that left.
  const isPayment = eventType === 'SUCCESSFUL_TRANSACTION' && eventData.product.type !== 'OFFLINE_PAYMENT_AGENT'
  return isPayment ? eventData.amountPaid : null
}

function take(id, version, event) {
  if (seen.has(id)) return
  seen.add(id)
  queue.push(event)
  const credited = creditedBy(event)
  if (credited === null) return
  const reference = event.eventData.paymentReference
  if (version > (payments.get(reference)?.version ?? 0)) payments.set(reference, { version, credited })
}

async function readBody(request) {
  const parts = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size > BODY_MAX) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}

async function hook(request, answer) {
  const raw = await readBody(request)
  if (raw === null) return answer(413)
  if (!isOurs(raw, request.headers['service-signature'])) return answer(401)
  take(request.headers['webhook-id'], Number(request.headers['cowrie-object-version']), JSON.parse(raw))
  answer(200)
  // Mails, stock, bookkeeping: here, when the answer has left.
  queue.length = 0
}

const server = createServer((request, response) => {
  const answer = (status, body = {}) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const url = new URL(request.url, 'http://localhost')
  if (request.method === 'POST' && url.pathname === '/hook')
    return hook(request, answer).catch(() => response.headersSent || answer(500))
  // The probe: what is credited for a reference, in naira.
  if (url.pathname === '/credited')
    return answer(200, { credited: payments.get(url.searchParams.get('reference'))?.credited ?? 0 })
  answer(404)
})
server.listen(Number(process.argv[2] ?? 3000), '127.0.0.1', () =>
  process.stdout.write(`listening on ${server.address().port}\n`),
)
