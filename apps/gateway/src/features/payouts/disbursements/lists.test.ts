// Lists and search over some 9,500 transfers of one merchant: two whole blocks and a rest, singles and
// batches by turns.
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import { beforeAll, describe, expect, test } from 'vitest'
import { secondApi } from '#test/bank/notices.ts'
import { batchBody, SINGLE, send, sendBatch, transferBody } from '#test/features/wallets/wallets.ts'
import { type Answer, type Harness, type TestMerchant, unique, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
const SIZES = [3000, 1, 2500, 40, 2500, 1200, 255]

/** The same numbers in every run. */
let seed = 42
const random = (below: number): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((seed / 2_147_483_648) * below)
}
/** From 20 kobo up; some amounts are shared by many. */
const anAmount = (): string => (random(4) === 0 ? '50' : `${1 + random(120)}.${String(random(100)).padStart(2, '0')}`)

/** Moves the clock of the api alone: no timer runs. */
let offset = 0
const later = (h: Harness, ms: number): void => {
  offset += ms
  h.gateway.clock?.setOffset(offset)
}

const SEARCH = '/api/v2/disbursements/search-transactions'
const LIST = `${SINGLE}/transactions`
type Query = Record<string, string | number | undefined>
const ask = async (h: Harness, merchant: TestMerchant, path: string, query: Query = {}) => {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  const answer = await h.as(merchant, 'GET', `${path}?${new URLSearchParams(given as [string, string][]).toString()}`)
  return answer
}
const search = async (h: Harness, merchant: TestMerchant, query: Query = {}) => {
  const answer = await ask(h, merchant, SEARCH, { sourceAccountNumber: merchant.walletNumber, ...query })
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody
}

const taken = async (sent: Promise<Answer>): Promise<void> => {
  const { status, text } = await sent
  if (status !== 200) throw new Error(text)
}

beforeAll(async () => {
  const h = harness()
  const { main } = h.merchants
  for (const size of SIZES) {
    await taken(sendBatch(h, main, Array.from({ length: size }, anAmount)))
    later(h, HOUR_MS)
    for (let n = 0; n < 5; n += 1) await taken(send(h, main, { amount: anAmount() }))
    later(h, HOUR_MS)
  }
  await send(h, h.merchants.other)
}, 120_000)

const TOTAL = SIZES.reduce((sum, size) => sum + size + 5, 0)

