// Search over HTTP: every filter, every state that can be reached, the wrapper, and pages that agree with a
// plain filter written in TypeScript, whatever is sealed, cut by the time asked for, or still young.
import * as fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { checkBooks } from '#test/kit/books.ts'
import { advance, type Harness, initialise, issueAccount, paid, unique, useHarness } from '#test/kit/harness.ts'
import { createSealing } from './blocks.ts'
import { cutSegments } from './search.ts'

const harness = useHarness()
type Asked = Record<string, string | number>
type Merchant = Harness['merchants']['main']

async function ask(merchant: Merchant, query: Asked) {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return harness().as(merchant, 'GET', `/api/v1/transactions/search?${text.toString()}`)
}
async function page(merchant: Merchant, query: Asked): Promise<any> {
  const answer = await ask(merchant, query)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}
const referencesOf = (body: any): string[] => body.content.map((item: any) => item.transactionReference)

describe('what is shown', () => {
  test('a waiting transaction: no method, no fee, not completed; its method once an account is issued', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main, { amount: '110.50', metaData: { order: 7 }, paymentMethods: [] })
    const waiting = (await page(main, { transactionReference: made.transactionReference })).content
    expect(waiting).toEqual([
      {
        customerDTO: { email: 'ngozi@example.com', name: 'Ngozi Bello', merchantCode: main.contractCode },
        createdOn: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000\+0000$/),
        amount: 110.5,
        flagged: false,
        currencyCode: 'NGN',
        paymentDescription: 'Two yards of adire',
        paymentStatus: 'PENDING',
        transactionReference: made.transactionReference,
        paymentReference: made.paymentReference,
        merchantCode: main.contractCode,
        merchantName: main.name,
        metaData: { order: 7 },
        payableAmount: 110.5,
        completed: false,
        paymentMethodList: ['ACCOUNT_TRANSFER', 'CARD', 'USSD'],
        collectionChannel: 'API_NOTIFICATION',
      },
    ])
    await issueAccount(h, main, made.transactionReference)
    const issued = (await page(main, { transactionReference: made.transactionReference })).content
    expect(issued).toEqual([{ ...waiting[0], paymentMethod: 'ACCOUNT_TRANSFER' }])
  })

  test('PAID, PARTIALLY_PAID, OVERPAID and EXPIRED are completed, with fee where money came, and found by their state', async () => {
    const h = harness()
    const { main } = h.merchants
    const email = `${unique('states')}@example.com`
    const exact = await paid(h, main, { customerEmail: email, amount: 1000 })
    const partly = await initialise(h, main, { customerEmail: email, amount: 1000 })
    await h.pay(await issueAccount(h, main, partly.transactionReference), 400)
    const over = await initialise(h, main, { customerEmail: email, amount: 1000 })
    await h.pay(await issueAccount(h, main, over.transactionReference), 1600)
    const expired = await initialise(h, main, { customerEmail: email, amount: 1000 })
    await advance(h, 41 * 60)
    for (const [status, made, fee] of [
      ['PAID', exact, 15],
      ['PARTIALLY_PAID', partly, 6],
      ['OVERPAID', over, 24],
      ['EXPIRED', expired, undefined],
    ] as const) {
      const { content, totalElements } = await page(main, { customerEmail: email, paymentStatus: status })
      expect([totalElements, content[0].transactionReference], status).toEqual([1, made.transactionReference])
      expect(content[0], status).toMatchObject({
        paymentStatus: status,
        completed: true,
        amount: 1000,
        payableAmount: 1000,
      })
      expect(content[0].completedOn, status).toMatch(/\.000\+0000$/)
      expect(content[0].fee, status).toBe(fee)
      expect(content[0].paymentMethod, status).toBe(status === 'EXPIRED' ? undefined : 'ACCOUNT_TRANSFER')
    }
  })
})

