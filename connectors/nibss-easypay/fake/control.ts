// How a test tells the fake to behave, and reads its books: the calls of the connector exam, and five of this
// fake's own.
import { type Bank, type Behaviour, type Json, type On, ownCode } from './bank.ts'
import { PUBLISHED } from './codes.ts'

const ON: readonly string[] = ['order', 'inquiry', 'name'] satisfies On[]
const BEHAVIOURS: readonly Behaviour[] = ['pay', 'pend', 'mute', 'deaf', 'slow', 'status', 'html', 'half', 'code']
const STATUSES: readonly string[] = ['PENDING', 'SUCCESS', 'FAILED']

type Reply = { readonly status: number; readonly body: Json }
const ok = (body: Json = {}): Reply => ({ status: 200, body })
const wrong = (error: string): Reply => ({ status: 400, body: { error } })

const about = {
  behaviours: BEHAVIOURS,
  webhooks: [],
  codes: PUBLISHED,
  calls: ON,
  missingAccount: { bankCode: '058', accountNumber: '9900000001' },
}

function plan(bank: Bank, { on, times = 1, ...how }: Json): Reply {
  if (!ON.includes(String(on))) return wrong('no such call')
  const behaviour = BEHAVIOURS.find((one) => one === how['behaviour'])
  if (behaviour === undefined) return wrong('no such behaviour')
  bank.plan(on as On, { ...how, behaviour }, Number(times))
  return ok()
}

function settle(bank: Bank, { reference, status }: Json): Reply {
  const order = bank.orders.find((one) => one.reference === reference)
  if (order === undefined) return wrong('no such order')
  // The status query of this network has no word for a payment that was returned, so it cannot be played.
  if (!STATUSES.includes(String(status))) return { status: 409, body: { why: 'no status query says so' } }
  order.status = status as typeof order.status
  return ok()
}

const books = (bank: Bank): Json => ({
  received: bank.counts.received,
  orders: bank.orders.map(({ institution, kobo, session: _session, ...order }) => ({
    ...order,
    kobo: String(kobo),
    bankCode: ownCode(institution),
  })),
})

export function control(bank: Bank, call: string, body: Json): Reply {
  switch (call) {
    case 'GET /exam':
      return ok(about)
    case 'POST /exam/next':
      return plan(bank, body)
    case 'GET /exam/orders':
      return ok(books(bank))
    case 'POST /exam/settle':
      return settle(bank, body)
    case 'POST /exam/reset':
      bank.forgetPlans()
      return ok()
    case 'GET /exam/received':
      return ok({ references: bank.received })
    case 'GET /exam/counts':
      return ok({ ...bank.counts })
    case 'POST /fake/return':
      bank.returned.add(String(body['reference']))
      return ok()
    case 'POST /fake/print':
      return ok({ ...bank.print(String(body['date'])) })
    case 'POST /exam/tokens/expire':
      bank.expireTokens()
      return ok()
    default:
      return { status: 404, body: { error: 'no such call' } }
  }
}
