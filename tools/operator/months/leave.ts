// A month leaves, and returns (migration 0011, docs/decisions/0029-months.md). It leaves when nothing of it
// is open, its export is what the database has, and the books are in order. What takes long is done ahead and
// holds nobody up; the act itself waits for its locks a moment only, lets go if it does not get them, and
// tries again.
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, DatabaseError } from 'pg'
import { type Ask, askOne, type CheckResult, inspect } from '../../../apps/gateway/src/core/books/check.ts'
import { planDeparture } from '../../../apps/gateway/src/core/cells/departure.ts'
import { writableAddress } from '../../../apps/gateway/src/core/cells/primary.ts'
import { mergeBooks } from '../../../apps/gateway/src/core/feature.ts'
import { FEATURES } from '../../../apps/gateway/src/feature-list.ts'
import { monotonicMs, pause } from '../../../apps/gateway/src/kit/clock.ts'
import type { Ctx } from '../../../apps/gateway/src/kit/ctx.ts'
import { type CellId, firstIdInMonth, monthAfter, monthAt } from '../../../apps/gateway/src/kit/ids.ts'
import { changedSince, endOf, exportFaults, hashOf, readManifest } from './export.ts'

const { lastPlaces, openQuestions, staying } = planDeparture(FEATURES)

/** Whoever uses a table waits behind whoever waits for all of it. Below PostgreSQL's deadlock_timeout: if a
 *  payment and we wait for each other, we let go first. */
const LOCK_MS = 400
/** To put a guard on the old partition; long enough that PostgreSQL ends a vacuum of it. */
const GUARD_LOCK_MS = 1_500
const TRIES = 40
/** Longer after each try, up to the most: a settlement run may hold its lines for half a minute. */
const [PAUSE_MS, PAUSE_MAX_MS] = [250, 5_000]
/** A process may be late to begin with the ids of the next month. */
const LATE_MS = 86_400_000
/** Not to be had in time; a deadlock. */
const AGAIN: ReadonlySet<string> = new Set(['55P03', '40P01'])
/** What the procedures refuse themselves. */
const REFUSED = 'CM001'

export type Place = { readonly ctx: Ctx; readonly cell: CellId; readonly owner: string; readonly month: bigint }
/** Reasons why nothing was done; none: it is done. */
export type Outcome = { readonly reasons: readonly string[]; readonly says: string }
const refused = (...reasons: string[]): Outcome => ({ reasons, says: '' })

const codeOf = (error: unknown): string => (error instanceof DatabaseError ? (error.code ?? '') : '')

/** Does its work as the owner of the tables, on one connection. */
export async function asOwner<T>(url: string, work: (owner: Client) => Promise<T>): Promise<T> {
  const owner = new Client({ connectionString: await writableAddress(url), application_name: 'cowrie months' })
  await owner.connect()
  try {
    await owner.query(`set statement_timeout = 0; set jit = off`)
    return await work(owner)
  } finally {
    await owner.end()
  }
}

/** One database transaction that gives up when it waits too long for a lock, again and again; answers how
 *  long the last one took. */
async function inMoments(owner: Client, lockMs: number, text: string, values: readonly unknown[]): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const began = monotonicMs()
    try {
      await owner.query(`begin; set local lock_timeout = ${lockMs}`)
      await owner.query(text, [...values])
      await owner.query('commit')
      return Math.round(monotonicMs() - began)
    } catch (error) {
      await owner.query('rollback')
      if (!AGAIN.has(codeOf(error)) || attempt === TRIES) throw error
      await pause(Math.min(PAUSE_MS * attempt, PAUSE_MAX_MS))
    }
  }
}

const lockedOut = (error: unknown): Outcome => {
  if (AGAIN.has(codeOf(error)))
    return refused(`Somebody used its tables whenever it was tried (${TRIES} times); is a long question under way?`)
  if (codeOf(error) === REFUSED) return refused(`${(error as Error).message}; export it again and repeat this`)
  throw error
}

const MONTHS = `select (select min(month) from months)::text, (select max(month) from departed_months)::text,
  exists (select from departed_months where month = $1), exists (select from months where month = $2)`
type Months = readonly [oldest: string | null, left: string | null, hasLeft: boolean, hasPresent: boolean]
/** The oldest month that is here, the newest that has left, whether the one asked for has, and whether the
 *  present one has its tables. */
const monthsOf = async ({ ctx, cell, month }: Place): Promise<Months> =>
  (await inspect(ctx, cell, 0, (ask) => ask(MONTHS, [month, monthAt(ctx.clock.now())]))).rows[0] as never

// ---- leaving

const shown = ({ violations, examples }: CheckResult): string => `${violations} (${examples.join('; ')})`

/** What is open, by the questions of departure.ts and of features; printed as they are answered. */
async function openIn(ask: Ask, month: bigint, print: (text: string) => void): Promise<string[]> {
  const next = String(monthAfter(month))
  const values = [firstIdInMonth(month), firstIdInMonth(monthAfter(month)), `${next.slice(0, 4)}-${next.slice(4)}-01`]
  const open: string[] = []
  for (const [name, question] of Object.entries(openQuestions)) {
    // Each has the three parameters, whichever it uses.
    const found = await askOne(
      ask,
      `select * from (${question}) q where ($1::bigint, $2::bigint, $3::date) is not null`,
      values,
    )
    print(found.violations === 0n ? `  no        ${name}` : `  OPEN      ${name}: ${shown(found)}`)
    if (found.violations > 0n) open.push(`${name}: ${shown(found)}`)
  }
  return open
}

