// Exports over HTTP: the same rows and sums as the search and the settlement, nothing that a spreadsheet
// runs, no personal byte for who may not see it, and a file that breaks off never looks whole.
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellById, engineTx, readAs } from '#core/cells/cells.ts'
import { FROM_THE_NEWEST } from '#features/collections/transactions/search.ts'
import { run as settle } from '#test/features/settlements/settlements.ts'
import { advance, type Harness, initialise, paid, type TestMerchant, useHarness } from '#test/kit/harness.ts'
import { rest } from '#test/kit/waiting.ts'
import { personIn, sessionHeader } from '#test/people/sessions.ts'
import { textCell } from './csv.ts'
import * as sql from './exports.sql.ts'
import { rowLine } from './exports.ts'
import { linesAfter, rowsAfter } from './lines.sql.ts'
import { forgetExports } from './queue.ts'

const harness = useHarness({ settles: true })
const PATH = '/dashboard/v1/exports/payments.csv'

async function fileOf(h: Harness, role: string, query: Record<string, string>, merchant = h.merchants.main) {
  const person = await personIn(h, 'merchant', role, { merchant })
  const url = `${h.apiUrl}${PATH}?${new URLSearchParams(query).toString()}`
  const answer = await fetch(url, { headers: sessionHeader(person) })
  const bytes = Buffer.from(await answer.arrayBuffer()).toString('utf8')
  return { status: answer.status, headers: answer.headers, lines: bytes.trimEnd().split('\r\n'), text: bytes }
}

