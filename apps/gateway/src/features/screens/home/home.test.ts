// The first screen's figures, over HTTP: they agree with the rows, sealed or not, and with the books; roles
// see their sections.
import { expect, test } from 'vitest'
import { createSealing } from '#features/collections/transactions/blocks.ts'
import { run as settle } from '#test/features/settlements/settlements.ts'
import { initialise, paid, useHarness } from '#test/kit/harness.ts'
import { personIn, sessionHeader } from '#test/people/sessions.ts'

const harness = useHarness({ settles: true })

async function figures(role = 'owner'): Promise<any> {
  const h = harness()
  const person = await personIn(h, 'merchant', role, { merchant: h.merchants.main })
  const answer = await fetch(`${h.apiUrl}/dashboard/v1/views/home.figures`, { headers: sessionHeader(person) })
  const body: any = await answer.json()
  expect(answer.status, JSON.stringify(body)).toBe(200)
  return body.responseBody
}

test('today by state, what waits, what is collected and not settled; after the settlement it is in the wallet', async () => {
  const h = harness()
  const { main } = h.merchants
  await paid(h, main, { amount: 1500 })
  await paid(h, main, { amount: 2000.5 })
  await initialise(h, main, { amount: 700 })
  const before = await figures()
  expect(before.today.toSorted((a: any, b: any) => (a.status < b.status ? -1 : 1))).toEqual([
    { status: 'PAID', payments: 2, amount: 3500.5 },
    { status: 'PENDING', payments: 1, amount: 0 },
  ])
  expect(before.waiting).toEqual({ payments: 1, amount: 700 })
  expect(before.days).toHaveLength(7)
  expect(before.days.at(-1)).toMatchObject({ day: before.day, payments: 2, amount: 3500.5 })
  const owed = before.settlement.pending.amount
  expect(owed).toBeGreaterThan(3400)
  expect(before.wallet.lowBelow).toBeNull()
  await settle(h, main)
  const after = await figures()
  const moved = after.wallet.amount - before.wallet.amount
  expect([after.settlement.pending.amount, after.settlement.amount, moved]).toEqual([0, 0, expect.closeTo(owed)])
  expect(after.today).toEqual(before.today)
  const support = await figures('support')
  expect([support.settlement, support.wallet, support.held, support.endpoints]).toEqual([null, null, null, null])
  expect(support.today).toEqual(before.today)
})

/** Rows put there by hand, in a cell of their own; the books cannot be right about them, so they are taken
 *  out again. */
test('seven days of sealed blocks, cut by midnight, say what their rows say, also when a block does not know what was paid', async () => {
  const h = harness()
  const { second } = h.merchants
  const { ctx } = h.gateway
  const person = await personIn(h, 'merchant', 'owner', { merchant: second })
  const ask = async (): Promise<any> => {
    const answer = await fetch(`${h.apiUrl}/dashboard/v1/views/home.figures`, { headers: sessionHeader(person) })
    return ((await answer.json()) as any).responseBody
  }
  await h.sql(
    '02',
    `insert into transactions (id, merchant_id, reference, payment_reference, contract_code, kobo, customer_name, customer_email,
       description, methods, meta_data, status, paid_kobo, created_at, expires_at, closed_at, email_key, name_key)
     select $3::bigint + n, $1, 'R' || n, 'P' || n, '02', 1000 + n, 'n', 'e', '', 'C', '{}', s.status,
       case s.status when 'PAID' then 1000 + n when 'OVERPAID' then 2000 + n else 0 end, at, at, at, 1, 1
     from generate_series(1, 2000) as n
     cross join lateral (select $2::timestamptz - n * interval '7 minutes' as at) x
     cross join lateral (select case n % 3 when 0 then 'PAID' when 1 then 'OVERPAID' else 'EXPIRED' end as status) s`,
    [second.id, new Date(ctx.clock.now().getTime() - 3 * 3_600_000), 202_611_900_000_000_000n],
  )
  try {
    const byRows = await ask()
    const truth = await h.sql(
      '02',
      `select to_char(created_at at time zone 'Africa/Lagos', 'YYYY-MM-DD') as day, count(*)::int as payments, (sum(paid_kobo) / 100.0)::float8 as amount
       from transactions where merchant_id = $1 and paid_kobo > 0 group by 1 order by 1`,
      [second.id],
    )
    const known = new Map(truth.map((row: any) => [row.day, row]))
    expect(byRows.days).toEqual(
      byRows.days.map(({ day, from }: any) => ({ from, ...(known.get(day) ?? { day, payments: 0, amount: 0 }) })),
    )
    expect(byRows.days[0].payments).toBeGreaterThan(50)
    const seal = createSealing(ctx, { rows: 64, least: 16 })
    for (let idle = 0; idle < 3; ) idle = (await seal('02')) === 0 ? idle + 1 : 0
    expect((await h.sql('02', 'select count(*)::int as n from search_blocks where sealed'))[0].n).toBeGreaterThan(20)
    // What the rows say no longer matters where a block lies within a day: the blocks are what is read.
    const day = (at: string): string => `(${at} at time zone 'Africa/Lagos')::date`
    const [{ number }] = await h.sql(
      '02',
      `select number from search_blocks where ${day('after_at')} = ${day('last_at')} and after_at > $1::timestamptz - interval '5 days' limit 1`,
      [ctx.clock.now()],
    )
    const plant = `update search_parts set paid_kobo = paid_kobo + 100 where number = $1 and status = 'PAID'`
    await h.sql('02', plant, [number])
    const planted = await ask()
    const sum = (days: any[]): number => days.reduce((total, { amount }) => total + amount, 0)
    expect(sum(planted.days) - sum(byRows.days)).toBeCloseTo(1)
    await h.sql('02', 'update search_parts set paid_kobo = null where number = $1', [number])
    expect(await ask()).toEqual(byRows)
  } finally {
    for (const table of ['search_values', 'search_parts', 'search_blocks', 'transactions'])
      await h.sql('02', `delete from ${table}`)
  }
})