async function violatedIn(ask: Ask): Promise<string[]> {
  const violated: string[] = []
  for (const [name, query] of Object.entries(mergeBooks(FEATURES).invariants)) {
    const found = await askOne(ask, query)
    if (found.violations > 0n) violated.push(`the books are violated: ${name}: ${shown(found)}`)
  }
  return violated
}

/** What an export has against it, before the database is asked; else the hash of its manifest. */
async function exportOf({ ctx, cell, month }: Place, folder: string): Promise<readonly string[]> {
  const own = join(folder, cell, String(month))
  if (endOf(month).getTime() + LATE_MS > ctx.clock.now().getTime()) return [`${month} is not over, for a day at least`]
  const isThere = await access(join(own, 'manifest.json')).then(
    () => true,
    () => false,
  )
  if (!isThere) return [`it is not exported: ${own} has no manifest`]
  const manifest = await readManifest(own)
  if (manifest.cell !== cell || manifest.month !== String(month)) return [`${own} is the export of something else`]
  return (await exportFaults(own, null)).map((fault) => `its export is not in order: ${fault}`)
}

/** Has changes of the month noted, from before it is looked at. */
export const guardAsOwner = (owner: Client, month: bigint): Promise<number> =>
  inMoments(owner, GUARD_LOCK_MS, 'call guard_month($1, $2)', [month, staying])

/** The act, of a month that was guarded and looked at; answers how long it held its locks, in
 *  milliseconds. */
export async function detachAsOwner(
  owner: Client,
  month: bigint,
  places: readonly (readonly unknown[])[],
  manifest: string,
  at: Date,
): Promise<number> {
  const column = (n: number): string[] => places.map((row) => String(row[n]))
  await owner.query('call prepare_leaving($1, $2, $3, $4, $5)', [month, staying, column(0), column(1), column(2)])
  return inMoments(owner, LOCK_MS, 'call detach_month($1, $2, $3, $4)', [month, staying, manifest, at])
}

/** The same of the way back. */
export async function attachAsOwner(owner: Client, month: bigint): Promise<number> {
  await owner.query('call prepare_return($1, $2)', [month, staying])
  return inMoments(owner, LOCK_MS, 'call attach_month($1)', [month])
}

/** Detaches a month of a cell; `folder` has the exports of all cells. */
export async function detachMonth(place: Place, folder: string, print: (text: string) => void): Promise<Outcome> {
  const { ctx, cell, owner: url, month } = place
  const [oldest, , hasLeft, hasPresent] = await monthsOf(place)
  if (hasLeft) return { reasons: [], says: `${month} has left already` }
  if (oldest !== String(month)) return refused(`${month} is not the oldest month here, which is ${oldest ?? 'none'}`)
  if (!hasPresent)
    return refused('the present month has no partitions: new rows may lie in this one. Is a worker running?')
  const faults = await exportOf(place, folder)
  if (faults.length > 0) return refused(...faults)
  const manifest = await readManifest(join(folder, cell, String(month)))
  return asOwner(url, async (owner) => {
    try {
      await guardAsOwner(owner, month)
      const asked = await inspect(ctx, cell, 0, async (ask) => {
        const reasons = [...(await openIn(ask, month, print)), ...(await changedSince(ask, month, manifest))]
        const { rows } = await ask(lastPlaces, [firstIdInMonth(month), firstIdInMonth(monthAfter(month))])
        return { reasons: [...reasons, ...(await violatedIn(ask))], places: rows }
      })
      if (asked.reasons.length === 0) {
        const ms = await detachAsOwner(owner, month, asked.places, hashOf(manifest), ctx.clock.now())
        return { reasons: [], says: `${month} has left, in ${ms} ms; manifest ${hashOf(manifest)}` }
      }
      await inMoments(owner, GUARD_LOCK_MS, 'call unguard_month($1)', [month])
      return refused(...asked.reasons)
    } catch (error) {
      const outcome = lockedOut(error)
      await inMoments(owner, GUARD_LOCK_MS, 'call unguard_month($1)', [month]).catch(() => undefined)
      return outcome
    }
  })
}

// ---- returning

/** Attaches the month that left last. */
export async function attachMonth(place: Place): Promise<Outcome> {
  const { owner: url, month } = place
  const [, newest, hasLeft] = await monthsOf(place)
  if (!hasLeft) return refused(`${month} has not left`)
  if (newest !== String(month)) return refused(`${month} is not the month that left last, which is ${newest}`)
  return asOwner(url, async (owner) => {
    const { rows } = await owner.query<{ name: string }>(
      `select name from month_tables where to_regclass(name || '_' || $1) is null order by name`,
      [month],
    )
    if (rows.length > 0)
      return refused(`its tables were dropped (${rows.map(({ name }) => name).join(', ')}); read its export instead`)
    try {
      const ms = await attachAsOwner(owner, month)
      return { reasons: [], says: `${month} is here again, in ${ms} ms` }
    } catch (error) {
      return lockedOut(error)
    }
  })
}