describe('transfers.search', () => {
  test('two whole blocks and a rest are there', async () => {
    const h = harness()
    const rows = await h.sql('01', 'select number::int from transfer_blocks where merchant_id = $1 order by 1', [
      h.merchants.main.id,
    ])
    expect(rows).toEqual([{ number: 0 }, { number: 1 }])
    expect(TOTAL).toBeGreaterThan(2 * 4096)
  })

  test('totals and pages are those of SQL itself, whatever is asked', async () => {
    const h = harness()
    const { main } = h.merchants
    const times = (
      await h.sql('01', 'select distinct created_at from disbursements where merchant_id = $1 order by 1', [main.id])
    ).map((row) => row.created_at as Date)
    const aTime = (): number | undefined => {
      if (random(3) === 0) return undefined
      const at = times[random(times.length)]?.getTime() ?? 0
      return at + ([0, 0, 1, -1, HOUR_MS / 2][random(5)] ?? 0)
    }
    const aLimit = (): string | undefined => (random(3) === 0 ? undefined : anAmount())
    const seen = { empty: 0, beyond: 0, full: 0 }
    for (let n = 0; n < 150; n += 1) {
      const [startDate, endDate, amountFrom, amountTo] = [aTime(), aTime(), aLimit(), aLimit()]
      const where = `merchant_id = $1 and ($2::float8 is null or created_at >= to_timestamp($2::float8 / 1000))
        and ($3::float8 is null or created_at <= to_timestamp($3::float8 / 1000))
        and ($4::numeric is null or kobo >= $4 * 100) and ($5::numeric is null or kobo <= $5 * 100)`
      const values = [main.id, startDate, endDate, amountFrom, amountTo].map((value) => value ?? null)
      const [{ total }] = await h.sql('01', `select count(*)::int as total from disbursements where ${where}`, values)
      const pageSize = [1, 10, 100, 1000][random(4)] as number
      const pages = Math.ceil(total / pageSize)
      const pageNo = [0, Math.max(0, pages - 1), random(pages + 1), pages][random(4)] as number
      const expected = await h.sql(
        '01',
        `select reference from disbursements where ${where} order by created_at desc, place desc offset ${pageNo * pageSize} limit ${pageSize}`,
        values,
      )
      const query = { startDate, endDate, amountFrom, amountTo, pageNo, pageSize }
      const body = await search(h, main, query)
      const label = JSON.stringify(query)
      expect(body.totalElements, label).toBe(total)
      expect(
        body.content.map((item: any) => item.reference),
        label,
      ).toEqual(expected.map((row) => row.reference))
      expect([body.last, body.first, body.empty], label).toEqual([
        pageNo >= pages - 1,
        pageNo === 0,
        expected.length === 0,
      ])
      seen.empty += total === 0 ? 1 : 0
      seen.beyond += total > 0 && pageNo >= pages ? 1 : 0
      seen.full += expected.length === pageSize ? 1 : 0
    }
    expect(Math.min(seen.empty, seen.beyond, seen.full), JSON.stringify(seen)).toBeGreaterThan(3)
  })

  test('walking by pages meets every transfer once, the newest first', async () => {
    const h = harness()
    const { main } = h.merchants
    const met: any[] = []
    for (let pageNo = 0; ; pageNo += 1) {
      const body = await search(h, main, { pageNo, pageSize: 1000 })
      met.push(...body.content)
      expect(body.totalElements).toBe(TOTAL)
      if (body.last) break
    }
    expect(met.length).toBe(TOTAL)
    expect(new Set(met.map((item) => item.reference)).size).toBe(TOTAL)
    for (const [at, item] of met.entries()) expect(item.createdOn >= (met[at + 1]?.createdOn ?? ''), `${at}`).toBe(true)
  })

  test('a time is read as milliseconds, as ISO 8601 and as the text of a JavaScript Date alike', async () => {
    const h = harness()
    const { main } = h.merchants
    const [row] = await h.sql(
      '01',
      'select created_at from disbursements where merchant_id = $1 and single_place = 8',
      [main.id],
    )
    const at = new Date(Math.floor((row.created_at as Date).getTime() / 1000) * 1000)
    const local = new Date(at.getTime() + HOUR_MS).toISOString().slice(0, 19)
    const totals: number[] = []
    for (const text of [
      String(at.getTime()),
      at.toISOString(),
      local,
      `${local}+01:00`,
      at.toUTCString().replace(/^(\w{3}), (\d\d) (\w{3}) (\d{4}) (.*) GMT$/, '$1 $3 $2 $4 $5 GMT+0000 (UTC)'),
    ])
      totals.push((await search(h, main, { startDate: text })).totalElements)
    expect(totals[0]).toBeGreaterThan(0)
    expect(totals[0]).toBeLessThan(TOTAL)
    expect(new Set(totals).size, totals.join()).toBe(1)
  })

  test('times at the ends of the world find everything or nothing', async () => {
    const h = harness()
    const { main } = h.merchants
    expect((await search(h, main, { endDate: '8640000000000000' })).totalElements).toBe(TOTAL)
    expect((await search(h, main, { startDate: '8640000000000000' })).totalElements).toBe(0)
    expect((await search(h, main, { startDate: '0001-01-01', amountFrom: 0 })).totalElements).toBe(TOTAL)
    expect((await search(h, main, { endDate: 0, amountFrom: 1 })).totalElements).toBe(0)
    expect((await search(h, main, { amountFrom: '9999999999999.99' })).totalElements).toBe(0)
    expect((await search(h, main, { startDate: Date.now() + HOUR_MS, endDate: Date.now() })).totalElements).toBe(0)
  })

  test('400 for a date that is none, an amount that is none, and a page that is too large', async () => {
    const h = harness()
    const { main } = h.merchants
    const codeOf = async (query: Query) =>
      (await ask(h, main, SEARCH, { sourceAccountNumber: main.walletNumber, ...query })).json.problem.code
    expect(await codeOf({ startDate: 'yesterday' })).toBe('FIELD_INVALID')
    expect(await codeOf({ endDate: '2026-13-01' })).toBe('FIELD_INVALID')
    expect(await codeOf({ amountFrom: 'ten' })).toBe('AMOUNT_INVALID')
    expect(await codeOf({ pageSize: 1001 })).toBe('FIELD_INVALID')
  })

  test("400 D01 WALLET_NOT_YOURS for another merchant's wallet, in search, balance and list of batches", async () => {
    const h = harness()
    const { main, other } = h.merchants
    for (const [path, query] of [
      [SEARCH, { sourceAccountNumber: other.walletNumber }],
      ['/api/v2/disbursements/wallet-balance', { accountNumber: other.walletNumber }],
      ['/api/v2/disbursements/bulk', { sourceAccountNumber: other.walletNumber }],
    ] as const) {
      const answer = await ask(h, main, path, query)
      expect([path, answer.status, answer.json.responseCode, answer.json.responseMessage]).toEqual([
        path,
        400,
        'D01',
        'Supplied account number does not belong to merchant',
      ])
    }
  })

  test("finds the merchant's own only", async () => {
    const h = harness()
    expect((await search(h, h.merchants.other)).totalElements).toBe(1)
    expect((await search(h, h.merchants.second)).totalElements).toBe(0)
    expect((await search(h, h.merchants.second, { amountTo: 5 })).totalElements).toBe(0)
  })
})

