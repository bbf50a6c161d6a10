import { nairaText } from '@cowrie/contract/kit/money'
import { askAgain, listWork, repairWork, showWork, type WorkKind } from '@cowrie/contract/screens/work'
import type { Merchant } from '#core/access/merchants.ts'
import { type BoundAct, type BoundView, bindAct, bindView } from '#core/acts/acts.ts'
import { approvedBy } from '#core/acts/approved.ts'
import { readAll } from '#core/cells/cells.ts'
import type { Waiting } from '#core/declarations.ts'
import { onePerProcess, type Shared } from '#core/feature.ts'
import { fail } from '#kit/fail.ts'
import { eventText } from '#kit/ids.ts'
import * as sql from './work.sql.ts'
import { prepareRepair, repair } from './work.ts'

const LISTED_MAX = 500
/** A worker looks at its timers every second; one that is so late has nobody. */
const OVERDUE_MS = 60_000

const merchantOf = ({ merchant }: { readonly merchant: Merchant | null }): Merchant =>
  merchant ?? fail('MERCHANT_UNKNOWN')

const worksOf = onePerProcess(({ features }) => sql.gatherWork(features))
const sourceOf = (shared: Shared, kind: WorkKind): Waiting =>
  worksOf(shared).sources[kind] ?? fail('INTERNAL', {}, `no feature declares what waits as ${kind}`)

export const workActs = (shared: Shared): BoundAct[] => [
  bindAct(askAgain, {
    run: async (t, call) => {
      const { kind, reference } = call.input
      const row = (await sql.find(t, worksOf(shared), merchantOf(call).id, kind, reference)) ?? fail('WORK_NOT_FOUND')
      const asked = await sql.bringForward(t, sourceOf(shared, kind), row)
      const before = { kind, reference, nextAt: row.next_at?.toISOString() ?? null }
      return { reply: { asked }, before, after: { asked } }
    },
    after: (ctx, { cell }) => ctx.wake(cell),
  }),
  bindAct(repairWork, {
    prepare: (_, call) => prepareRepair(shared, call, merchantOf(call)),
    run: async (t, call, prepared: Awaited<ReturnType<typeof prepareRepair>>) => {
      const state = await repair(shared, t, call, merchantOf(call), prepared, approvedBy(call))
      const { kind, reference, evidence } = call.input
      return { reply: { reference, state }, before: { kind, reference }, after: { state, evidence } }
    },
    after: (ctx, { cell }) => ctx.wake(cell),
  }),
]

const shown = (row: sql.WorkRow, now: Date) => ({
  kind: row.kind,
  reference: row.reference,
  merchant: row.api_key,
  state: row.state,
  amount: row.kobo === null ? null : nairaText(row.kobo),
  since: row.since.toISOString(),
  ageMinutes: Math.max(0, Math.floor((now.getTime() - row.since.getTime()) / 60_000)),
  questions: row.questions,
  nextAt: row.next_at?.toISOString() ?? null,
  sessionId: row.session_id,
})

export const workViews = (shared: Shared): BoundView[] => [
  bindView(listWork, (ctx, { cell, query }) =>
    readAll(ctx, cell, async (r) => {
      const minutes = /^\d{1,7}$/.test(query.olderThanMinutes ?? '') ? Number(query.olderThanMinutes) : 0
      const rows = await sql.list(r, worksOf(shared), new Date(r.now.getTime() - minutes * 60_000), LISTED_MAX)
      const timers = await sql.listOverdue(r, new Date(r.now.getTime() - OVERDUE_MS), LISTED_MAX)
      const deliveries = await sql.listGivenUp(r, LISTED_MAX)
      return {
        content: rows.map((row) => shown(row, r.now)),
        timers: timers.map((row) => ({
          timer: row.kind,
          merchant: row.api_key,
          subject: String(row.subject),
          dueAt: row.due_at.toISOString(),
          attempts: row.attempts,
        })),
        deliveries: deliveries.map((row) => ({
          merchant: row.api_key,
          endpoint: String(row.endpoint_id),
          givenUp: row.given_up,
          firstEvent: eventText(cell, row.first_event),
          lastAttemptAt: row.last_at.toISOString(),
        })),
      }
    }),
  ),
  bindView(showWork, (ctx, call) =>
    readAll(ctx, call.cell, async (r) => {
      const { kind, reference } = call.query
      const row = (await sql.find(r, worksOf(shared), merchantOf(call).id, kind, reference)) ?? fail('WORK_NOT_FOUND')
      const steps = await sql.path(r, sourceOf(shared, kind).machine, row.id, row.merchant_id)
      return {
        work: shown(row, r.now),
        path: steps.map(({ action, from_state, to_state, at }) => ({
          action,
          from: from_state,
          to: to_state,
          at: at.toISOString(),
        })),
      }
    }),
  ),
]
