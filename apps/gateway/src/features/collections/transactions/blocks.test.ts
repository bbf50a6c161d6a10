// Sealing, with what could go wrong: rows that come late, statements that take long, rounds at the same time,
// rows that are not final. The books hold every sealed block against its rows after each test.
import { HOUR_SECONDS } from '@cowrie/contract/kit/durations'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Merchant } from '#core/access/merchants.ts'
import { cellById, engineTx } from '#core/cells/cells.ts'
import { advance, type Harness, initBody, initialise, paid, unique, useHarness } from '#test/kit/harness.ts'
import { type Gateway, openGateway } from '../../../gateway.ts'
import { createSealing, sealBlock } from './blocks.ts'
import { createInit } from './transactions.ts'

const harness = useHarness()

type Block = { number: number; sealed: boolean; rows: number }
const blocksOf = (h: Harness): Promise<Block[]> =>
  h.sql('01', 'select number, sealed, rows from search_blocks where merchant_id = $1 order by number', [
    h.merchants.main.id,
  ])
const total = async (h: Harness, query = ''): Promise<number> => {
  const answer = await h.as(h.merchants.main, 'GET', `/api/v1/transactions/search?${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json.responseBody.totalElements
}
const rowCount = async (h: Harness): Promise<number> =>
  (await h.sql('01', 'select count(*)::int as n from transactions where merchant_id = $1', [h.merchants.main.id]))[0].n

/** Rounds until one finds nothing to do. */
async function sealAll(h: Harness, rows: number): Promise<void> {
  const seal = createSealing(h.gateway.ctx, { rows, frequent: 2 })
  while ((await seal('01')) > 0);
}

// A process that missed the clock's last move: what it inserts is late.
let slow: Gateway
let slowMerchant: Merchant
beforeAll(async () => {
  const h = harness()
  for (let n = 0; n < 6; n += 1) await paid(h, h.merchants.main)
  await advance(h, 1 * HOUR_SECONDS)
  slow = await openGateway(h.config, 'slow')
  slowMerchant = (await slow.merchants.byId('01', h.merchants.main.id)) as Merchant
  await advance(h, 600)
  for (let n = 0; n < 3; n += 1) await initialise(h, h.merchants.main)
  await advance(h, 2 * HOUR_SECONDS)
  await initialise(h, h.merchants.main)
})
afterAll(() => slow.close())
const lateCall = (h: Harness) => ({
  merchant: slowMerchant,
  body: { ...initBody(h.merchants.main), amount: '1500', paymentReference: unique('late') },
  query: undefined,
  params: {},
})
const insertLate = (h: Harness) => createInit(slow.ctx).batched(lateCall(h))

describe('sealing', () => {
  test('takes whole runs of final transactions that are old enough, and leaves the rest', async () => {
    const h = harness()
    await sealAll(h, 4)
    expect(await blocksOf(h)).toEqual([
      { number: 1, sealed: true, rows: 4 },
      { number: 2, sealed: true, rows: 4 },
    ])
    expect(await total(h)).toBe(10)
    expect([await total(h, 'paymentStatus=PAID'), await total(h, 'paymentStatus=EXPIRED')]).toEqual([6, 3])
  })

  test('a late row unseals the block it falls into, is counted at once, and the block is sealed again with it', async () => {
    const h = harness()
    await insertLate(h)
    expect((await blocksOf(h)).map(({ sealed }) => sealed)).toEqual([true, false])
    expect([await total(h), await total(h, 'amount=1500')]).toEqual([11, 11])
    await sealAll(h, 4)
    // It waits for its payer; the block stays open, and true, until it has expired.
    expect((await blocksOf(h)).map(({ sealed }) => sealed)).toEqual([true, false])
    expect(await total(h, 'paymentStatus=PENDING')).toBe(2)
    await advance(h, 1)
    expect(await total(h, 'paymentStatus=EXPIRED')).toBe(4)
    await sealAll(h, 4)
    expect(await blocksOf(h)).toEqual([
      { number: 1, sealed: true, rows: 4 },
      { number: 2, sealed: true, rows: 5 },
    ])
  })

  test('late rows and rounds of sealing at the same time: no row is lost from a count', async () => {
    const h = harness()
    const before = await rowCount(h)
    let inserting = true
    const rounds = [1, 2].map(async () => {
      const seal = createSealing(h.gateway.ctx, { rows: 4 })
      while (inserting) await seal('01')
    })
    for (let n = 0; n < 25; n += 1) {
      await insertLate(h)
      expect(await total(h)).toBe(before + n + 1)
    }
    inserting = false
    await Promise.all(rounds)
    await advance(h, 1)
    await sealAll(h, 4)
    expect((await blocksOf(h)).every(({ sealed }) => sealed)).toBe(true)
    expect([await total(h), await total(h, 'fromAmount=1')]).toEqual([before + 25, before + 25])
  })

  test('a statement that was under way when the block was claimed is waited for, and its row is in the block', async () => {
    const h = harness()
    for (let n = 0; n < 4; n += 1) await initialise(h, h.merchants.main)
    await advance(h, 2 * HOUR_SECONDS)
    const before = (await blocksOf(h)).length
    const client = new pg.Client({ connectionString: h.databases['01'] })
    await client.connect()
    try {
      // The newest row but one is removed, and returns in a transaction that is open during the claim.
      await client.query('begin')
      const [row] = await h.sql(
        '01',
        `select id from transactions where merchant_id = $1 order by created_at desc, id desc offset 1 limit 1`,
        [h.merchants.main.id],
      )
      const copy = unique('open')
      const columns = `merchant_id, contract_code, kobo, customer_name, customer_email, description, methods, meta_data, status, version, expires_at, closed_at, email_key, name_key`
      await client.query(
        `with named as (insert into payment_references select merchant_id, $2, 7 from transactions where id = $1)
         insert into transactions (id, reference, payment_reference, created_at, ${columns})
         select 7, $2, $2, created_at, ${columns} from transactions where id = $1`,
        [row.id, copy],
      )
      let sealed = false
      const seal = createSealing(h.gateway.ctx, { rows: 3, frequent: 2 })
      const sealing = (async () => {
        do await seal('01')
        while (!(await blocksOf(h)).every((block) => block.sealed))
        sealed = true
      })()
      await h.until('the claim', async () => (await blocksOf(h)).length > before)
      // It looks for writers again and again, 50 times a second: after ten looks it has seen ours, and waits
      // for it.
      const looks = cellById(h.gateway.ctx, '01').statements()
      await h.until('it looks again', async () => cellById(h.gateway.ctx, '01').statements() > looks + 10)
      expect(sealed).toBe(false)
      expect((await blocksOf(h)).at(-1)?.sealed).toBe(false)
      const all = await rowCount(h)
      expect(await total(h, 'paymentStatus=EXPIRED&size=1')).toBe(all - 6)
      await client.query('commit')
      await sealing
      expect((await blocksOf(h)).every((block) => block.sealed)).toBe(true)
      expect([await total(h), await total(h, 'amount=1500')]).toEqual([all + 1, all + 1])
      expect((await h.sql('01', 'select 1 from search_parts where 7 = any(ids)')).length).toBe(1)
    } finally {
      await client.end()
      // Its history was never written; the books would say so.
      await h.sql('01', 'update search_blocks set sealed = false where merchant_id = $1', [h.merchants.main.id])
      await h.sql('01', 'delete from transactions where id = 7')
      await h.sql('01', 'delete from payment_references where transaction_id = 7')
    }
    await sealAll(h, 3)
    expect((await blocksOf(h)).every((block) => block.sealed)).toBe(true)
  })

  test('a late row that is not committed while its block is being sealed leaves the block open', async () => {
    const h = harness()
    const { main } = h.merchants
    // Any block that encloses the late moment; it is open, as after a claim.
    const [{ number }] = await h.sql(
      '01',
      `update search_blocks set sealed = false where merchant_id = $1 and after_at <= $2 and last_at >= $2 returning number`,
      [main.id, slow.ctx.clock.now()],
    )
    let [inserted, commit] = [() => {}, () => {}]
    const isInserted = new Promise<void>((done) => (inserted = done))
    const mayCommit = new Promise<void>((done) => (commit = done))
    const late = engineTx(slow.ctx, '01', async (t) => {
      await createInit(slow.ctx).command(t, lateCall(h))
      inserted()
      await mayCommit
    })
    await isInserted
    const ends: boolean[] = []
    const sealing = sealBlock(h.gateway.ctx, '01', { merchant_id: main.id, number }, 2).then((isSealed) => {
      ends.push(isSealed)
    })
    try {
      await h.until('it is left alone', async () => ends.length > 0)
    } finally {
      commit()
    }
    await Promise.all([late, sealing])
    expect(ends).toEqual([false])
    await advance(h, 1)
    await sealAll(h, 3)
    expect((await blocksOf(h)).every(({ sealed }) => sealed)).toBe(true)
    expect(await total(h, 'amount=1500')).toBe(await rowCount(h))
  })

  test('the worker does it on its own, and a block that cannot be sealed stands in nobody’s way', async () => {
    const h = harness()
    await h.sql('01', 'update search_blocks set sealed = false')
    const seal = createSealing(h.gateway.ctx, { blocks: 1 })
    await insertLate(h)
    for (let n = 0; n < 40; n += 1) await seal('01')
    expect((await blocksOf(h)).filter(({ sealed }) => !sealed)).toHaveLength(1)
    await advance(h, 1)
    h.startWorker()
    await h.until('a worker seals', async () => (await blocksOf(h)).every(({ sealed }) => sealed))
  })
})

test('no index of transactions holds a column that changes, so the one update of a payment touches none', async () => {
  const columns = await harness().sql<{ name: string }>(
    '01',
    `select distinct a.attname as name from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
     where i.indrelid in (select relid from pg_partition_tree('transactions')) order by 1`,
  )
  expect(columns.map(({ name }) => name)).toEqual([
    'created_at',
    'email_key',
    'id',
    'merchant_id',
    'name_key',
    'product_reference',
    'reference',
  ])
})

test('what is left of a month that is over becomes a block, from enough rows on', async () => {
  const h = harness()
  await sealAll(h, 4)
  const before = (await blocksOf(h)).length
  const [{ left }] = await h.sql(
    '01',
    `select count(*)::int as left from transactions t where merchant_id = $1
      and (created_at, id) > (select last_at, last_id from search_blocks where merchant_id = $1 order by number desc limit 1)`,
    [h.merchants.main.id],
  )
  for (let n = left; n < 2; n += 1) await initialise(h, h.merchants.main)
  await advance(h, 31 * 24 * HOUR_SECONDS)
  await initialise(h, h.merchants.main)
  await advance(h, 2 * HOUR_SECONDS)
  const enough = Math.max(left, 2)
  expect(await createSealing(h.gateway.ctx, { rows: 1000, least: enough + 1 })('01')).toBe(0)
  const seal = createSealing(h.gateway.ctx, { rows: 1000, least: enough, frequent: 2 })
  while ((await seal('01')) > 0);
  expect((await blocksOf(h)).slice(before)).toEqual([{ number: before + 1, sealed: true, rows: enough }])
  expect(await total(h)).toBe(await rowCount(h))
})