describe('transfers.list', () => {
  test('single transfers only, the newest first; the wrapper is right on every page and beyond the end', async () => {
    const h = harness()
    const { main } = h.merchants
    const total = SIZES.length * 5
    const rows = await h.sql(
      '01',
      'select reference from disbursements where merchant_id = $1 and batch_id is null order by created_at desc, id desc',
      [main.id],
    )
    expect(rows.length).toBe(total)
    const sort = { sorted: true, unsorted: false, empty: false }
    for (const size of [1, 4, 7, 10, 1000]) {
      const totalPages = Math.ceil(total / size)
      for (const number of new Set([0, 1, totalPages - 1, totalPages, totalPages + 5])) {
        const { content, ...wrapper } = (await ask(h, main, LIST, { pageNo: number, pageSize: size })).json.responseBody
        const expected = rows.slice(number * size, (number + 1) * size).map((row) => row.reference)
        expect(content.map((item: any) => item.reference)).toEqual(expected)
        expect(wrapper).toEqual({
          pageable: {
            sort,
            pageSize: size,
            pageNumber: number,
            offset: number * size,
            paged: true,
            unpaged: false,
          },
          last: number >= totalPages - 1,
          first: number === 0,
          totalElements: total,
          totalPages,
          sort,
          numberOfElements: expected.length,
          size,
          number,
          empty: expected.length === 0,
        })
      }
    }
  })

  test('ten on a page if nothing is said; none of a merchant without transfers', async () => {
    const h = harness()
    const body = (await ask(h, h.merchants.main, LIST)).json.responseBody
    expect([body.size, body.number, body.numberOfElements]).toEqual([10, 0, 10])
    const none = (await ask(h, h.merchants.second, LIST)).json.responseBody
    expect([none.totalElements, none.totalPages, none.last, none.first, none.empty]).toEqual([0, 0, true, true, true])
  })
})

describe('batches.list', () => {
  test('the newest first, with how many there are; rows of one in their own order', async () => {
    const h = harness()
    const { main } = h.merchants
    const body = (await ask(h, main, '/api/v2/disbursements/bulk/transactions', { pageSize: 3, pageNo: 1 })).json
      .responseBody
    expect(body.totalElements).toBe(SIZES.length)
    expect(body.content.map((item: any) => item.totalTransactionsCount)).toEqual(SIZES.toReversed().slice(3, 6))
    const reference = body.content[0].batchReference
    const path = `/api/v2/disbursements/bulk/${reference}/transactions`
    const page = (await ask(h, main, path, { pageNo: 2, pageSize: 15 })).json.responseBody
    expect([page.totalElements, page.numberOfElements, page.last]).toEqual([40, 10, true])
    expect(page.content[0].reference).toBe(`${reference}-30`)
    expect((await ask(h, main, path, { pageNo: 3, pageSize: 15 })).json.responseBody.content).toEqual([])
  })
})

describe('places', () => {
  test('60 transfers and 6 batches at once, in two processes whose clocks differ: no gap, no time before the one before', async () => {
    const h = harness()
    const { other } = h.merchants
    const second = await secondApi(h)
    second.gateway.clock?.setOffset(offset - 7_000)
    try {
      const bodies = await Promise.all(Array.from({ length: 60 }, () => transferBody(h, other)))
      const token = await h.token(other)
      const there = async (path: string, body: unknown): Promise<{ status: number; json: any }> => {
        const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
        const answer = await fetch(second.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
        return { status: answer.status, json: await answer.json() }
      }
      const answers = await Promise.all([
        ...bodies.map((body, at) => (at % 2 === 0 ? h.as(other, 'POST', SINGLE, body) : there(SINGLE, body))),
        ...Array.from({ length: 6 }, (_, at) => {
          const body = batchBody(other, [10, 20, 30], unique('b'))
          const path = '/api/v2/disbursements/batch'
          return at % 2 === 0 ? h.as(other, 'POST', path, body) : there(path, body)
        }),
      ])
      expect(answers.map((answer) => answer.json.problem ?? answer.status)).toEqual(answers.map(() => 200))
      expect((await search(h, other)).totalElements).toBe(1 + 60 + 18)
      const shown = (await search(h, other, { pageSize: 100 })).content
      for (const answer of answers.slice(0, 60)) {
        const { reference, dateCreated } = answer.json.responseBody
        const row = shown.find((item: any) => item.reference === reference)
        expect(row.createdOn.slice(0, 19), reference).toBe(dateCreated.slice(0, 19))
      }
    } finally {
      await second.close()
    }
  })
})
