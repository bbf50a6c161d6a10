// When a month does not leave, or does not return; and that nobody is refused while it does.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cellsText } from '../../../apps/gateway/src/config.ts'
import { planDeparture } from '../../../apps/gateway/src/core/cells/departure.ts'
import { FEATURES } from '../../../apps/gateway/src/feature-list.ts'
import { newMerchant } from '../../../apps/gateway/test/features/payouts/disbursements.ts'
import {
  intoNextMonth,
  monthOf,
  plainOwner,
  rollUpAll,
} from '../../../apps/gateway/test/features/settlements/months.ts'
import { checkBooks } from '../../../apps/gateway/test/kit/books.ts'
import { advance, paid, type TestMerchant, useHarness } from '../../../apps/gateway/test/kit/harness.ts'
import { run } from '../months.ts'

const { staying } = planDeparture(FEATURES)
const harness = useHarness({ settles: true })
const CELL = '01'
let folder = ''
let month = 0n
let owner = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cowrie-leave-'))
  owner = await plainOwner(harness(), CELL)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const command = async (...words: string[]): Promise<{ code: number; text: string }> => {
  const h = harness()
  const lines: string[] = []
  const owners = [`01=${owner}`, `02=${h.databases['02']}`]
  const env = { ENVIRONMENT: 'sandbox', CELLS: cellsText(h.config.cells), OWNERS: owners.join() }
  const code = await run(words, env, (text) => lines.push(text))
  return { code, text: lines.join('\n') }
}
/** Why a month of cell 01 was not detached. */
const refusals = async (...words: string[]): Promise<string[]> => {
  const { text } = await command(...words)
  const [, first = ''] = text.split(/^Cell \d\d$/m)
  return (first.match(/REFUSED.*/g) ?? []).map((line) => line.slice(10))
}
const detach = (): Promise<string[]> => refusals('detach', String(month), '--from', folder)
const done = async (...words: string[]): Promise<void> => {
  const { code, text } = await command(...words)
  expect(code, text).toBe(0)
}
async function connected<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: harness().databases[CELL] })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** 3,000 payouts in the first month and 1,500 in the second, of different amounts: one whole block lies
 *  across the two. */
async function manyPayouts(merchant: TestMerchant, second: bigint): Promise<void> {
  await harness().sql(
    CELL,
    `with x as (
       select n, case when n <= 3000 then ${month} else ${second} end * 1000000000000 + 900000000000 + n as id, (n * 7919 % 1000 + 1) * 100 as kobo,
         case when n <= 3000 then timestamptz '${String(month).slice(0, 4)}-${String(month).slice(4)}-20' else timestamptz '${String(second).slice(0, 4)}-${String(second).slice(4)}-01' end as at
       from generate_series(1, 4500) n
     ), rows as (
       insert into disbursements (id, merchant_id, reference, transaction_reference, status, kobo, fee_kobo, held, narration, source_account,
         bank_code, account_number, two_fa, description, created_at, place, single_place)
       select id, ${merchant.id}, 'many' || n, 'many' || n, 'FAILED', kobo, 0, false, '', '${merchant.walletNumber}', '058', '1234567890', false, '', at, n, n from x
     ), named as (
       insert into payout_references select ${merchant.id}, 'many' || n, id from x
     ), counted as (
       insert into transfer_counters values (${merchant.id}, 4500, 4500, 0, (select max(at) from x))
     )
     insert into transfer_blocks (merchant_id, number, first_id, last_id, amounts, places)
       select ${merchant.id}, 0, min(id), max(id), array_agg(kobo order by kobo, n), array_agg(n::smallint order by kobo, n) from x where n <= 4096`,
  )
}

