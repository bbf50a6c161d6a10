// How a test tells the fake to behave, and reads its books: the calls of the connector exam, and five of this
// fake's own.
import {
  type Body,
  CannotPlay,
  type Controls,
  type Plans,
  sharedControls,
} from '../../../packages/connector-kit/test/fake.ts'
import { type Bank, type Call, ownCode } from './bank.ts'
import { PUBLISHED } from './codes.ts'

const STATUSES: readonly string[] = ['PENDING', 'SUCCESS', 'FAILED']

const PLAYING = {
  webhooks: [],
  codes: PUBLISHED,
  missingAccount: { bankCode: '058', accountNumber: '9900000001' },
}

function settle(bank: Bank, { reference, status }: Body): object | null {
  const order = bank.orders.find((one) => one.reference === reference)
  if (order === undefined) return null
  // The status query of this network has no word for a payment that was returned, so it cannot be played.
  if (!STATUSES.includes(String(status))) throw new CannotPlay('no status query says so')
  order.status = status as typeof order.status
  return {}
}

const books = (bank: Bank): object => ({
  received: bank.counts.received,
  orders: bank.orders.map(({ institution, kobo, session: _session, ...order }) => ({
    ...order,
    kobo: String(kobo),
    bankCode: ownCode(institution),
  })),
})

export const createControls = (bank: Bank, plans: Plans<Call>): Controls => ({
  ...sharedControls(plans, PLAYING, async () => undefined),
  'GET /exam/orders': () => books(bank),
  'POST /exam/settle': (body) => settle(bank, body),
  'GET /exam/received': () => ({ references: bank.received }),
  'GET /exam/counts': () => bank.counts,
  'POST /fake/return': ({ reference }) => {
    bank.returned.add(String(reference))
    return {}
  },
  'POST /fake/print': ({ date }) => bank.print(String(date)),
  'POST /exam/tokens/expire': () => {
    bank.expireTokens()
    return {}
  },
})
