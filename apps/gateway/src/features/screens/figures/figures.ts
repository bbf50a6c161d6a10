// Figures: what Prometheus is shown of each cell, read when somebody asks, and not more often than it
// changes. A cell that does not answer keeps its last figures, and says how old they are; whoever asks does
// not wait for it.
import { DAY_MS, HOUR_MS } from '@cowrie/contract/kit/durations'
import { nairaNumber } from '@cowrie/contract/kit/money'
import { readAll } from '#core/cells/cells.ts'
import { numbersLeft } from '#core/cells/ranges.ts'
import { horizonLags } from '#core/ledger/horizons.ts'
import { readCover } from '#features/settlements/reconciliation/cover.ts'
import { listRuns } from '#features/settlements/settlements/operator.ts'
import { listOpen } from '#features/wallets/receivables/receivables.ts'
import { monotonicMs, within } from '#kit/clock.ts'
import type { Ctx, Read } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import * as series from '#kit/series.ts'
import * as sql from './figures.sql.ts'

const LIMIT_MS = 4_000
/** A dispute that is not answered in time is lost; people sleep for eight hours. */
const DUE_SOON_MS = 12 * HOUR_MS

const agoMs = (read: Read, ms: number): Date => new Date(read.now.getTime() - ms)
const secondsSince = (read: Read, since: Date | null): number =>
  since === null ? 0 : Math.max(0, (read.now.getTime() - since.getTime()) / 1000)

type Look = { readonly everyMs: number; readonly look: (read: Read, ctx: Ctx) => Promise<void> }

/** Kinds that were due once: they are 0 when they are not. */
const kindsOf = new Map<CellId, Set<string>>()
async function lookAtTimers(read: Read): Promise<void> {
  const { cell } = read
  const rows = await sql.timers(read)
  const kinds = kindsOf.get(cell) ?? new Set()
  kindsOf.set(cell, kinds)
  for (const kind of kinds) series.TIMERS_DUE(cell, kind).n = 0
  for (const { kind, due } of rows) {
    kinds.add(kind)
    series.TIMERS_DUE(cell, kind).n = due
  }
  series.TIMERS_OLDEST(cell).n = Math.max(0, ...rows.map(({ oldest }) => secondsSince(read, oldest)))
}

async function lookAtQueues(read: Read): Promise<void> {
  const { cell } = read
  const { events, oldest_event, deliveries, oldest_delivery, resting } = await sql.queues(read)
  series.OUTBOX(cell).n = events
  series.OUTBOX_OLDEST(cell).n = secondsSince(read, oldest_event)
  series.DELIVERIES(cell).n = deliveries
  series.DELIVERIES_OLDEST(cell).n = secondsSince(read, oldest_delivery)
  series.RESTING(cell).n = resting
  for (const { horizon, lagMs } of await horizonLags(read)) series.HORIZON_LAG(cell, horizon).n = lagMs / 1000
}

async function lookAtWaits(read: Read): Promise<void> {
  const { cell } = read
  const { breaks, items, kobo } = await sql.waits(read)
  series.BREAKS(cell).n = breaks
  series.SUSPENSE(cell).n = items
  series.SUSPENSE_NAIRA(cell).n = nairaNumber(kobo)
  const { hour, day, more, oldest } = await sql.payouts(read, agoMs(read, HOUR_MS), agoMs(read, DAY_MS))
  series.PAYOUTS_PENDING(cell, '1').n = hour
  series.PAYOUTS_PENDING(cell, '24').n = day
  series.PAYOUTS_PENDING(cell, 'more').n = more
  series.PAYOUTS_OLDEST(cell).n = secondsSince(read, oldest)
  const runs = await listRuns(read, agoMs(read, 2 * DAY_MS))
  series.SETTLEMENTS_PAYING(cell).n = runs.reduce((sum, { paying }) => sum + paying, 0)
  const { violated, since } = await sql.books(read)
  series.BOOKS_VIOLATED(cell).n = violated
  series.BOOKS_AGE(cell).n = secondsSince(read, since)
}

async function lookAtCards(read: Read): Promise<void> {
  const { open, due } = await sql.disputes(read, agoMs(read, -DUE_SOON_MS))
  series.DISPUTES(read.cell).n = open
  series.DISPUTES_DUE(read.cell).n = due
  series.CHARGES_UNANSWERED(read.cell).n = await sql.unansweredCharges(read)
}

/** What merchants and acquirers owe us, and whether banks hold what we owe. */
async function lookAtClaims(read: Read, ctx: Ctx): Promise<void> {
  const { cell } = read
  const owed = await listOpen(read)
  series.RECEIVABLES(cell).n = owed.length
  series.RECEIVABLES_NAIRA(cell).n = nairaNumber(owed.reduce((sum, { kobo }) => sum + kobo, 0n))
  series.RECEIVABLES_OLDEST(cell).n = Math.max(0, ...owed.map(({ since }) => secondsSince(read, since)))
  for (const { connector, kobo, since } of await sql.acquirers(read)) {
    series.ACQUIRER_OWES(cell, connector).n = nairaNumber(kobo)
    series.ACQUIRER_SETTLED(cell, connector).n = secondsSince(read, since)
  }
  const { banks, clients } = await readCover(ctx, cell)
  series.COVER(cell).n = nairaNumber(banks - clients)
}

async function lookAtNumbers(read: Read, { quarantineMs }: Ctx): Promise<void> {
  const ranges = await numbersLeft(read, quarantineMs)
  for (const [purpose, own] of Map.groupBy(ranges, (range) => range.purpose)) {
    const [left, size] = own.reduce(([l, s], range) => [l + range.left, s + range.size], [0n, 0n])
    series.NUMBERS_LEFT(read.cell, purpose).n = size === 0n ? 0 : Number((left * 10_000n) / size) / 10_000
  }
}

/** The first ones are asked at every look of Prometheus; the last two go through all accounts, and through
 *  the numbers in use, which takes a while. */
const LOOKS: readonly Look[] = [
  { everyMs: 10_000, look: lookAtTimers },
  { everyMs: 10_000, look: lookAtQueues },
  { everyMs: 60_000, look: lookAtWaits },
  { everyMs: 60_000, look: lookAtCards },
  { everyMs: 10 * 60_000, look: lookAtClaims },
  { everyMs: HOUR_MS, look: lookAtNumbers },
]

export function createFigures(ctx: Ctx, looks = LOOKS): (cell: CellId) => Promise<void> {
  const lookedAt = new Map<string, number>()
  const running = new Map<CellId, Promise<void>>()
  const readFigures = async (cell: CellId): Promise<void> => {
    for (const [at, { everyMs, look }] of looks.entries()) {
      const place = `${cell}/${at}`
      if (monotonicMs() - (lookedAt.get(place) ?? Number.NEGATIVE_INFINITY) < everyMs) continue
      await readAll(ctx, cell, (read) => look(read, ctx))
      lookedAt.set(place, monotonicMs())
    }
  }
  const begunAt = monotonicMs()
  return async (cell) => {
    const reading =
      running.get(cell) ??
      readFigures(cell)
        .catch((error: unknown) => ctx.log.warn('figures could not be read', { cell, error }))
        .finally(() => running.delete(cell))
    running.set(cell, reading)
    await within(reading, LIMIT_MS, undefined)
    series.FIGURES_AGE(cell).n = (monotonicMs() - (lookedAt.get(`${cell}/0`) ?? begunAt)) / 1000
  }
}