describe('what is asked', () => {
  test('e-mail and name match whole, in any case and any script; a part matches nothing', async () => {
    const h = harness()
    const { main } = h.merchants
    const word = unique('Ọlá')
    const made = await initialise(h, main, {
      customerEmail: `${unique('Ola')}@Example.com`,
      customerName: `${word} ADÉ`,
    })
    const { customerDTO } = (await page(main, { transactionReference: made.transactionReference })).content[0]
    for (const query of [
      { customerName: customerDTO.name.toUpperCase() },
      { customerName: customerDTO.name.toLowerCase() },
      { customerEmail: customerDTO.email.toUpperCase() },
    ])
      expect(referencesOf(await page(main, query)), JSON.stringify(query)).toEqual([made.transactionReference])
    for (const query of [{ customerName: word }, { customerEmail: 'example.com' }, { customerName: '%' }])
      expect((await page(main, query)).totalElements, JSON.stringify(query)).toBe(0)
  })

  test('times: milliseconds, ISO 8601 with, without and with an unencoded offset, the text of a JavaScript Date', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main)
    const reference = made.transactionReference
    const [row] = await h.sql('01', 'select created_at from transactions where reference = $1', [reference])
    const at = row.created_at as Date
    const second = new Date(Math.floor(at.getTime() / 1000) * 1000)
    const wat = new Date(second.getTime() + 3_600_000).toISOString().slice(0, 19)
    for (const from of [
      at.getTime(),
      at.toISOString(),
      wat,
      `${wat}+01:00`,
      `${wat} 01:00`,
      `${wat}+0100`,
      second.toString(),
      second.toString().replace('+', ' '),
      wat.slice(0, 10),
    ])
      expect((await page(main, { transactionReference: reference, from })).totalElements, String(from)).toBe(1)
    for (const to of [at.getTime() - 1, new Date(second.getTime() - 1000).toString(), '2020-01-01'])
      expect((await page(main, { transactionReference: reference, to })).totalElements, String(to)).toBe(0)
    expect((await page(main, { transactionReference: reference, to: at.getTime() })).totalElements).toBe(1)
  })

  test('all filters together, and each of them left out', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main)
    const all: Asked = {
      transactionReference: made.transactionReference,
      paymentReference: made.paymentReference,
      customerEmail: 'ngozi@example.com',
      customerName: 'Ngozi Bello',
      paymentStatus: 'PENDING',
      amount: 1500,
      fromAmount: 1400,
      toAmount: 1600,
      from: 0,
      to: Date.parse('2100-01-01T00:00:00Z'),
    }
    expect(referencesOf(await page(main, all))).toEqual([made.transactionReference])
    for (const left of Object.keys(all)) {
      const { [left]: _, ...rest } = all
      expect(referencesOf(await page(main, rest)), `without ${left}`).toEqual([made.transactionReference])
    }
  })

  test('empty values and unknown names are ignored; a state that does not exist matches nothing', async () => {
    const h = harness()
    const { main } = h.merchants
    const made = await initialise(h, main)
    const asked = { transactionReference: made.transactionReference }
    const empty = Object.fromEntries(
      ['page', 'size', 'paymentReference', 'amount', 'fromAmount', 'customerName', 'paymentStatus', 'from'].map((n) => [
        n,
        '',
      ]),
    )
    expect((await page(main, { ...asked, ...empty, foo: 'bar' })).totalElements).toBe(1)
    expect(await page(main, { ...asked, paymentStatus: 'FAILED' })).toMatchObject({
      totalElements: 0,
      empty: true,
      last: true,
    })
    expect((await page(main, { ...asked, fromAmount: 9, toAmount: 8 })).totalElements).toBe(0)
  })

  test.each([
    [{ page: 'abc' }, 'page'],
    [{ page: -1 }, 'page'],
    [{ page: '1.5' }, 'page'],
    [{ size: 0 }, 'size'],
    [{ size: 1001 }, 'size'],
    [{ amount: '1e3' }, 'amount'],
    [{ fromAmount: 'abc' }, 'fromAmount'],
    [{ toAmount: '1.234' }, 'toAmount'],
    [{ from: 'yesterday' }, 'from'],
    [{ from: '99999999999999999' }, 'from'],
    [{ to: '2026-13-01' }, 'to'],
    [{ customerName: 'a\u0000b' }, 'customerName'],
    [{ paymentStatus: 'NOPE' }, 'paymentStatus'],
    [{ paymentStatus: 'REVERSED' }, 'paymentStatus'],
  ])('%o is 400 and names the field', async (query, field) => {
    const answer = await ask(harness().merchants.main, query as Asked)
    expect([answer.status, answer.json.problem.field]).toEqual([400, field])
  })

  test('a state in lower case is 400, and the refusal says which was probably meant', async () => {
    const answer = await ask(harness().merchants.main, { paymentStatus: 'paid' })
    expect([answer.status, answer.json.problem.code]).toEqual([400, 'FIELD_INVALID'])
    expect(answer.json.responseMessage).toMatch(
      /^Field paymentStatus is invalid: must be one of PENDING, PAID.*; did you mean PAID\?$/,
    )
  })

  test('without a token it is 401', async () => {
    expect((await harness().call('GET', '/api/v1/transactions/search')).status).toBe(401)
  })

  test("another merchant's transactions are never found, in the same cell or another", async () => {
    const h = harness()
    const made = await initialise(h, h.merchants.main, { customerEmail: `${unique('mine')}@example.com` })
    const [{ customer_email }] = await h.sql('01', 'select customer_email from transactions where reference = $1', [
      made.transactionReference,
    ])
    for (const merchant of [h.merchants.other, h.merchants.second])
      for (const query of [
        {},
        { transactionReference: made.transactionReference },
        { paymentReference: made.paymentReference },
        { customerEmail: customer_email },
        { amount: made.amount as number },
        { paymentStatus: 'PENDING' },
      ])
        expect(referencesOf(await page(merchant, { ...query, size: 1000 }))).not.toContain(made.transactionReference)
  })
})

