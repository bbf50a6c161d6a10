// A payer is erased: nothing of them is left in the database, and the books are what they were.
import { createHmac } from 'node:crypto'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { cellsText } from '../../apps/gateway/src/config.ts'
import { createSealing } from '../../apps/gateway/src/features/collections/transactions/blocks.ts'
import { send } from '../../apps/gateway/test/bank/notices.ts'
import { charges, chargeWith } from '../../apps/gateway/test/features/collections/cards.ts'
import { accepted, active, cancel as cancelMandate } from '../../apps/gateway/test/features/collections/direct-debit.ts'
import { after, cancel as cancelInvoice, invoice } from '../../apps/gateway/test/features/collections/invoices.ts'
import { reserve } from '../../apps/gateway/test/features/collections/reserved-accounts.ts'
import { deallocate, restrict } from '../../apps/gateway/test/features/collections/reserved-payments.ts'
import { refunded, shown } from '../../apps/gateway/test/features/payouts/refunds.ts'
import { night } from '../../apps/gateway/test/features/settlements/reconciliation.ts'
import { run as settle } from '../../apps/gateway/test/features/settlements/settlements.ts'
import { dump } from '../../apps/gateway/test/kit/data-at-rest.ts'
import {
  advance,
  type Harness,
  INIT,
  initBody,
  initialise,
  issueAccount,
  paid,
  status,
  type TestMerchant,
  unique,
  useHarness,
} from '../../apps/gateway/test/kit/harness.ts'
import { disputeNotice } from '../../packages/contract/src/bank/v2/disputes.ts'
import { run } from './erase.ts'

const harness = useHarness({ settles: true })

const command = async (...words: string[]): Promise<{ code: number; text: string }> => {
  const lines: string[] = []
  const env = { ENVIRONMENT: 'sandbox', CELLS: cellsText(harness().config.cells) }
  const code = await run(words, env, (text) => lines.push(text))
  return { code, text: lines.join('\n') }
}

const PERSON = {
  customerName: 'Ngoziwunmi Bellodele',
  customerEmail: 'Ngoziwunmi@Bellodele.example',
}
const PHONE = '08039998877'
const STREET = '77 Erewhon Close'
const BANK_NAME = 'NGOZIWUNMI A BELLODELE'
/** What must not be anywhere afterwards, in any case. */
const TRACES = ['ngoziwunmi', 'bellodele', PHONE, 'erewhon']
/** Where a person with every kind of row has left one. */
const EVERYWHERE = [
  ...['bank_orders', 'card_tokens', 'debits', 'delivery_attempts', 'events', 'inbound_credits', 'invoices', 'mails'],
  ...['mandates', 'refunds', 'requests', 'reserved_accounts', 'statement_lines', 'transactions'],
]
const OTHER = { customerName: 'Tariebi Okonkwo', customerEmail: 'tariebi@okonkwo.example' }

const asPayer = (over: Record<string, unknown> = {}) => ({
  ...PERSON,
  paymentDescription: 'Shoes for Ngoziwunmi',
  metaData: { phone: PHONE, to: STREET },
  redirectUrl: 'https://shop.example/thanks?for=ngoziwunmi',
  ...over,
})
const SENDER = { senderAccountName: BANK_NAME, senderAccountNumber: '0123456789', narration: 'From Ngoziwunmi' }

async function payment(h: Harness, merchant: TestMerchant, over: Record<string, unknown> = {}) {
  const made = await initialise(h, merchant, asPayer(over))
  const accountNumber = await issueAccount(h, merchant, made.transactionReference)
  expect((await h.pay(accountNumber, made.amount, SENDER)).json.status).toBe('ACCEPTED')
  await h.until(
    'it is paid',
    async () => (await status(h, merchant, made.transactionReference)).paymentStatus === 'PAID',
  )
  return { ...made, accountNumber }
}

