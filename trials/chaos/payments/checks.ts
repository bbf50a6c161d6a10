// What must hold after the storm: what was acknowledged is compared with the databases, the books with
// themselves, the bank's memory with ours, and what merchants received with what happened.
import { checkBooks } from '../../../apps/gateway/test/kit/books.ts'
import { nairaText } from '../../../packages/contract/src/kit/money.ts'
import { withClient } from '../kit/database.ts'
import type { ChaosMerchant } from '../kit/world.ts'
import type { Acknowledged } from './load.ts'
import type { Receiver } from './receiver.ts'

export type Evidence = {
  readonly cells: readonly { readonly cell: string; readonly url: string }[]
  readonly simulatorUrl: string
  readonly merchants: readonly ChaosMerchant[]
  readonly acknowledged: ReadonlyMap<string, Acknowledged>
  readonly receiver: Receiver
}

export type Findings = {
  /** Each kind of violation with its examples. */
  readonly violations: ReadonlyMap<string, readonly string[]>
  readonly events: number
  readonly delivered: number
}

type Transaction = {
  id: string
  api_key: string
  payment_reference: string
  reference: string
  status: string
  kobo: string
  paid_kobo: string
}
type Credit = { bank_reference: string; transaction_id: string; outcome: string; kobo: string }
type Event = { object: string; api_key: string; type: string; state: string | null }
type Report = (kind: string, example: string) => void

const OUTSTANDING = `select (select count(*) from outbox) + (select count(*) from deliveries where state = 'PENDING') as count`
const UNTAKEN = `select count(*) from notices where taken_at is null`

/** How much is still on its way: events without number, deliveries without answer, notices of the bank not
 *  yet taken. */
export async function outstanding({ cells, simulatorUrl }: Pick<Evidence, 'cells' | 'simulatorUrl'>): Promise<number> {
  const ask = (url: string, text: string) =>
    withClient(url, async (client) => Number((await client.query<{ count: string }>(text)).rows[0]?.count))
  const counts = await Promise.all([ask(simulatorUrl, UNTAKEN), ...cells.map(({ url }) => ask(url, OUTSTANDING))])
  return counts.reduce((sum, count) => sum + count, 0)
}

const TRANSACTIONS = `select t.id, m.api_key, t.payment_reference, t.reference, t.status, t.kobo, t.paid_kobo
  from transactions t left join merchants m on m.id = t.merchant_id`
const CREDITS = `select bank_reference, transaction_id, outcome, kobo from inbound_credits`
const EVENTS = `select e.object, m.api_key, e.type, d.state from events e left join merchants m on m.id = e.merchant_id
  left join deliveries d on d.event_id = e.id`

async function readCell(url: string) {
  return withClient(url, async (client) => {
    await client.query('begin isolation level repeatable read read only') // all four as of one instant
    return {
      transactions: (await client.query<Transaction>(TRANSACTIONS)).rows,
      credits: (await client.query<Credit>(CREDITS)).rows,
      events: (await client.query<Event>(EVENTS)).rows,
      merchants: (await client.query<{ api_key: string }>('select api_key from merchants')).rows,
    }
  })
}
type CellRows = Awaited<ReturnType<typeof readCell>>

/** Every acknowledged payment is there once, under the reference it was acknowledged with, and PAID if that
 *  was reported. */
function checkAcknowledged(cell: string, rows: CellRows, acknowledged: Iterable<Acknowledged>, report: Report): void {
  const byPayment = Map.groupBy(rows.transactions, (row) => `${row.api_key} ${row.payment_reference}`)
  for (const [key, found] of byPayment)
    if (found.length > 1) report('a payment reference exists twice', `cell ${cell}: ${key}`)
  for (const { payment, merchant, transactionReference, paid } of acknowledged) {
    if (merchant.cell !== cell) continue
    const found = byPayment.get(`${merchant.apiKey} ${payment.paymentReference}`) ?? []
    const what = `${payment.paymentReference} (${transactionReference})`
    const [row] = found
    if (!row) report('an acknowledged payment is lost', what)
    else if (row.reference !== transactionReference)
      report('an acknowledged payment has a different reference', `${what} is ${row.reference}`)
    else if (nairaText(BigInt(row.kobo)) !== payment.amount)
      report('an acknowledged payment has a different amount', `${what}: ${row.kobo} kobo`)
    else if (paid && (row.status !== 'PAID' || nairaText(BigInt(row.paid_kobo)) !== payment.amount))
      report('a payment reported as PAID is not PAID', `${what}: ${row.status} with ${row.paid_kobo} kobo`)
  }
}

/** Each PAID has one counted credit, nothing is in suspense, and the bank remembers the very same
 *  transfers. */
