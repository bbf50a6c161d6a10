// The board: what the operator sees of all cells at once, on the first screen of the console. It reads and
// changes nothing. A cell that does not answer within the limit of a statement is shown as one that does not
// answer; the others are shown all the same.
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import { DAY_MS, HOUR_MS } from '@cowrie/contract/kit/durations'
import { nairaText } from '@cowrie/contract/kit/money'
import { ALARM_SECONDS, showBoard, showVersions } from '@cowrie/contract/screens/board'
import { type BoundView, bindView } from '#core/acts/acts.ts'
import { readAll } from '#core/cells/cells.ts'
import { neededMigrations } from '#core/cells/stamps.ts'
import { NIGHT_TIMER } from '#features/settlements/books/books.ts'
import { listRuns, nextRunAt } from '#features/settlements/settlements/operator.ts'
import { listOpen } from '#features/wallets/receivables/receivables.ts'
import type { Ctx, Read } from '#kit/ctx.ts'
import type { CellId } from '#kit/ids.ts'
import { localDay } from '#kit/times.ts'
import * as sql from './board.sql.ts'
import { PROGRAM_VERSION } from './version.ts'

const text = (at: Date | null | undefined): string | null => at?.toISOString() ?? null
const queue = (name: keyof typeof ALARM_SECONDS, { due, oldest }: sql.QueueRow) => ({
  due,
  oldestDueAt: text(oldest),
  alarmSeconds: ALARM_SECONDS[name],
})

type Standing = NonNullable<ViewReplyOf<typeof showBoard>['cells'][number]['standing']>

async function settlementsOf(r: Read) {
  const today = localDay(r.now)
  const run = (await listRuns(r, new Date(r.now.getTime() - DAY_MS))).find(({ day }) => day === today)
  return {
    today: run?.settlements ?? 0,
    paying: run?.paying ?? 0,
    amount: nairaText(run?.kobo ?? 0n),
    nextRunAt: text(await nextRunAt(r)),
  }
}

async function standingOf(r: Read): Promise<Standing> {
  const waits = await sql.waits(r)
  const statement = await sql.statement(r)
  const claims = await sql.claims(r)
  const owed = await listOpen(r)
  const banks = await sql.banks(r, new Date(r.now.getTime() - HOUR_MS))
  return {
    timers: queue('timers', await sql.timers(r)),
    deliveries: queue('deliveries', await sql.deliveries(r)),
    events: queue('events', await sql.events(r)),
    nextCheckAt: text(await sql.nextTimer(r, NIGHT_TIMER)),
    statement: {
      comparedDay: statement?.compared_day ?? null,
      comparedAt: text(statement?.compared_at),
      waitingDay: statement?.waiting_day ?? null,
    },
    settlements: { ...(await settlementsOf(r)), held: waits?.held ?? 0 },
    breaks: { open: waits?.breaks ?? 0, oldestAt: text(waits?.oldest_break) },
    suspense: { items: waits?.items ?? 0, amount: nairaText(waits?.kobo ?? 0n), oldestAt: text(waits?.oldest_item) },
    receivables: {
      merchants: owed.length,
      amount: nairaText(owed.reduce((sum, { kobo }) => sum + kobo, 0n)),
      oldestAt: text(owed[0]?.since),
    },
    acquirers: { amount: nairaText(claims?.acquirers_kobo ?? 0n) },
    disputes: { open: claims?.disputes ?? 0, dueAt: text(claims?.due_at) },
    applicants: waits?.applicants ?? 0,
    banks: banks.map(({ bank_code, half_ms, ...counts }) => ({ bankCode: bank_code, ...counts, halfMs: half_ms })),
  }
}

/** Null where the cell does not answer: the board is for that too, so the rest of it is shown. */
async function ifAnswers<T>(ctx: Ctx, cell: CellId, work: (r: Read) => Promise<T>): Promise<T | null> {
  try {
    return await readAll(ctx, cell, work)
  } catch (error) {
    ctx.log.warn('board: cell does not answer', { cell, detail: String(error) })
    return null
  }
}

export const boardViews: BoundView[] = [
  bindView(showBoard, async (ctx) => ({
    at: ctx.clock.now().toISOString(),
    cells: await Promise.all(
      [...ctx.cells.keys()].map(async (cell) => ({ cell, standing: await ifAnswers(ctx, cell, standingOf) })),
    ),
  })),
  bindView(showVersions, async (ctx) => {
    const needed = neededMigrations()
    const cells = await Promise.all(
      [...ctx.cells.keys()].map(async (cell) => {
        const applied = await ifAnswers(ctx, cell, sql.migrations)
        const names = new Set(applied?.map(({ name }) => name))
        return {
          cell,
          schema: applied?.at(-1)?.name ?? null,
          appliedAt: text(applied?.at(-1)?.applied_at),
          missing: applied === null ? [] : needed.filter((name) => !names.has(name)),
        }
      }),
    )
    return { program: PROGRAM_VERSION, identities: ctx.identities.id, cells }
  }),
]