// ---- pages against a plain filter

type Row = {
  readonly id: number
  readonly reference: string
  readonly paymentReference: string
  readonly status: string
  readonly kobo: bigint
  readonly email: string
  readonly name: string
  readonly at: number
}
const FINAL = ['PAID', 'EXPIRED', 'FAILED', 'CANCELLED', 'PARTIALLY_PAID', 'OVERPAID']
const OLD = Date.parse('2026-01-01T00:00:00Z')
const OUTSIDER = 999n

/** Rows put there by hand, in a cell of their own. The books cannot be right about them, so they are taken
 *  out again. */
async function plant(merchantId: bigint, rows: readonly Row[]): Promise<void> {
  await harness().sql(
    '02',
    `insert into transactions (id, merchant_id, reference, payment_reference, contract_code, kobo, customer_name, customer_email,
       description, methods, meta_data, status, paid_kobo, created_at, expires_at, closed_at, email_key, name_key)
     select (x->>'id')::bigint, $1, x->>'reference', x->>'paymentReference', '02', kobo, x->>'name', x->>'email', '', 'C', '{}',
       x->>'status', case x->>'status' when 'PAID' then kobo when 'PARTIALLY_PAID' then kobo - 1 when 'OVERPAID' then kobo + 1 else 0 end,
       at, at, case when x->>'status' <> 'PENDING' then at end, search_key(x->>'email'), search_key(x->>'name')
     from json_array_elements($2::json) x
     cross join lateral (select (x->>'kobo')::bigint as kobo, to_timestamp((x->>'at')::float8 / 1000) as at) y`,
    [merchantId, JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))],
  )
  await harness().sql(
    '02',
    `insert into payment_references select merchant_id, payment_reference, id from transactions where merchant_id = $1
     on conflict do nothing`,
    [merchantId],
  )
}
async function uproot(): Promise<void> {
  for (const table of ['search_values', 'search_parts', 'search_blocks', 'payment_references', 'transactions'])
    await harness().sql('02', `delete from ${table}`)
}

/** Seals in small rounds until nothing is left to do. */
async function sealAll(rows: number): Promise<void> {
  const seal = createSealing(harness().gateway.ctx, { rows, frequent: 2, blocksEach: 3, blocks: 4, merchants: 2 })
  for (let idle = 0; idle < 3; ) idle = (await seal('02')) === 0 ? idle + 1 : 0
}

const same = (asked: string | number | undefined, value: string): boolean =>
  asked === undefined || value.toLowerCase() === String(asked).toLowerCase()
const koboOf = (asked: string | number): bigint => BigInt(Math.round(Number(asked) * 100))
const fits = (row: Row, query: Asked): boolean =>
  same(query['transactionReference'], row.reference) &&
  same(query['paymentReference'], row.paymentReference) &&
  same(query['customerEmail'], row.email) &&
  same(query['customerName'], row.name) &&
  same(query['paymentStatus'], row.status) &&
  (query['amount'] === undefined || row.kobo === koboOf(query['amount'])) &&
  (query['fromAmount'] === undefined || row.kobo >= koboOf(query['fromAmount'])) &&
  (query['toAmount'] === undefined || row.kobo <= koboOf(query['toAmount'])) &&
  (query['from'] === undefined || row.at >= Number(query['from'])) &&
  (query['to'] === undefined || row.at <= Number(query['to']))

/** Up to 40 rows, many at the same moment, whose ids are not in the order of their moments. */
const rowsOf = (states: readonly string[], from: number, to: number, firstId: number): fc.Arbitrary<Row[]> =>
  fc
    .array(
      fc.record({
        status: fc.constantFrom(...states),
        kobo: fc.bigInt({ min: 2000n, max: 2040n }),
        email: fc.constantFrom('a@example.com', 'A@Example.com', 'b@example.com', 'c@example.com'),
        name: fc.constantFrom('', 'Ngozi', 'NGOZI', 'Bola Ade'),
        at: fc.integer({ min: from, max: to }),
      }),
      { maxLength: 40, size: 'max' },
    )
    .chain((drafts) =>
      fc.shuffledSubarray([...drafts.keys()], { minLength: drafts.length }).map((order) =>
        drafts.map((draft, n) => ({
          ...draft,
          id: firstId + (order[n] ?? 0),
          reference: `CWRY|02|x|${firstId + n}`,
          paymentReference: `p-${firstId + n}`,
        })),
      ),
    )

