// Books: every night every invariant is checked in every cell, and the results are kept for the operator.
//   02:00 → some statements → kept → a second later the next → … → all kept → the next night's timer
// No step holds a lock or writes. What can be asked in slices of a large table is (core/books/slices.ts),
// each other invariant is one statement with a limit; one that reaches it is kept as UNFINISHED, never as in
// order. Killed anywhere, a run goes on where it was. Who waits: the operator (the view books.last), and
// whoever reads the log.
import { DAY_MS, HOUR_MS } from '@cowrie/contract/kit/durations'
import { schedule } from '#core/agenda.ts'
import { type Ask, askOne, askSlice, EXAMPLES, inspect, isOverLimit } from '#core/books/check.ts'
import type { Books } from '#core/books/invariants.ts'
import { type Sweep, sweepAll } from '#core/books/sweeper.ts'
import { commitOne, engineTx, readAll } from '#core/cells/cells.ts'
import { HOUSE } from '#core/ledger/chart.ts'
import { monotonicMs } from '#kit/clock.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { localDay, readMoment } from '#kit/times.ts'
import * as sql from './books.sql.ts'

export const NIGHT_TIMER = 'books.night'

/** After midnight: reconciliation has ended by then, and nobody pays yet. */
const AFTER_MIDNIGHT_MS = 2 * HOUR_MS
/** In the sandbox a developer may walk through a month in seconds, and waits for it; there, one night in four
 *  weeks is enough. */
const NIGHTS_APART = { live: 1, sandbox: 28 } as const
export type Limits = {
  /** Of one statement. An invariant that reads its tables whole does so for so long at most. */
  readonly statementMs: number
  /** Of one snapshot: vacuum waits for it. */
  readonly snapshotMs: number
  /** Of one run of the timer; then others have their turn. */
  readonly turnMs: number
  readonly sliceRows: number
}
/** What is asked of a cell, and how long it may take. */
export type Checks = { readonly books: Required<Books>; readonly sweep: Sweep; readonly limits: Limits }

const LIVE: Limits = { statementMs: 60_000, snapshotMs: 1_000, turnMs: 5_000, sliceRows: 50_000 }
/** A walk of the sandbox's clock waits for the night, so a statement may take less there. */
const LIMITS = { live: LIVE, sandbox: { ...LIVE, statementMs: 2_000 } } as const
const PAUSE_MS = 1_000
const TAKEN_MS = 60_000
const KEPT_DAYS = 90

// ---- nights

const numberOf = (day: string): bigint => BigInt(Date.parse(`${day}T00:00:00Z`) / DAY_MS)
const dayOf = (number: bigint): string => new Date(Number(number) * DAY_MS).toISOString().slice(0, 10)
const dueAt = (day: string): Date => new Date((readMoment(day)?.getTime() ?? Number.NaN) + AFTER_MIDNIGHT_MS)

/** The first night after a moment. */
export function nextNight(environment: keyof typeof NIGHTS_APART, now: Date): string {
  let day = numberOf(localDay(now))
  const apart = BigInt(NIGHTS_APART[environment])
  while (dueAt(dayOf(day)) <= now || day % apart !== 0n) day += 1n
  return dayOf(day)
}

const scheduleNight = (t: Tx, day: string, at: Date): Promise<void> =>
  schedule(t, NIGHT_TIMER, HOUSE, numberOf(day), at)

/** The first night of a cell follows its first start; from then on every night sees to the next. */
export async function ensureNights(ctx: Ctx): Promise<void> {
  for (const cell of ctx.cells.keys()) await engineTx(ctx, cell, (t) => ensureNight(ctx, t))
}
async function ensureNight(ctx: Ctx, t: Tx): Promise<void> {
  const before = await sql.latest(t)
  const day = nextNight(ctx.environment, new Date(Math.max(t.now.getTime(), before ? dueAt(before).getTime() : 0)))
  if (await sql.open(t, day)) return scheduleNight(t, day, dueAt(day))
  const lost = await sql.untimed(t, NIGHT_TIMER)
  if (lost !== null) await scheduleNight(t, lost, dueAt(lost))
}

// ---- a turn of a run

const fresh = (invariant: string): sql.Kept => ({
  invariant,
  state: 'RUNNING',
  steps: 0,
  position: null,
  violations: 0n,
  examples: [],
  ms: 0n,
})