test('the last line sums what the settlement paid; a filter, a formula, both times and the days are in the file', async () => {
  const h = harness()
  const { main } = h.merchants
  const names = ['=HYPERLINK("http://evil.example")', '@cmd', 'Ṣọlá "Sola" Ọdẹ́yẹmí']
  for (const [at, customerName] of names.entries())
    await paid(h, main, { amount: 1500 + at, customerName, customerEmail: `payer${at}@example.com` })
  await initialise(h, main, { amount: 900 })
  const [made] = await settle(h, main)
  const { text, lines, headers, status } = await fileOf(h, 'finance', { from: '2020-01-01', paymentStatus: 'PAID' })
  expect(status).toBe(200)
  expect(headers.get('content-disposition')).toMatch(
    /^attachment; filename="payments-2020-01-01-to-\d{4}-\d\d-\d\d\.csv"$/,
  )
  expect(text.startsWith('\ufeffat_wat,at_utc,')).toBe(true)
  expect(lines).toHaveLength(5) // head, three, end
  const [, fees, net] = /sum=4503\.00, fees=([\d.]+), net=([\d.]+)$/.exec(lines.at(-1) ?? '') ?? []
  expect(lines.at(-1)).toMatch(/^# end, rows=3, sum=4503\.00, /)
  expect(net).toBe(made?.amount)
  expect(Number(fees) + Number(net)).toBeCloseTo(4503)
  expect(lines[3]).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
  expect(lines[2]).toContain(",'@cmd,")
  expect(lines[1]).toContain('"Ṣọlá ""Sola"" Ọdẹ́yẹmí"')
  const [wat = '', utc = ''] = (lines[1] ?? '').split(',')
  expect(wat).toMatch(/T\d\d:\d\d:\d\d\+01:00$/)
  expect(Date.parse(wat)).toBe(Date.parse(utc))
  const all = await h.as(main, 'GET', '/api/v1/transactions/search')
  const whole = await fileOf(h, 'finance', {})
  expect(whole.lines.at(-1)).toMatch(new RegExp(`^# end, rows=${all.json.responseBody.totalElements}, `))
  expect((await fileOf(h, 'finance', { customerEmail: 'payer1@example.com' })).lines).toHaveLength(3)
  expect((await fileOf(h, 'finance', { amount: '900' })).lines.at(-1)).toMatch(/rows=1, sum=0\.00/)
})

test('support gets no personal byte; another merchant gets none of these rows; wrong filters and nobody are refused', async () => {
  const h = harness()
  await paid(h, h.merchants.main, { customerName: 'Ngozi Uncommon', customerEmail: 'uncommon@example.com' })
  const masked = await fileOf(h, 'support', {})
  expect(masked.status).toBe(200)
  expect(masked.text).not.toMatch(/Uncommon|uncommon|Ngozi/)
  expect(masked.text).toContain('N. U.,u…@example.com')
  expect((await fileOf(h, 'finance', {})).text).toContain('Ngozi Uncommon,uncommon@example.com')
  expect((await fileOf(h, 'owner', {}, h.merchants.other)).lines.at(-1)).toBe(
    '# end, rows=0, sum=0.00, fees=0.00, net=0.00',
  )
  expect((await fileOf(h, 'owner', { amount: 'much' })).status).toBe(400)
  expect((await fetch(h.apiUrl + PATH)).status).toBe(401)
})

test('403 PROOF_NEEDED for who has not shown lately who they are: everybody’s data is taken home with a fresh proof only', async () => {
  const h = harness()
  const provedAt = new Date(h.gateway.ctx.clock.now().getTime() - 6 * 60_000)
  const person = await personIn(h, 'merchant', 'owner', { merchant: h.merchants.main, provedAt })
  const headers = { ...sessionHeader(person), 'content-type': 'application/json' }
  const code = async (path: string, body?: object) => {
    const method = body ? 'POST' : 'GET'
    const answer = await fetch(h.apiUrl + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    return `${answer.status} ${((await answer.json()) as any).problem.code}`
  }
  expect(await code(PATH)).toBe('403 PROOF_NEEDED')
  expect(await code('/dashboard/v1/exports/1/payments.csv')).toBe('403 PROOF_NEEDED')
  expect(await code('/dashboard/v1/acts/exports.request', { input: {} })).toBe('403 STEP_UP_REQUIRED')
})

/** What one of a merchant's people asks for, and what there is. */
async function people(h: Harness, role: string, merchant = h.merchants.main) {
  const headers = sessionHeader(await personIn(h, 'merchant', role, { merchant }))
  const json = async (path: string, body?: object) => {
    const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const type = { 'content-type': 'application/json' }
    return (
      await fetch(`${h.apiUrl}/dashboard/v1/${path}`, { ...sent, headers: { ...headers, ...type } })
    ).json() as any
  }
  const bytes = async (reference: string, encoding = 'gzip') => {
    const url = `${h.apiUrl}/dashboard/v1/exports/${reference}/payments.csv`
    const answer = await fetch(url, { headers: { ...headers, 'accept-encoding': encoding } })
    return {
      status: answer.status,
      encoding: answer.headers.get('content-encoding'),
      text: Buffer.from(await answer.arrayBuffer()).toString(),
    }
  }
  return {
    ask: async (input: object) => (await json('acts/exports.request', { input })).responseBody.reply,
    list: async () => (await json('views/exports.list')).responseBody.content,
    bytes,
  }
}

test('a file that is asked for is written by a worker: the bytes of the direct export, mailed, in the trail, for a week, for who may', async () => {
  const h = harness()
  const { main, other } = h.merchants
  for (const amount of [700, 800])
    await paid(h, main, { amount, customerName: '=Queue Person', customerEmail: 'queue@example.com' })
  const filter = { customerEmail: 'queue@example.com', from: '2020-01-01' }
  const finance = await people(h, 'finance')
  const asked = await finance.ask(filter)
  expect(asked).toMatchObject({
    state: 'WAITING',
    rows: 2,
    rowsWritten: 0,
    filter: { customerEmail: 'queue@example.com' },
  })
  expect(JSON.parse((await finance.bytes(asked.reference)).text).problem.code).toBe('EXPORT_NOT_READY')
  const later = await initialise(h, main, { customerEmail: 'queue@example.com' }) // after the bound: not in it
  const support = await people(h, 'support')
  const hers = await support.ask(filter)
  await advance(h, 10) // one of a merchant's files after the other
  expect((await finance.list()).map(({ state, rows }: any) => [state, rows])).toEqual([
    ['READY', 3],
    ['READY', 2],
  ])
  const taken = await finance.bytes(asked.reference)
  expect([taken.status, taken.encoding]).toEqual([200, 'gzip'])
  expect((await finance.bytes(asked.reference, 'identity')).text).toBe(taken.text)
  const direct = (await fileOf(h, 'finance', { ...filter, paymentStatus: 'PAID' })).text
  expect(taken.text).toBe(direct)
  expect(taken.text).toContain("'=Queue Person")
  expect(taken.text).not.toContain(later.transactionReference)
  // Masked for the role that asked; and that role is not given what was written for another.
  expect((await support.bytes(hers.reference)).text).toMatch(/q…@example\.com[\s\S]*# end, rows=3, /)
  expect((await support.list())[1].filter).toEqual({ customerEmail: 'q…@example.com' })
  const refused = await support.bytes(asked.reference)
  expect([refused.status, JSON.parse(refused.text).problem.code]).toEqual([403, 'PERMISSION_DENIED'])
  const elsewhere = await people(h, 'owner', other)
  const [theirs, unknown] = [await elsewhere.bytes(asked.reference), await elsewhere.bytes('1')]
  expect([theirs.status, unknown.status, await elsewhere.list()]).toEqual([404, 404, []])
  const trail = "select what, after from trail where merchant_id = $1 and what like 'exports.%' order by number"
  const lines = await h.sql('01', trail, [main.id])
  expect(lines.map(({ what }: any) => what).slice(-6)).toEqual([
    ...['exports.request', 'exports.request', 'exports.take', 'exports.take', 'exports.payments', 'exports.take'],
  ])
  expect(JSON.stringify(lines)).not.toContain('queue@')
  const mails = await h.sql('01', "select recipient, subject from mails where subject like 'Your export is ready%'")
  expect(mails).toContainEqual({ recipient: asked.createdBy, subject: `Your export is ready: ${asked.title}` })
  expect(mails).toHaveLength(2)
  await h.sql('01', `update exports set expires_at = timestamptz '2020-01-01' where id = $1`, [asked.reference])
  expect((await finance.bytes(asked.reference)).status).toBe(404)
  await forgetExports(h.gateway.ctx, '01')
  expect(await h.sql('01', 'select distinct export_id::text as id from export_pieces')).toEqual([
    { id: hers.reference },
  ])
})

test('a worker that died in the middle: its lease ends, another begins again, and nothing of the first is in the file or added to it', async () => {
  const h = harness()
  const { ctx } = h.gateway
  const { main } = h.merchants
  await paid(h, main, { amount: 4321, customerName: 'Crash Person' })
  const finance = await people(h, 'finance')
  const { reference } = await finance.ask({ customerName: 'Crash Person' })
  // As it was when the first worker died: claimed, some bytes kept, and its timer leased to it.
  const until = new Date(ctx.clock.now().getTime() + 60_000)
  const first = await engineTx(ctx, '01', (t) => sql.claim(t, main.id, BigInt(reference), until))
  const piece = { number: 1, rows: 1, bytes: Buffer.from('half a file'), until }
  const keep = () => engineTx(ctx, '01', (t) => sql.keep(t, first as sql.ExportRow, piece))
  expect(await keep()).toBe(true)
  await advance(h, 30)
  expect((await finance.list())[0]).toMatchObject({ reference, state: 'WRITING', rowsWritten: 1 })
  await advance(h, 60)
  expect((await finance.list())[0]).toMatchObject({ reference, state: 'READY', rowsWritten: 1 })
  expect((await finance.bytes(reference)).text).toMatch(/^\ufeff?at_wat,[\s\S]*# end, rows=1, sum=4321\.00, /)
  expect(await keep()).toBe(false) // it was not dead: it keeps nothing any more
  const attempts = await h.sql('01', 'select distinct attempt from export_pieces where export_id = $1', [reference])
  expect(attempts).toEqual([{ attempt: 2 }])
})

test('what cannot be written is given up after some attempts, and whoever asked is mailed', async () => {
  const h = harness()
  const finance = await people(h, 'finance')
  const { reference, createdBy } = await finance.ask({})
  await h.sql('01', `update exports set query = '{"amount":"much"}' where id = $1`, [reference]) // no search takes it
  await advance(h, 300)
  expect((await finance.list())[0]).toMatchObject({ reference, state: 'FAILED' })
  const mails = await h.sql('01', `select subject from mails where recipient = $1`, [createdBy])
  expect(mails).toEqual([{ subject: expect.stringContaining('could not be written') }])
  expect(await h.sql('01', `select from agenda where kind = 'exports.write'`)).toEqual([])
  await h.sql('01', `delete from exports where id = $1`, [reference])
})

test('every text that a spreadsheet would run is guarded, and nothing else', () => {
  const cells = ['=1', '+1', '-1', '@a', '\tx', 'plain', 'a=b', 'a,b', 'say "x"']
  expect(cells.map(textCell)).toEqual(["'=1", "'+1", "'-1", "'@a", "'\tx", 'plain', 'a=b', '"a,b"', '"say ""x"""'])
})

/** Rows put there by hand, in a cell of their own; they are taken out again. */
async function plant(h: Harness, { id }: TestMerchant, rows: number): Promise<void> {
  await h.sql(
    '02',
    `insert into transactions (id, merchant_id, reference, payment_reference, contract_code, kobo, customer_name, customer_email,
       description, methods, meta_data, status, paid_kobo, created_at, expires_at, closed_at, email_key, name_key)
     select $2::bigint + n, $1, 'R' || n, 'P' || n, '02', n, 'n', 'e', repeat('Six yards of ankara. ', 30), 'C', '{}', 'PAID', n, at, at, at, 1, 1
     from generate_series(1, $3::int) as n cross join lateral (select timestamptz '2026-10-01 00:00Z' + n * interval '1 second' as at) x`,
    [id, 202_611_910_000_000_000n, rows],
  )
}

/** What is still held once all that nobody needs is gone. The size of the process says little: it keeps what
 *  was collected. */
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const heldBytes = (): number => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('the lines that the database writes are those that we write, whatever stands in them', async () => {
  const h = harness()
  const { second } = h.merchants
  const texts = [
    'plain',
    '',
    '=1',
    '+1',
    '-1',
    '@a',
    '\tx',
    '\rx',
    'a,b',
    '"',
    '""',
    "'",
    'a\nb',
    '\n',
    'ṣ,"₦"\r\n=',
    '\\',
    '\\n',
    '\u0001=1',
  ]
  const mixed = fc.record({
    ...{ reference: fc.constantFrom(...texts), payment: fc.constantFrom(...texts), name: fc.constantFrom(...texts) },
    ...{ email: fc.constantFrom(...texts), words: fc.string(), kobo: fc.bigInt(1n, 10n ** 15n) },
    ...{ paid: fc.oneof(fc.constant(0n), fc.bigInt(0n, 10n ** 15n)), method: fc.constantFrom(null, 'CARD') },
    ...{ at: fc.integer({ min: 1.7e12, max: 1.9e12 }), closed: fc.option(fc.integer({ min: 1.7e12, max: 1.9e12 })) },
  })
  const rows = fc.sample(mixed, { numRuns: 300, seed: 42 })
  const first = 202_611_910_000_000_000n
  await h.sql(
    '02',
    `insert into transactions (id, merchant_id, reference, payment_reference, contract_code, kobo, customer_name, customer_email,
       description, methods, meta_data, status, paid_kobo, fee_kobo, payment_method, created_at, expires_at, closed_at, email_key, name_key)
     select $2::bigint + n, $1, n || reference, payment || n, '02', kobo, name, email, words, 'C', '{}',
       case when paid = 0 then 'EXPIRED' when paid > kobo then 'OVERPAID' when paid < kobo then 'PARTIALLY_PAID' else 'PAID' end, paid, paid / 7, method,
       to_timestamp(at / 1000.0), now(), to_timestamp(closed / 1000.0), 1, 1
     from jsonb_to_recordset($3::jsonb) as x(n int, reference text, payment text, kobo bigint, name text, email text, words text, paid bigint,
       method text, at bigint, closed bigint)`,
    [
      second.id,
      first,
      JSON.stringify(
        rows.map((row, n) => ({
          ...{ ...row, n, words: row.words.replaceAll('\0', '') },
          ...{ kobo: String(row.kobo), paid: String(row.paid) },
        })),
      ),
    ],
  )
  try {
    for (const filter of [{}, { leastKobo: 10n ** 14n }])
      await readAs(h.gateway.ctx, '02', second.id, async (read) => {
        const ours = (await rowsAfter(read, second.id, filter, FROM_THE_NEWEST, 1_000)).filter(({ fits }) => fits)
        const theirs = await linesAfter(read, second.id, filter, FROM_THE_NEWEST, 1_000)
        expect(ours.length).toBeGreaterThan(100)
        expect(theirs?.texts.join('')).toBe(ours.map((row) => rowLine(row)).join(''))
        expect([theirs?.rows, theirs?.paid_kobo]).toEqual([
          ours.length,
          ours.reduce((sum, row) => sum + row.paid_kobo, 0n),
        ])
      })
  } finally {
    await h.sql('02', 'delete from transactions where merchant_id = $1 and id between $2 and $3', [
      second.id,
      first,
      first + 1_000n,
    ])
  }
})

/** Wide ones, so that no connection holds all of them. */
const ROWS = 40_000
test('many rows: a reader who stops is waited for with little in memory; what breaks off has no last line; what does not has it', async () => {
  const h = harness()
  const { second } = h.merchants
  await plant(h, second, ROWS)
  try {
    const person = await personIn(h, 'merchant', 'owner', { merchant: second })
    const statements = () => cellById(h.gateway.ctx, '02').statements()
    const before = statements()
    const asked = get(h.apiUrl + PATH, { headers: sessionHeader(person) })
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.pause()
    await rest('the export waits for its reader', statements, 300)
    // The count and the trail are five; then steps of 5,000 rows: a reader who takes nothing has at most what
    // the connection holds.
    expect(statements() - before).toBeLessThan(5 + ROWS / 5_000)
    // Two of one merchant, and no third; another merchant's are not held up.
    const other = get(h.apiUrl + PATH, { headers: sessionHeader(person) })
    other.on('error', () => undefined) // it is destroyed here
    const [stalled] = (await once(other, 'response')) as [IncomingMessage]
    stalled.pause()
    const third = await fetch(h.apiUrl + PATH, { headers: sessionHeader(person) })
    expect([third.status, ((await third.json()) as any).problem.code]).toEqual([429, 'EXPORTS_FULL'])
    expect((await fileOf(h, 'owner', {}, h.merchants.other)).status).toBe(200)
    other.destroy()
    const pieces: Buffer[] = []
    answer.on('data', (piece: Buffer) => {
      pieces.push(piece)
      if (pieces.length === 20) asked.destroy()
    })
    answer.on('error', () => undefined) // it is destroyed here
    answer.resume()
    await once(asked, 'close')
    expect(Buffer.concat(pieces).toString('utf8')).not.toContain('# end')
    await h.until('its connection is free again', async () => {
      const open = `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`
      return (await h.sql('02', open)).length === 0
    })
    let [bytes, tail] = [0, '']
    const peaks: [number, number] = [0, 0]
    const half = (ROWS * 750) / 2
    let look = 0
    let whole = new Response()
    await h.until('there is room for one again', async () => {
      whole = await fetch(h.apiUrl + PATH, { headers: sessionHeader(person) })
      return whole.status === 200
    })
    for await (const piece of whole.body ?? []) {
      bytes += piece.length
      tail = (tail + Buffer.from(piece).toString('utf8')).slice(-200)
      if (bytes < look) continue
      look += half / 10
      const at = bytes < half ? 0 : 1
      peaks[at] = Math.max(peaks[at], heldBytes())
    }
    expect(bytes).toBeGreaterThan(half * 1.5)
    expect(peaks[1] - peaks[0]).toBeLessThan(8_000_000) // what the first half left behind would be twice that
    expect(tail).toMatch(new RegExp(`# end, rows=${ROWS}, sum=${(ROWS * (ROWS + 1)) / 200}\\.00, fees=0\\.00, `))
    // More than anybody waits for, by the count of a block: refused here, and written by a worker.
    await h.sql(
      '02',
      `insert into search_blocks (merchant_id, number, after_at, after_id, last_at, last_id, sealed, rows)
       values ($1, 0, '2026-01-01', 1, '2026-01-02', 1, true, 60001)`,
      [second.id],
    )
    const refused = await fetch(h.apiUrl + PATH, { headers: sessionHeader(person) })
    expect([refused.status, ((await refused.json()) as any).responseMessage]).toEqual([
      422,
      `The export has ${ROWS + 60_001} rows`,
    ])
    expect(await (await people(h, 'owner', second)).ask({})).toMatchObject({ state: 'WAITING', rows: ROWS + 60_001 })
  } finally {
    await h.sql('02', 'delete from search_blocks')
    await h.sql('02', 'delete from transactions')
  }
})
