// WRONG, on purpose: three mistakes for the exam to find.
//   1. It does not verify the signature.
//   2. It answers after its work, and the work of a large settlement takes twenty seconds.
//   3. It answers 400 to kinds of event that it does not know.
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** By paymentReference. */
const credited = new Map()
const creditOf = (reference) => credited.get(reference) ?? 0

/** Ten milliseconds for each payment of a settlement, as a call to the bookkeeping would take. */
async function bookSettlement({ transactions }) {
  for (const _payment of transactions) await pause(10)
}

async function readJson(request) {
  let text = ''
  for await (const part of request.setEncoding('utf8')) text += part
  return JSON.parse(text)
}

async function hook(request, answer) {
  // Mistake 1: nobody asks who sent this.
  const { eventType, eventData } = await readJson(request)
  if (eventType === 'SUCCESSFUL_TRANSACTION') {
    const { paymentReference, amountPaid, product } = eventData
    // A paycode, paid out in cash: money that left.
    if (product.type !== 'OFFLINE_PAYMENT_AGENT')
      credited.set(paymentReference, Math.max(creditOf(paymentReference), amountPaid))
  } else if (eventType === 'SETTLEMENT') {
    // Mistake 2: the gateway waits for all of it.
    await bookSettlement(eventData)
  } else {
    // Mistake 3: these are sent again for three days.
    return answer(400)
  }
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