/** The next statement of an invariant: a slice, or the whole of it. */
async function step(ask: Ask, before: sql.Kept, { books, limits }: Checks): Promise<sql.Kept> {
  const { invariant } = before
  const query = books.invariants[invariant] ?? fail('INTERNAL', {}, `unknown invariant: ${invariant}`)
  const slices = books.slices[invariant]
  const began = monotonicMs()
  const found = slices
    ? await askSlice(ask, query, slices, before.position, limits.sliceRows)
    : { ...(await askOne(ask, query)), next: null }
  return {
    invariant,
    state: found.next === null ? 'DONE' : 'RUNNING',
    steps: before.steps + 1,
    position: found.next && [...found.next],
    violations: before.violations + found.violations,
    examples: [...before.examples, ...found.examples].slice(0, EXAMPLES),
    ms: before.ms + BigInt(Math.round(monotonicMs() - began)),
  }
}

/** As many steps as fit into one short snapshot, at least one. Null: another process is at it. */
async function someSteps(
  ctx: Ctx,
  cell: CellId,
  todo: readonly sql.Kept[],
  checks: Checks,
): Promise<sql.Kept[] | null> {
  const done: sql.Kept[] = []
  let current: sql.Kept | undefined
  const { limits } = checks
  const until = monotonicMs() + limits.snapshotMs
  try {
    return await inspect(ctx, cell, limits.statementMs, async (ask) => {
      if ((await ask(sql.TAKE)).rows[0]?.[0] !== true) return null
      for (const one of todo) {
        current = one
        do current = await step(ask, current, checks)
        while (current.state === 'RUNNING' && monotonicMs() < until)
        done.push(current)
        if (monotonicMs() >= until) break
      }
      return done
    })
  } catch (error) {
    if (!isOverLimit(error) || !current) throw error
    const ms = current.ms + BigInt(limits.statementMs)
    return [...done, { ...current, state: 'UNFINISHED', steps: current.steps + 1, ms }]
  }
}

function tell(ctx: Ctx, cell: CellId, { invariant, state, violations, examples, ms }: sql.Kept): void {
  const named = { cell, kind: invariant }
  if (violations > 0n && state !== 'RUNNING')
    ctx.log.error('books: invariant violated', {
      ...named,
      count: Number(violations),
      detail: examples.join('; '),
    })
  if (state === 'UNFINISHED') ctx.log.warn('books: invariant check timed out', { ...named, ms: Number(ms) })
}

/** What is left of a run, some of it. Answers when to go on, or null when nothing is left. */
async function turn(ctx: Ctx, cell: CellId, day: string, checks: Checks): Promise<number | null> {
  const until = monotonicMs() + checks.limits.turnMs
  let asked = false
  for (;;) {
    const known = new Map((await readAll(ctx, cell, (r) => sql.results(r, day))).map((row) => [row.invariant, row]))
    const todo = Object.keys(checks.books.invariants)
      .map((name): sql.Kept => known.get(name) ?? fresh(name))
      .filter(({ state }) => state === 'RUNNING')
    if (todo.length === 0) return null
    if (asked && monotonicMs() > until) return PAUSE_MS
    asked = true
    const steps = await someSteps(ctx, cell, todo, checks)
    if (steps === null) return TAKEN_MS
    await commitOne(ctx, cell, (t) => sql.keep(t, day, steps))
    for (const one of steps) tell(ctx, cell, one)
  }
}

async function night(ctx: Ctx, cell: CellId, day: string, checks: Checks): Promise<void> {
  if (!(await engineTx(ctx, cell, (t) => sql.start(t, day, t.now)))) return
  await sweepAll(ctx, cell, checks.sweep)
  const pauseMs = await turn(ctx, cell, day, checks)
  await engineTx(ctx, cell, async (t) => {
    if (pauseMs !== null) return scheduleNight(t, day, new Date(t.now.getTime() + pauseMs))
    if (!(await sql.finish(t, day, t.now))) return
    await sql.purge(t, day, KEPT_DAYS)
    await ensureNight(ctx, t)
  })
}

/** The nights of so many rows of the agenda. `limits`: a test's own. */
export async function runNights(
  ctx: Ctx,
  cell: CellId,
  nights: readonly bigint[],
  checks: Omit<Checks, 'limits'>,
  limits: Limits = LIMITS[ctx.environment],
): Promise<void> {
  for (const number of nights) await night(ctx, cell, dayOf(number), { ...checks, limits })
}

// ---- what the operator reads

export type LastRun = { readonly run: sql.RunRow; readonly results: readonly sql.ResultRow[] }

/** The last run that has begun, with what is known of it. */
export const lastRun = (ctx: Ctx, cell: CellId): Promise<LastRun | null> =>
  readAll(ctx, cell, async (r) => {
    const run = await sql.last(r)
    return run && { run, results: await sql.results(r, run.day) }
  })