const FILTERS = (from: number, to: number): Record<string, fc.Arbitrary<string | number>> => ({
  paymentStatus: fc.constantFrom('PENDING', ...FINAL),
  amount: fc.constantFrom(20, 20.01, 20.17, 21),
  fromAmount: fc.integer({ min: 2000, max: 2041 }).map((n) => n / 100),
  toAmount: fc.integer({ min: 1999, max: 2040 }).map((n) => n / 100),
  customerEmail: fc.constantFrom('a@example.com', 'B@EXAMPLE.COM'),
  customerName: fc.constantFrom('ngozi', 'BOLA ade', 'nobody'),
  transactionReference: fc.constantFrom('CWRY|02|x|1000003', 'CWRY|02|x|1'),
  paymentReference: fc.constantFrom('p-1000003', 'p-2000001'),
  from: fc.integer({ min: from, max: to }),
  to: fc.integer({ min: from, max: to }),
})
/** None, one or a few filters, on any page. */
const queryOf = (from: number, to: number): fc.Arbitrary<Asked> => {
  const filters = FILTERS(from, to)
  return fc.subarray(Object.keys(filters), { maxLength: 3 }).chain((names) =>
    fc.record<Asked>({
      ...Object.fromEntries(names.map((name) => [name, filters[name] as fc.Arbitrary<string | number>])),
      page: fc.integer({ min: 0, max: 6 }),
      size: fc.constantFrom(1, 2, 3, 7, 10, 100),
    }),
  )
}

describe('pages agree with a plain filter', () => {
  afterEach(uproot)

  test('every number of the wrapper and every item, whatever is sealed, cut by time, or young', async () => {
    const h = harness()
    const { second } = h.merchants
    const now = h.gateway.ctx.clock.now().getTime()
    const moments = [fc.constant([OLD - 2, OLD + 32] as const), fc.constant([OLD, now] as const)]
    let sealedBlocks = 0
    await fc.assert(
      fc.asyncProperty(
        rowsOf(FINAL, OLD, OLD + 30, 1_000_000),
        rowsOf(['PENDING', ...FINAL], now - 1000, now, 2_000_000),
        rowsOf(FINAL, OLD, OLD + 30, 3_000_000),
        fc.integer({ min: 1, max: 9 }),
        fc.array(
          fc.oneof(...moments).chain(([from, to]) => queryOf(from, to)),
          { minLength: 12, maxLength: 12 },
        ),
        fc.boolean(),
        async (old, young, foreign, blockRows, queries, unsealOne) => {
          await uproot()
          await plant(second.id, [...old, ...young])
          await plant(OUTSIDER, foreign)
          await sealAll(blockRows)
          const blocks = await h.sql('02', 'select sealed from search_blocks where merchant_id = $1', [second.id])
          expect(blocks).toEqual(Array.from({ length: Math.floor(old.length / blockRows) }, () => ({ sealed: true })))
          sealedBlocks += blocks.length
          expect(await checkBooks(h.databases['02'], (invariant) => invariant.includes('block'))).toEqual([])
          if (unsealOne) await h.sql('02', 'update search_blocks set sealed = false, rows = 0 where number = 2')
          for (const query of queries) {
            const expected = [...old, ...young]
              .filter((row) => fits(row, query))
              .toSorted((a, b) => b.at - a.at || b.id - a.id)
              .map((row) => row.reference)
            const [number, size] = [Number(query['page']), Number(query['size'])]
            const totalPages = Math.ceil(expected.length / size)
            const here = expected.slice(number * size, (number + 1) * size)
            const body = await page(second, query)
            expect(referencesOf(body), JSON.stringify(query)).toEqual(here)
            expect(body, JSON.stringify(query)).toMatchObject({
              totalElements: expected.length,
              totalPages,
              number,
              size,
              first: number === 0,
              last: number >= totalPages - 1,
              numberOfElements: here.length,
              empty: here.length === 0,
              pageable: { offset: number * size, pageNumber: number, pageSize: size, paged: true, unpaged: false },
            })
          }
        },
      ),
      { numRuns: 60 },
    )
    expect(sealedBlocks, 'the property met sealed blocks').toBeGreaterThan(100)
  }, 120_000)

  test('cutsOf takes exactly the page out of the segments', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5)), fc.nat(40), fc.integer({ min: 1, max: 12 }), (counts, offset, size) => {
        const name = (segment: number, n: number) => `${segment}/${n}`
        const items = counts.flatMap((rows, segment) => Array.from({ length: rows }, (_, n) => name(segment, n)))
        const segments = counts.map((rows, segment) => ({ segment, rows }))
        const taken = cutSegments(segments, { offset, size }).flatMap(({ segment, skip, take }) =>
          Array.from({ length: take }, (_, n) => name(segment, skip + n)),
        )
        expect(taken).toEqual(items.slice(offset, offset + size))
      }),
    )
  })
})