function checkCredits(all: readonly CellRows[], bank: ReadonlyMap<string, string>, report: Report): void {
  const counted = all.flatMap(({ credits }) => credits.filter(({ outcome }) => outcome === 'COUNTED'))
  const paid = all.flatMap(({ transactions }) => transactions.filter(({ status }) => status === 'PAID'))
  if (counted.length !== paid.length)
    report('counted credits and PAID payments differ', `${counted.length} credits, ${paid.length} PAID`)
  const credits = new Map(all.flatMap((rows) => rows.credits.map((credit) => [credit.bank_reference, credit] as const)))
  for (const credit of credits.values()) {
    if (credit.outcome !== 'COUNTED') report('a credit was not counted', `${credit.bank_reference} ${credit.outcome}`)
    if (!bank.has(credit.bank_reference)) report('a credit is unknown to the bank', credit.bank_reference)
  }
  for (const [session, kobo] of bank)
    if (credits.get(session)?.kobo !== kobo) report('a bank transfer was not counted with its amount', session)
}

/** Every event reached its merchant, and nobody got what is not theirs. Answers with the number of events. */
function checkEvents(all: readonly CellRows[], { merchants, receiver }: Evidence, report: Report): number {
  const events = all.flatMap((rows) => rows.events)
  const pathOf = new Map(merchants.map(({ apiKey, path }) => [apiKey, path]))
  const expected = new Map(events.map(({ object, api_key }) => [object, pathOf.get(api_key)]))
  for (const { object, api_key, type, state } of events) {
    if (type !== 'SUCCESSFUL_TRANSACTION') report('an event of an unexpected type', `${type} ${object}`)
    if (state !== 'DELIVERED') report('an event is not delivered', `${object}: ${state ?? 'no delivery'}`)
    if (!receiver.taken.get(pathOf.get(api_key) ?? '')?.has(object)) report('an event was not received', object)
  }
  for (const [path, references] of receiver.taken)
    for (const reference of references.keys())
      if (expected.get(reference) !== path) report('a notification went to the wrong merchant', `${path}: ${reference}`)
  for (const fault of receiver.faults) report('a notification was invalid', fault)
  const paid = all.flatMap(({ transactions }) => transactions.filter(({ status }) => status === 'PAID'))
  const announced = new Set(events.map(({ object }) => object))
  for (const { reference } of paid) if (!announced.has(reference)) report('a PAID payment has no event', reference)
  if (events.length !== paid.length)
    report('events and PAID payments differ', `${events.length} events, ${paid.length} PAID`)
  return events.length
}

/** Whatever lies in a cell belongs to a merchant of that cell. Ids say nothing here: each cell counts its
 *  own. */
function checkHome(cell: string, rows: CellRows, merchants: readonly ChaosMerchant[], report: Report): void {
  const own = new Set(merchants.filter((merchant) => merchant.cell === cell).map(({ apiKey }) => apiKey))
  const foreign = (what: string, apiKey: string, name: string) => {
    if (!own.has(apiKey)) report(`a ${what} is in the wrong cell`, `cell ${cell}: ${name}`)
  }
  for (const { api_key } of rows.merchants) foreign('merchant', api_key, api_key)
  for (const { object, api_key } of rows.events) {
    foreign('event', api_key, object)
    if (object.split('|')[1] !== cell) report('an event is in the wrong cell', `cell ${cell}: ${object}`)
  }
  for (const { reference, payment_reference, api_key } of rows.transactions) {
    foreign('transaction', api_key, reference)
    if (reference.split('|')[1] !== cell || !payment_reference.startsWith(`cell${cell}-`))
      report('a transaction is in the wrong cell', `cell ${cell}: ${reference} ${payment_reference}`)
  }
}

export async function check(evidence: Evidence): Promise<Findings> {
  const violations = new Map<string, string[]>()
  const report: Report = (kind, example) => {
    const examples = violations.get(kind) ?? []
    examples.push(example)
    violations.set(kind, examples)
  }
  const all: CellRows[] = []
  for (const { cell, url } of evidence.cells) {
    // The checks look postings up by their object, which the gateway never does: without this they take
    // minutes.
    await withClient(url, (client) =>
      client.query('create index if not exists chaos_object on transfers (object_id); analyze'),
    )
    for (const { invariant, rows, example } of await checkBooks(url))
      report(`books: ${invariant}`, `cell ${cell}: ${rows} rows, for example ${example}`)
    const rows = await readCell(url)
    all.push(rows)
    checkAcknowledged(cell, rows, evidence.acknowledged.values(), report)
    checkHome(cell, rows, evidence.merchants, report)
  }
  const bank = await withClient(evidence.simulatorUrl, (client) =>
    client.query<{ session_id: string; kobo: string }>('select session_id, kobo from transfers'),
  )
  checkCredits(all, new Map(bank.rows.map(({ session_id, kobo }) => [session_id, kobo])), report)
  const left = await outstanding(evidence)
  if (left > 0) report('the queues did not drain', `${left} events, deliveries or notices still pending`)
  const events = checkEvents(all, evidence, report)
  const delivered = [...evidence.receiver.taken.values()].flatMap((counts) => [...counts.values()])
  return { violations, events, delivered: delivered.reduce((sum, count) => sum + count, 0) }
}
