// Debits in the bank's statement of the day: what was taken and what was reversed stand in our books as well.
import { beforeAll, expect, test } from 'vitest'
import { behindFaultyBank } from '#test/bank/faulty-bank.ts'
import { accepted, active, sessionOf, tellDebit } from '#test/features/collections/direct-debit.ts'
import { breaks, night, noon } from '#test/features/settlements/reconciliation.ts'
import { useHarness } from '#test/kit/harness.ts'

const harness = useHarness()
beforeAll(() => noon(harness()))

test('debits of every ending, over several days: no break', async () => {
  const h = harness()
  for (const ending of ['7788', '0001', '0002', '0003', '0004', '0005', '0006'])
    await accepted(h, await active(h, h.merchants.main, {}, ending))
  const day = await night(h)
  await night(h)
  await night(h)
  const lines = await h.sql(
    '01',
    `select kind, direction, count(*)::int as times, sum(kobo)::text as kobo from statement_lines where day >= $1 group by 1, 2 order by 1`,
    [day],
  )
  expect(lines).toEqual([
    { kind: 'DEBIT', direction: 'IN', times: 5, kobo: '600000' },
    { kind: 'REVERSAL', direction: 'OUT', times: 1, kobo: '120000' },
  ])
  expect(await breaks(h)).toEqual([])
})

test('a debit that the bank pays after we called it failed is found', async () => {
  const h = harness()
  const made = await active(h, h.merchants.main)
  const one = await accepted(h, made)
  const session = await sessionOf(h, made, one.paymentReference)
  const line = await behindFaultyBank(h, (path) => (path === '/bank/v1/debits' ? 'loses its answer' : 'passes'))
  try {
    await line.work('01')
  } finally {
    await line.close()
  }
  expect((await tellDebit(h, session, 'FAILED')).status).toBe(200) // not what the bank's books say
  await night(h)
  expect(await breaks(h, session)).toMatchObject([{ class: 'MISSING_HERE', kind: 'DEBIT', status: 'OPEN' }])
})