describe('a month does not leave', () => {
  test('before it is over, or without the logins of the owners', async () => {
    const h = harness()
    month = monthOf(h)
    await paid(h, h.merchants.main)
    expect(await detach()).toEqual([`${month} is not over, for a day at least`])
    const env = { ENVIRONMENT: 'sandbox', CELLS: cellsText(h.config.cells) }
    const lines: string[] = []
    expect(await run(['detach', String(month), '--from', folder], env, (text) => lines.push(text))).toBe(2)
    expect(lines.join()).toContain('OWNERS has no login for cell 01, 02.')
  })

  test('without an export, with one that was changed, or when a row was changed since', async () => {
    const h = harness()
    await intoNextMonth(h)
    await advance(h, 4 * 86_400)
    await rollUpAll(h)
    expect(await detach()).toEqual([expect.stringMatching(/^it is not exported: .*no manifest$/)])
    await h.sql(CELL, 'delete from months where month = $1', [monthOf(h)])
    expect(await detach()).toEqual([expect.stringMatching(/^the present month has no partitions/)])
    await h.sql(CELL, 'insert into months values ($1)', [monthOf(h)])
    expect(await refusals('detach', String(monthOf(h)), '--from', folder)).toEqual([
      `${monthOf(h)} is not the oldest month here, which is ${month}`,
    ])
    await done('export', String(month), '--to', folder)
    const file = join(folder, CELL, String(month), 'transfers.jsonl.gz')
    const lines = gunzipSync(await readFile(file)).toString()
    await writeFile(file, gzipSync(lines.replace(/\d(?=\})/, (digit) => String((Number(digit) + 1) % 10))))
    expect(await detach()).toEqual(['its export is not in order: transfers: not what was written'])
    await writeFile(file, gzipSync(lines))
    const change = `update transactions set description = description || $2 where id / 1000000000000 = $1`
    await h.sql(CELL, change, [month, '.'])
    expect(await detach()).toEqual(['transactions: other rows than in its export'])
    await h.sql(CELL, `update accounts set balance_kobo = balance_kobo + 1 where id = $1`, [
      h.merchants.main.id * 16n + 9n,
    ])
    await done('export', String(month), '--to', folder)
    expect(await detach()).toEqual([
      expect.stringMatching(/^the books are violated: a running balance equals its entries/),
      expect.stringMatching(/^the books are violated: a wallet holds what the last line of its statement says/),
    ])
    await h.sql(CELL, `update accounts set balance_kobo = balance_kobo - 1 where id = $1`, [
      h.merchants.main.id * 16n + 9n,
    ])
  })

  test('when a row changes after it was looked at, however late', async () => {
    await connected(async (client) => {
      await client.query('call guard_month($1, $2)', [month, staying])
      await client.query(`call prepare_leaving($1, $2, '{}', '{}', '{}')`, [month, staying])
      await harness().sql(CELL, 'update transactions set flagged = flagged where id / 1000000000000 = $1', [month])
      const act = client.query(`call detach_month($1, $2, '', '2026-01-01')`, [month, staying])
      await expect(act).rejects.toMatchObject({ code: 'CM001', message: 'the month has changed' })
      await client.query('call unguard_month($1)', [month])
    })
  })

  test('while the acquirer has a dispute about a card charge of it', async () => {
    const h = harness()
    await h.sql(
      CELL,
      `insert into card_disputes (connector, reference, merchant_id, transaction_id, charge_reference, kobo, state, said_at, reported_at, changed_at)
       select 1, 'DSP-1', merchant_id, id, 'CHARGE', kobo, 'ANSWERED', created_at, created_at, created_at from transactions
       where id / 1000000000000 = $1 limit 1`,
      [month],
    )
    expect(await detach()).toEqual([expect.stringMatching(/^a card dispute is not over/)])
    await h.sql(CELL, `update card_disputes set state = 'LOST' where reference = 'DSP-1'`)
  })

  test('at the word of anybody but the owner', async () => {
    for (const role of ['cowrie_engine', 'cowrie_app'])
      for (const call of [
        `detach_month(${month}, '{}', '', '2026-01-01')`,
        `attach_month(${month})`,
        `guard_month(${month}, '{}')`,
      ])
        await connected(async (client) => {
          await client.query(`set role ${role}`)
          await expect(client.query(`call ${call}`)).rejects.toMatchObject({ code: '42501' })
        })
  })
})

describe('while a month leaves and returns', () => {
  test('everybody pays, also those who come when somebody else holds a table; and blocks of payouts count what is here', async () => {
    const h = harness()
    const { main } = h.merchants
    const many = await newMerchant(h)
    await manyPayouts(many, monthOf(h))
    const search = async (query: string) =>
      (
        await h.as(
          many,
          'GET',
          `/api/v2/disbursements/search-transactions?sourceAccountNumber=${many.walletNumber}&${query}`,
        )
      ).json.responseBody
    const amounts = 'amountFrom=200&amountTo=700&pageSize=100'
    const before = [await search(amounts), await search('pageSize=5&pageNo=800')]
    expect(before.map(({ totalElements }) => totalElements)).toEqual([await counted(many, 200, 700), 4500])
    await done('export', String(month), '--to', folder)
    let over = false
    const payers = Array.from({ length: 4 }, async () => {
      let times = 0
      for (; !over; times += 1) await paid(h, main) // expects 200 of every step
      return times
    })
    await connected(async (reader) => {
      await reader.query('begin; select from transfers limit 1')
      const leaving = detach()
      await h.until(
        'its locks are asked for',
        async () =>
          (
            await h.sql(
              CELL,
              `select from pg_stat_activity where application_name = 'cowrie months' and wait_event_type = 'Lock'`,
            )
          ).length > 0,
      )
      await reader.query('commit')
      expect(await leaving).toEqual([])
    })
    expect(await checkBooks(h.databases[CELL])).toEqual([])
    const between = [await search(amounts), await search('pageSize=100')]
    expect(between.map(({ totalElements }) => totalElements)).toEqual([await counted(many, 200, 700), 1500])
    expect(between[0].content).toHaveLength(100)
    await done('attach', String(month))
    over = true
    for (const times of await Promise.all(payers)) expect(times).toBeGreaterThan(0)
    expect([await search(amounts), await search('pageSize=5&pageNo=800')]).toEqual(before)
  })

  test('a month whose tables were dropped does not return', async () => {
    await rollUpAll(harness())
    expect(await detach()).toEqual([])
    await harness().sql(CELL, `drop table transactions_${month}`)
    expect(await refusals('attach', String(month))).toEqual([
      'its tables were dropped (transactions); read its export instead',
    ])
    expect(await refusals('attach', '200001')).toEqual(['200001 has not left'])
  })
})

const counted = async ({ id }: TestMerchant, from: number, to: number): Promise<number> =>
  (
    await harness().sql(
      CELL,
      'select count(*)::int as n from disbursements where merchant_id = $1 and kobo between $2 and $3',
      [id, from * 100, to * 100],
    )
  )[0].n
