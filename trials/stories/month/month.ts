// MONTH_OPERATIONS=10000 is the short form. A month of three merchants by the clock, with a bank that
// misbehaves in a fifth of its messages. At the end our books are the bank's, line by line; every statement
// of every settlement proves itself; every event was delivered; nothing is overdue. The operator's own
// command, as a process, finds every invariant of the books in order, and so did the nights on the way. Then
// the calendar month that it began in leaves and returns.
import { expect, test } from 'vitest'
import { cellsText } from '../../../apps/gateway/src/config.ts'
import { mergeBooks } from '../../../apps/gateway/src/core/feature.ts'
import { FEATURES } from '../../../apps/gateway/src/feature-list.ts'
import { actorOf, show } from '../../../apps/gateway/test/features/access/acts.ts'
import { checkBooks } from '../../../apps/gateway/test/kit/books.ts'
import { advance, CELLS, type Harness, useHarness } from '../../../apps/gateway/test/kit/harness.ts'
import { askOutside } from '../../../tools/operator/books-process.ts'
import { cpuSeconds, parentOf } from '../../bench/kit/figures.ts'
import { judge } from './checks.ts'
import { readEnds } from './ends.ts'
import { readEvidence } from './evidence.ts'
import { awayWith } from './leave.ts'
import { furnish, live } from './load.ts'
import { MONTH, monthOf, operationsOf, planMonth } from './plan.ts'
import { figures } from './words.ts'

const { invariants: INVARIANTS } = mergeBooks(FEATURES)

const harness = useHarness({ settles: true, silenceMs: 20, bankApart: true })
const SEED = 7
const SIZE = monthOf(Number(process.env['MONTH_OPERATIONS'] ?? operationsOf(MONTH)))
/** For a whole month four minutes of two processors, spent by this process, the bank and the database. Wall
 *  time would measure the machine's other guests as well; its limit only ends a month that hangs. A part of
 *  it is for the thirty days of two cells, however little happens. */
const CPU_SECONDS_MAX = 480 * (0.25 + 0.75 * (operationsOf(SIZE) / operationsOf(MONTH)))
const LIMIT_MS = 600_000
/** Every invariant of both cells, asked whole; and what the nights kept. */
const BOOKS_MS = 120_000
/** By then the last payment of the calendar month is settled, whatever its day. */
const LATER_SECONDS = 10 * 86_400

/** Every backend is a child of the server that this connection's is a child of. */
async function serverPid(h: Harness): Promise<number> {
  const [backend] = await h.sql('01', 'select pg_backend_pid() as pid')
  return parentOf(backend.pid)
}

test(`${operationsOf(SIZE)} payments, payouts, refunds and debits of thirty days`, { timeout: LIMIT_MS }, async () => {
  const h = harness()
  const server = await serverPid(h)
  const cpu = () => cpuSeconds(process.pid, true) + cpuSeconds(server, true)
  const [began, cpuBefore] = [performance.now(), cpu()]
  const world = await furnish(h, SIZE, SEED)
  const lived = await live(h, world, planMonth(SEED, SIZE))
  const evidence = await readEvidence(h, lived.firstDay, lived.lastDay)
  const spent = cpu() - cpuBefore
  const times = `in all ${Math.round((performance.now() - began) / 1000)} s, ${Math.round(spent)} s of processor time`
  console.log(`${figures(evidence, lived, await readEnds(h))}\n${times}`)
  expect(judge(evidence)).toEqual({})
  expect(spent).toBeLessThan(CPU_SECONDS_MAX)
})

test("the operator's own command finds the books of that month in order", { timeout: BOOKS_MS }, async () => {
  const h = harness()
  const env = { ENVIRONMENT: 'sandbox', CELLS: cellsText(h.config.cells) }
  const books = await askOutside(env)
  const slow = books.text.match(/^.*\(\d{4,} ms\)$/gm) ?? []
  console.log([...slow, ...(books.text.match(/^Cell \d\d: .*/gm) ?? [])].join('\n'))
  expect(books.code, books.text).toBe(0)
  for (const cell of CELLS) {
    const night = await show(h, actorOf('operator', 'operations'), 'books.last', { cell })
    console.log(`Cell ${cell}, night of ${night.day}: ${night.checked} invariants were checked`)
    expect([night.checked > 0, night.violated]).toEqual([true, []])
  }
  expect(books.text.match(/^ {2}ok {8}/gm)).toHaveLength(2 * Object.keys(INVARIANTS).length)
})

test('the calendar month it began in leaves, and returns; the books are in order', {
  timeout: 4 * BOOKS_MS,
}, async () => {
  const h = harness()
  await advance(h, LATER_SECONDS)
  const books = async () => {
    for (const cell of CELLS) expect(await checkBooks(h.databases[cell]), `books of cell ${cell}`).toEqual([])
  }
  expect(await awayWith(h, books)).toEqual([])
  await books()
})