/** The tables of a cell that hold a trace of the person; a partition counts as its table. */
async function tracesIn(url: string): Promise<string[]> {
  const found = new Set<string>()
  let table = ''
  for (const line of (await dump(url)).split('\n')) {
    if (/^public\.\w+$/.test(line)) table = line.slice(7).replace(/_(\d{6}|other)$/, '')
    else if (TRACES.some((trace) => line.toLowerCase().includes(trace))) found.add(table)
  }
  return [...found].sort()
}

const search = async (h: Harness, merchant: TestMerchant, query: string): Promise<number> => {
  const answer = await h.as(merchant, 'GET', `/api/v1/transactions/search?${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody.totalElements
}
async function sealAll(h: Harness): Promise<void> {
  const seal = createSealing(h.gateway.ctx, { rows: 3, frequent: 2 })
  while ((await seal('01')) > 0);
}
const sums = async (h: Harness): Promise<unknown> =>
  h.sql(
    '01',
    `select (select sum(abs(kobo))::text from entries) as moved, (select sum(kobo)::text from inbound_credits) as credits,
      (select count(*)::int from transactions) as transactions, (select sum(paid_kobo)::text from transactions) as paid,
      (select count(*)::int from events) as events, (select string_agg(hash, ',' order by number) from settlements) as settlements`,
  )

/** Every event is JSON of its form; those of the person say so, and are signed anew when they are sent
 *  again. */
async function eventsStillRead(h: Harness, reference: string): Promise<void> {
  const { main } = h.merchants
  const answer = await h.as(main, 'GET', '/api/v1/events?limit=500')
  const events = answer.json.responseBody.events as any[]
  expect(events.map(({ number }) => number)).toEqual(events.map((_, at) => at + 1))
  const settled = events.find(({ eventType }) => eventType === 'SETTLEMENT').body.eventData.transactions as any[]
  const names = new Set(settled.map(({ customer }) => customer.name))
  expect(names).toEqual(new Set(['erased', OTHER.customerName]))
  const own = events.find(({ object, eventType }) => object === reference && eventType === 'SUCCESSFUL_TRANSACTION')
  expect(own.body.eventData).toMatchObject({
    transactionReference: reference,
    amountPaid: 5_000,
    metaData: {},
    customer: { name: 'erased', email: 'erased@erased.invalid' },
    paymentSourceInformation: [{ accountName: 'erased', accountNumber: 'erased', amountPaid: 5_000 }],
  })
  h.received.length = 0
  expect((await h.as(main, 'POST', `/api/v1/events/${own.eventId}/resend`, {})).status).toBe(200)
  await advance(h, 1)
  await h.until('it is sent again', async () => h.received.length === 1)
  const [again] = h.received
  expect(again?.text).toBe(JSON.stringify(own.body))
  expect(again?.headers['service-signature']).toBe(
    createHmac('sha512', main.secretKey)
      .update(again?.text ?? '')
      .digest('hex'),
  )
}

beforeAll(async () => {
  const h = harness()
  await h.as(h.merchants.main, 'PUT', '/sandbox/webhook-urls', { all: h.receiverUrl() })
})

test('a person with every kind of row: counted, refused while something is open, erased; the books, totals and other people are as they were', async () => {
  const h = harness()
  const { main, other, second } = h.merchants
  const first = await payment(h, main, { amount: 5_000 })
  await payment(h, main, { customerEmail: 'ngoziwunmi@BELLODELE.EXAMPLE' })
  await payment(h, main)
  await h.pay(first.accountNumber, 70, SENDER) // not accepted, returned
  const neighbour = await paid(h, main, OTHER)
  await payment(h, second) // the same person as another merchant's customer
  const keyed = { ...initBody(main, asPayer()), amount: 700 }
  await h.as(main, 'POST', INIT, keyed, { 'Idempotency-Key': unique('key') })
  await chargeWith(h, main, 'plain', asPayer())
  const expiryDate = after(h, 10 * 86_400) // late in the evening the night below is that of the next day
  const bill = await invoice(h, main, { ...PERSON, description: 'For Ngoziwunmi', expiryDate })
  const account = await reserve(h, main, { ...PERSON, accountName: `Adire - ${PERSON.customerName}` })
  const numbers = account.accounts as { accountNumber: string; bankCode: string }[]
  await h.pay(numbers[0]?.accountNumber ?? '', 900, { ...SENDER, bankCode: numbers[0]?.bankCode })
  await restrict(h, main, account.accountReference, {
    restrictPaymentSource: true,
    allowedPaymentSources: { accountNames: [BANK_NAME] },
  })
  const permission = await active(h, main, {
    customerName: PERSON.customerName,
    customerEmailAddress: PERSON.customerEmail,
    customerPhoneNumber: PHONE,
    customerAddress: STREET,
    mandateDescription: 'Rent of Ngoziwunmi',
  })
  await accepted(h, permission, { narration: 'Ngoziwunmi, May' })
  await advance(h, 3_600) // debits are answered, what nobody pays expires
  await settle(h, main)
  await refunded(h, main, first.transactionReference, {
    refundReference: 'refund-of-first',
    refundReason: 'Ngoziwunmi sent it back',
    customerNote: 'To Ngoziwunmi',
  })
  await night(h) // the bank's statement is read
  await sealAll(h)

  const whose = ['--merchant', main.contractCode, '--email', 'NGOZIWUNMI@bellodele.example']
  const refused = await command(...whose, '--yes')
  expect(refused.code).toBe(1)
  expect(refused.text).toContain(`The mandate ${permission.mandateCode} is not over.`)
  expect(refused.text).toContain(`The reserved account ${account.accountReference} is not deallocated.`)
  expect(refused.text).toContain('can still be paid.') // the invoice
  await cancelInvoice(h, main, bill.invoiceReference)
  await deallocate(h, main, account.accountReference)
  await cancelMandate(h, permission)
  await advance(h, 60)
  await sealAll(h)

  // A receiver that sends back what it was sent.
  await h.sql(
    '01',
    `insert into delivery_attempts (event_id, endpoint_id, attempt, merchant_id, at, url, status, duration_ms, answer)
     select d.event_id, d.endpoint_id, 9, d.merchant_id, e.at, '', 200, 1, event_body(e.shape, e.body)
     from deliveries d join events e on e.id = d.event_id where e.object = $1 and d.state = 'DELIVERED'`,
    [first.transactionReference],
  )
  expect(await tracesIn(h.databases['01'])).toEqual(EVERYWHERE)

  const [before, totals] = [await sums(h), await search(h, main, '')]
  const found = await command(...whose)
  expect(found.code, found.text).toBe(0)
  for (const table of EVERYWHERE.filter((name) => name !== 'delivery_attempts'))
    expect(found.text).toMatch(new RegExp(`\\d {2}${table}$`, 'm'))
  expect(found.text).toContain('Nothing was erased.')
  expect(await sums(h)).toEqual(before)
  expect(await search(h, main, `customerEmail=${encodeURIComponent(PERSON.customerEmail)}`)).toBeGreaterThan(5)

  const done = await command(...whose, '--yes')
  expect(done.code, done.text).toBe(0)
  const counts = (text: string) => text.split('\n').filter((line) => /^ +\d+ /.test(line))
  expect(counts(done.text)).toEqual(counts(found.text))

  expect(await tracesIn(h.databases['01'])).toEqual([])
  expect((await tracesIn(h.databases['02'])).length).toBeGreaterThan(0)
  expect(await sums(h)).toEqual(before)
  expect(await search(h, main, `customerEmail=${encodeURIComponent(PERSON.customerEmail)}`)).toBe(0)
  expect(await search(h, main, `customerName=${encodeURIComponent(PERSON.customerName)}`)).toBe(0)
  expect(await search(h, main, '')).toBe(totals)
  await sealAll(h)
  expect(await search(h, main, '')).toBe(totals)
  expect(await status(h, main, first.transactionReference)).toMatchObject({
    paymentStatus: 'PAID',
    amountPaid: '5000.00',
    paymentDescription: 'erased',
    customer: { name: 'erased', email: 'erased@erased.invalid' },
    metaData: {},
    accountDetails: { accountName: 'erased', accountNumber: '******6789' },
  })
  expect(await status(h, main, neighbour.transactionReference)).toMatchObject({
    customer: { name: OTHER.customerName, email: OTHER.customerEmail },
  })
  await eventsStillRead(h, first.transactionReference)
  expect((await shown(h, main, 'refund-of-first')).destinationAccountName).toBe('erased')
  expect((await h.sql('01', 'select merchant_id, at from erasures')).length).toBe(1)
  const again = await command(...whose)
  expect(again.text).toMatch(/^ {2}nothing$/m)
  expect(again.text).toMatch(/Data of this person was erased at \d{4}-/)
  expect((await command('--merchant', other.apiKey, ...whose.slice(2))).text).not.toContain('was erased at')
})

test('one payment alone is erased by its reference: others with the same address stay', async () => {
  const h = harness()
  const { main } = h.merchants
  const shared = { customerEmail: 'walk-in@shop.example' }
  const gone = await payment(h, main, shared)
  const stays = await paid(h, main, { ...shared, customerName: 'Tariebi Okonkwo' })
  const whose = ['--merchant', main.apiKey, '--transaction', gone.transactionReference]
  expect((await command(...whose, '--yes')).code).toBe(0)
  expect(await tracesIn(h.databases['01'])).toEqual([])
  expect((await status(h, main, gone.transactionReference)).customer.email).toBe('erased@erased.invalid')
  expect((await status(h, main, stays.transactionReference)).customer).toEqual({
    name: 'Tariebi Okonkwo',
    email: 'walk-in@shop.example',
  })
  expect((await command(...whose)).text).toMatch(/^ {2}nothing$/m)
  expect((await command('--merchant', main.apiKey, '--transaction', 'CWRY|01|nothing', '--yes')).code).toBe(1)
})

test('an open payment and an unknown merchant are refused in plain words; wrong use exits with 2', async () => {
  const h = harness()
  const { main } = h.merchants
  const open = await initialise(h, main, { ...OTHER, customerEmail: 'open@okonkwo.example' })
  const whose = ['--merchant', main.contractCode, '--email', 'open@okonkwo.example']
  const refused = await command(...whose, '--yes')
  expect(refused).toEqual({
    code: 1,
    text: `Refused:\n  The payment ${open.transactionReference} can still be paid.`,
  })
  expect((await command(...whose)).text).toContain('Erasing would be refused: The payment')
  expect((await status(h, main, open.transactionReference)).customer.name).toBe(OTHER.customerName)
  expect(await command('--merchant', 'nobody', '--email', 'a@b.example')).toEqual({
    code: 1,
    text: 'No merchant has the contract code or API key nobody.',
  })
  for (const words of [
    [],
    ['--merchant', 'x'],
    ['--email', 'a@b.example'],
    ['--merchant', 'x', '--email', 'nobody'],
    ['--all'],
  ])
    expect((await command(...words)).code, words.join(' ')).toBe(2)
  expect((await command('--merchant', 'x', '--email', 'a@b.example', '--transaction', 'y')).code).toBe(2)
  expect((await command('--help')).code).toBe(0)
})

test('the app cannot erase, and the engine can erase and not forge', async () => {
  const h = harness()
  await payment(h, h.merchants.main)
  const [event] = await h.sql(
    '01',
    'select id, shape, body from events where shape is not null order by id desc limit 1',
  )
  const as = async (role: string, text: string, values: unknown[] = []): Promise<string> => {
    const client = new pg.Client({ connectionString: h.databases['01'] })
    await client.connect()
    try {
      await client.query('begin')
      await client.query(`set local role ${role}`)
      await client.query(`set local cowrie.merchant = '${h.merchants.main.id}'`)
      return String((await client.query(text, values)).rowCount)
    } catch (error) {
      return (error as { code: string }).code
    } finally {
      await client.end() // nothing is committed
    }
  }
  const DENIED = '42501'
  const FORGED = '23001'
  const body = 'update events set body = $2 where id = $1'
  const values = String(event.body).split('\x1d')
  const withFirst = (value: string): string => [value, ...values.slice(1)].join('\x1d')
  for (const text of [
    `update inbound_credits set sender_name = 'erased'`,
    `update statement_lines set sender_name = 'erased'`,
    'update delivery_attempts set answer = null',
    'delete from card_tokens',
    'insert into erasures select 1, acting_merchant(), null, null, null',
  ])
    expect(await as('cowrie_app', text), text).toBe(DENIED)
  expect(await as('cowrie_app', body, [event.id, event.body])).toBe(DENIED)

  expect(await as('cowrie_engine', body, [event.id, withFirst('erased')])).toBe('1')
  expect(await as('cowrie_engine', body, [event.id, withFirst('Somebody Else')])).toBe(FORGED)
  expect(await as('cowrie_engine', body, [event.id, `${event.body}\x1dmore`])).toBe(FORGED)
  expect(await as('cowrie_engine', body, [event.id, ''])).toBe(FORGED)
  expect(await as('cowrie_engine', 'update events set shape = null where id = $1', [event.id])).toBe(FORGED)
  for (const [text, outcome] of [
    [`update inbound_credits set sender_name = 'Somebody Else'`, FORGED],
    [`update inbound_credits set kobo = 1`, DENIED],
    [`update delivery_attempts set answer = 'yes'`, FORGED],
    [`update delivery_attempts set status = 200`, DENIED],
    [`update events set object_id = 1`, DENIED],
    [`update erasures set counts = '{}'`, DENIED],
    ['delete from erasures', DENIED],
  ] as const)
    expect(await as('cowrie_engine', text), text).toBe(outcome)
})

test('a payer whose card is disputed is erased when that is over, and the name does not come back with the next notice', async () => {
  const h = harness()
  const { main } = h.merchants
  const before = await tracesIn(h.databases['01']) // of payers of other tests, who are not erased
  const charged = await chargeWith(h, main, 'plain', asPayer())
  const [{ reference: chargeReference }] = await charges(h, main, charged.transactionReference)
  const [first, second] = [unique('DSP'), unique('DSP')]
  const tell = async (disputeReference: string, state: string, at: string) => {
    const said = { chargeReference, disputeReference, amount: 1500, state, reason: 'Ngoziwunmi Bellodele says so', at }
    expect((await send(h, disputeNotice.path, said)).status).toBe(200)
  }
  await tell(first, 'OPENED', '2026-11-18T10:00:00.000Z')
  const whose = ['--merchant', main.apiKey, '--transaction', charged.transactionReference]
  const refused = await command(...whose, '--yes')
  expect(refused.code).toBe(1)
  expect(refused.text).toContain(`The card dispute ${first} is not over.`)
  await tell(first, 'LOST', '2026-11-19T10:00:00.000Z')
  const done = await command(...whose, '--yes')
  expect(done.code, done.text).toBe(0)
  await tell(first, 'WON', '2026-11-20T10:00:00.000Z')
  await tell(second, 'OPENED', '2026-11-20T10:00:00.000Z')
  expect(
    await h.sql('01', 'select state, reason from card_disputes where reference = any($1) order by state', [
      [first, second],
    ]),
  ).toEqual([
    { state: 'OPENED', reason: 'erased' },
    { state: 'WON', reason: 'erased' },
  ])
  expect(await tracesIn(h.databases['01'])).toEqual(before)
})
