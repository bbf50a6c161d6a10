// What the screens of a merchant with very many payments ask for: the first page of every list that grows
// with payments, and one in its middle.
import type pg from 'pg'

/** As the dashboard asks. */
const SIZE = 50

export type Case = {
  readonly name: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** How many there are; null where a page has no total. */
  readonly total: number | null
}

const SEARCH = '/dashboard/v1/api/v1/transactions/search'
const view = (id: string): string => `/dashboard/v1/views/${id}`

type Filter = { readonly name: string; readonly query: Readonly<Record<string, string>>; readonly where: string }

const FILTERS: readonly Filter[] = [
  { name: 'payments', query: {}, where: 'true' },
  { name: 'payments, paid', query: { paymentStatus: 'PAID' }, where: `status = 'PAID'` },
  { name: 'payments, expired', query: { paymentStatus: 'EXPIRED' }, where: `status = 'EXPIRED'` },
  {
    name: 'payments, by amount',
    query: { fromAmount: '1000', toAmount: '2000' },
    where: 'kobo between 100000 and 200000',
  },
  {
    name: 'payments, of one customer',
    query: { customerEmail: 'c7@example.com' },
    where: `customer_email = 'c7@example.com'`,
  },
]

export async function casesOf(client: pg.Client, merchant: bigint): Promise<Case[]> {
  const one = async (sql: string): Promise<string> =>
    String((await client.query<{ value: unknown }>(sql, [merchant])).rows[0]?.value)
  const cases: Case[] = []
  const twoPages = (name: string, path: string, query: Case['query'], total: number): void => {
    cases.push({ name, path, query: { ...query, page: '0', size: String(SIZE) }, total })
    const middle = Math.floor(total / SIZE / 2)
    if (middle > 0)
      cases.push({
        name: `${name}, middle`,
        path,
        query: { ...query, page: String(middle), size: String(SIZE) },
        total,
      })
  }
  for (const { name, query, where } of FILTERS)
    twoPages(
      name,
      SEARCH,
      query,
      Number(await one(`select count(*) as value from transactions where merchant_id = $1 and ${where}`)),
    )
  const lines = Number(await one('select count(*) as value from settlement_lines where merchant_id = $1'))
  const settled = '/dashboard/v1/api/v1/transactions/find-by-settlement-reference'
  const largest = 'from settlements where merchant_id = $1 order by transactions desc limit 1'
  const reference = await one(`select reference as value ${largest}`)
  twoPages(
    'transactions of a settlement',
    settled,
    { reference },
    Number(await one(`select transactions as value ${largest}`)),
  )
  const middle = `from transactions where merchant_id = $1 order by id offset ${Math.floor(lines / 2)} limit 1`
  const [payment, email] = [
    await one(`select reference as value ${middle}`),
    await one(`select customer_email as value ${middle}`),
  ]
  const credit = `from inbound_credits where merchant_id = $1 order by transfer_id offset ${Math.floor(lines / 2)} limit 1`
  const [session, sender] = [
    await one(`select bank_reference as value ${credit}`),
    await one(`select sender_account_number as value ${credit}`),
  ]
  const number = await one('select last_number / 2 as value from event_counters where merchant_id = $1')
  const plain = (name: string, path: string, query: Case['query'] = {}): Case => ({ name, path, query, total: null })
  cases.push(
    plain('home', view('home.figures')),
    plain('one payment', view('payments.show'), { reference: payment }),
    plain('find, a reference', view('find.anything'), { text: payment }),
    plain('find, an account number', view('find.anything'), { text: sender }),
    plain('find, a bank session', view('find.anything'), { text: session }),
    plain('find, a customer', view('find.anything'), { text: email }),
    plain('events', view('events.log')),
    plain('events, middle', view('events.log'), { before: number }),
    plain('settlements', '/dashboard/v1/api/v1/settlements'),
    plain('payouts', '/dashboard/v1/api/v2/disbursements/single/transactions', { pageNo: '0', pageSize: '50' }),
    plain('refunds', '/dashboard/v1/api/v1/refunds'),
    plain('request log', view('requests.list')),
    plain('held money', view('suspense.list')),
    plain('a customer', `/dashboard/v1/api/v1/customers/${encodeURIComponent(email)}`),
  )
  return cases
}
