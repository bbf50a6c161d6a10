// The nightly run of the invariants, by the clock and by its timer, on a real database.
import pg from 'pg'
import { expect, test } from 'vitest'
import { runDue } from '#core/agenda.ts'
import { mergeBooks } from '#core/feature.ts'
import type { Ctx } from '#kit/ctx.ts'
import type { LogFields } from '#kit/log.ts'
import { actorOf, show } from '#test/features/access/acts.ts'
import { advance, type Harness, paid, useHarness } from '#test/kit/harness.ts'
import { FEATURES } from '../../../feature-list.ts'
import { booksDue } from './books.due.ts'
import { ensureNights, type Limits, nextNight } from './books.ts'

const { invariants: INVARIANTS } = mergeBooks(FEATURES)

const harness = useHarness()
const ALL = Object.keys(INVARIANTS).length
const FEW: Limits = { statementMs: 60_000, snapshotMs: 0, turnMs: 0, sliceRows: 2 }
const FAULT = 'every credit is posted once, with its amount'

const resultsOf = (h: Harness) =>
  h.sql(
    '01',
    `select r.* from books_results r join (select max(day) as day from books_runs where started_at is not null) l using (day)`,
  )
const runs = (h: Harness) =>
  h.sql(
    '01',
    `select day::text, started_at is not null as begun, finished_at is not null as over from books_runs order by day`,
  )

/** The run that waits falls due now, and is worked off by this handler only. */
async function workOff(h: Harness, limits: Limits): Promise<{ level: string; message: string; fields: LogFields }[]> {
  const said: { level: string; message: string; fields: LogFields }[] = []
  const logTo =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      void said.push({ level, message, fields })
  const ctx: Ctx = { ...h.gateway.ctx, log: { ...h.gateway.ctx.log, warn: logTo('warn'), error: logTo('error') } }
  await ensureNights(ctx)
  const [{ day }] = await h.sql('01', 'select day::text from books_runs where finished_at is null')
  const isOver = async () => (await runs(h)).some((run) => run.day === day && run.over)
  for (let turns = 0; !(await isOver()); turns += 1) {
    expect(turns).toBeLessThan(2_000)
    await h.sql('01', `update agenda set due_at = '2000-01-01' where kind = 'books.night'`)
    await runDue(ctx, '01', booksDue(FEATURES, limits))
  }
  return said
}

/** Credits that say a kobo more than was posted. */
async function whileWrong<T>(h: Harness, work: () => Promise<T>): Promise<T> {
  await h.sql('01', 'update inbound_credits set kobo = kobo + 1')
  try {
    return await work()
  } finally {
    await h.sql('01', 'update inbound_credits set kobo = kobo - 1')
  }
}

test('nights follow each other: every one in live, one in four weeks in the sandbox', () => {
  expect(nextNight('live', new Date('2026-05-04T00:30:00Z'))).toBe('2026-05-04')
  expect(nextNight('live', new Date('2026-05-04T01:00:00Z'))).toBe('2026-05-05')
  const first = nextNight('sandbox', new Date('2026-05-04T01:00:00Z'))
  const next = nextNight('sandbox', new Date(`${first}T01:00:00Z`))
  expect(Date.parse(next) - Date.parse(first)).toBe(28 * 86_400_000)
})

test('by the clock: the night asks every invariant, keeps each with its result, and sees to the next night', async () => {
  const h = harness()
  await paid(h, h.merchants.main)
  await advance(h, 29 * 86_400)
  const results = await resultsOf(h)
  expect(results.map(({ invariant }) => String(invariant)).toSorted()).toEqual(Object.keys(INVARIANTS).toSorted())
  expect(results.filter(({ state, violations }) => state !== 'DONE' || violations !== '0')).toEqual([])
  expect((await runs(h)).slice(-2)).toMatchObject([{ over: true }, { begun: false }])
})

