// WRONG, on purpose: two mistakes for the exam to find.
//   1. It computes the signature over JSON that it parsed and serialised again, not over the bytes that
//     arrived.
//   2. It believes that every delivery is a new payment, and adds.
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'

const secretKey = process.env.COWRIE_SECRET_KEY ?? ''
const credited = new Map()
const creditOf = (reference) => credited.get(reference) ?? 0

async function readJson(request) {
  let text = ''
  for await (const part of request.setEncoding('utf8')) text += part
  return JSON.parse(text)
}

async function hook(request, answer) {
  const event = await readJson(request)
  // Mistake 1: these need not be the bytes that were signed.
  const expected = createHmac('sha512', secretKey).update(JSON.stringify(event)).digest('hex')
  if (request.headers['service-signature'] !== expected) return answer(401)
  const { eventType, eventData } = event
  const reference = eventData.paymentReference
  // Mistake 2: neither webhook-id nor cowrie-object-version is looked at.
  // OFFLINE_PAYMENT_AGENT is a paycode, paid out in cash: money that left.
  if (eventType === 'SUCCESSFUL_TRANSACTION' && eventData.product.type !== 'OFFLINE_PAYMENT_AGENT')
    credited.set(reference, creditOf(reference) + eventData.amountPaid)
  if (eventType === 'REVERSED_TRANSACTION') credited.set(reference, eventData.amountLeft)
  answer(200)
}

const server = createServer((request, response) => {
  const answer = (status, body = {}) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const url = new URL(request.url, 'http://localhost')
  if (request.method === 'POST' && url.pathname === '/hook') return hook(request, answer).catch(() => answer(500))
  if (url.pathname === '/credited') return answer(200, { credited: creditOf(url.searchParams.get('reference')) })
  answer(404)
})
server.listen(Number(process.argv[2] ?? 3000), '127.0.0.1', () =>
  process.stdout.write(`listening on ${server.address().port}\n`),
)