test('a violated invariant is an error in the log with its rows, and is kept and shown', async () => {
  const h = harness()
  for (let n = 0; n < 3; n += 1) await paid(h, h.merchants.main)
  await whileWrong(h, async () => {
    const [{ credits }] = await h.sql('01', 'select count(*)::int as credits from inbound_credits')
    const said = await workOff(h, FEW)
    const [about] = said.filter(({ fields }) => fields.kind === FAULT)
    expect(about).toMatchObject({ level: 'error', fields: { cell: '01', count: credits } })
    expect(about?.fields.detail).toContain('bank_reference ')
    const [kept] = (await resultsOf(h)).filter(({ invariant }) => invariant === FAULT)
    expect(kept).toMatchObject({ state: 'DONE', violations: String(credits) })
    expect(kept.steps).toBeGreaterThan(1)
    expect(kept.examples.length).toBeLessThanOrEqual(5)
    const { violated } = await show(h, actorOf('operator', 'operations'), 'books.last', { cell: '01' })
    expect(violated).toContainEqual({ invariant: FAULT, violations: String(credits), examples: kept.examples })
  })
})

test('two workers at one run, each stopped after every statement: each violation counts once', async () => {
  const h = harness()
  await whileWrong(h, async () => {
    const [{ credits }] = await h.sql('01', 'select count(*)::int as credits from inbound_credits')
    await ensureNights(h.gateway.ctx)
    const [{ day }] = await h.sql(
      '01',
      `select day - date '1970-01-01' as day from books_runs where finished_at is null`,
    )
    const row = { id: 0n, kind: 'books.night', merchant_id: 0n, subject: BigInt(day), due_at: new Date(), attempts: 1 }
    const handler = booksDue(FEATURES, FEW)['books.night'] as {
      run: (ctx: Ctx, cell: string, rows: unknown[]) => Promise<void>
    }
    for (let turns = 0; turns < 60; turns += 1)
      await Promise.all([handler.run(h.gateway.ctx, '01', [row]), handler.run(h.gateway.ctx, '01', [row])])
    await workOff(h, FEW)
    const [kept] = (await resultsOf(h)).filter(({ invariant }) => invariant === FAULT)
    expect(kept).toMatchObject({ state: 'DONE', violations: String(credits) })
    expect((await resultsOf(h)).length).toBe(ALL)
  })
  await h.sql(
    '01',
    `delete from agenda where kind = 'books.night' and id not in (select max(id) from agenda where kind = 'books.night')`,
  )
})

test('a statement that takes longer than it may is kept as UNFINISHED, not as in order; the run goes on', async () => {
  const h = harness()
  const client = new pg.Client({ connectionString: h.databases['01'] })
  await client.connect()
  await client.query('begin; lock table refunds in access exclusive mode')
  const said = await workOff(h, { statementMs: 300, snapshotMs: 1_000, turnMs: 5_000, sliceRows: 50_000 })
  await client.end()
  const unfinished = (await resultsOf(h))
    .filter(({ state }) => state === 'UNFINISHED')
    .map(({ invariant }) => invariant)
  expect(unfinished).toContain('a refund has ended if and only if it says when')
  expect(unfinished.length).toBeLessThan(ALL / 3)
  expect(said.map(({ level, fields }) => [level, fields.kind])).toContainEqual(['warn', unfinished[0]])
  expect((await runs(h)).filter(({ over }) => over === false)).toMatchObject([{ begun: false }])
})

test('results older than 90 days are gone after the next run', async () => {
  const h = harness()
  await h.sql('01', `insert into books_runs values ('2001-01-01', '2001-01-01', '2001-01-01')`)
  await workOff(h, { ...FEW, snapshotMs: 1_000, turnMs: 5_000 })
  expect((await runs(h)).map(({ day }) => day)).not.toContain('2001-01-01')
})

test('a run whose timer was lost gets it back when a worker starts', async () => {
  const h = harness()
  await h.sql('01', `delete from agenda where kind = 'books.night'`)
  await ensureNights(h.gateway.ctx)
  expect(await h.sql('01', `select from agenda where kind = 'books.night'`)).toHaveLength(1)
})
