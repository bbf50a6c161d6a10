import { masked } from '@cowrie/contract/access/masking'
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import {
  assignBreak,
  closeBreak,
  correctBreak,
  listBreaksView,
  showBreakView,
  undoCorrection,
} from '@cowrie/contract/settlements/breaks'
import type { Actor } from '#core/access/actor.ts'
import { type ActCall, type BoundAct, type BoundView, bindAct, bindView } from '#core/acts/acts.ts'
import { approvedBy, numberIn } from '#core/acts/approved.ts'
import { readAll } from '#core/cells/cells.ts'
import type { Shared } from '#core/feature.ts'
import { HOUSE, houseAccount, isBankAccount, isOfKind } from '#core/ledger/chart.ts'
import type { Entry } from '#core/ledger/ledger.ts'
import { findOperator } from '#features/access/people/team.ts'
import { assign, type BreakRow, findIn, listBreaks, resolveAll } from '#features/bank/breaks/breaks.ts'
import { findLine } from '#features/settlements/reconciliation/difference.ts'
import type { Read } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { approvalReference, type CellId } from '#kit/ids.ts'
import { apiKeys } from './corrections.sql.ts'
import {
  type Correction,
  type CorrectionRequest,
  correct,
  correctionSize,
  correctionsFor,
  findCorrectable,
  lockFor,
  planCorrection,
  type Where,
} from './corrections.ts'
import { planUndo, type Undo, undo } from './undo.ts'

const idOf = (text: string): bigint => numberIn(text) ?? fail('BREAK_NOT_FOUND')
const openBreak = async (read: Read, text: string): Promise<BreakRow> => {
  const row = (await findIn(read, idOf(text))) ?? fail('BREAK_NOT_FOUND')
  return row.status === 'OPEN' ? row : fail('WRONG_STATE', {}, `break ${row.id} is ${row.status}`)
}

function askedOf({ input, merchant }: ActCall<typeof correctBreak>): CorrectionRequest {
  const kobo = parseNaira(input.amount) ?? fail('AMOUNT_INVALID', { field: 'amount' })
  return { id: idOf(input.id), kind: input.correction, kobo, merchant }
}

const NAMES: ReadonlyMap<bigint, string> = new Map([
  [houseAccount('SUSPENSE'), 'suspense'],
  [houseAccount('DIFFERENCES'), 'differences'],
  [houseAccount('FEE_INCOME'), 'fee income'],
  [houseAccount('BILLERS'), 'billers'],
  [houseAccount('AGENTS'), 'agents'],
  [houseAccount('SWEEPS'), 'on its way between banks'],
])
const entriesShown = (entries: readonly Entry[]) =>
  entries.map(({ account, kobo }) => ({
    account: isBankAccount(account)
      ? 'bank'
      : isOfKind(account, 'CARD_RECEIVABLE')
        ? 'owed by the acquirer'
        : (NAMES.get(account) ?? 'wallet of the merchant'),
    amount: nairaText(kobo),
  }))
const shown = (correction: Correction, id: string) => ({
  break: id,
  correction: correction.kind,
  amount: nairaText(correctionSize(correction)),
  posting: correction.kind === 'TO_SUSPENSE' ? 'SUSPENSE' : 'CORRECTION',
  entries: entriesShown(correction.entries),
})
const undoneShown = ({ entries }: Undo, id: string) => ({
  break: id,
  posting: 'CORRECTION_UNDO',
  entries: entriesShown(entries),
})

/** Whether one person may end it with words: both sides agree by now, or time alone ends it. */
async function isAgreed(where: Where, read: Read, text: string): Promise<boolean> {
  const found = (await findCorrectable(where, read, idOf(text))) ?? fail('BREAK_NOT_FOUND')
  return 'why' in found && found.agreed
}

export const correctionActs = (shared: Shared): BoundAct[] => [
  bindAct(assignBreak, {
    prepare: async (ctx, { input }): Promise<string> => (await findOperator(ctx, input.to)) ?? fail('MEMBER_UNKNOWN'),
    run: async (t, { input }, to: string) => {
      const row = await openBreak(t, input.id)
      if (!(await assign(t, row.id, to))) fail('WRONG_STATE', {}, `break ${row.id} is resolved`)
      const after = { assignedTo: to }
      return { reply: { id: input.id, ...after }, before: { assignedTo: row.assigned_to }, after }
    },
  }),
  bindAct(closeBreak, {
    prepare: async (ctx, { cell, input, reason }) => {
      if (reason === '') fail('FIELD_MISSING', { field: 'reason' })
      await readAll(ctx, cell, (r) => openBreak(r, input.id))
    },
    needsApproval: async (ctx, { cell, input }) =>
      !(await readAll(ctx, cell, (r) => isAgreed({ ctx, cell }, r, input.id))),
    run: async (t, { cell, input, reason, approvalId }) => {
      if (approvalId === null && !(await isAgreed({ ctx: shared.ctx, cell }, t, input.id)))
        fail('WRONG_STATE', {}, `break ${input.id} has a difference now`)
      const row = await openBreak(t, input.id)
      const ended = await resolveAll(t, [{ id: row.id, merchantId: row.merchant_id, done: reason }])
      if (ended.size === 0) fail('WRONG_STATE', {}, `break ${row.id} is resolved`)
      return { reply: { id: input.id, state: 'RESOLVED' }, before: { state: 'OPEN' }, after: { state: 'RESOLVED' } }
    },
  }),
  bindAct(correctBreak, {
    prepare: async (ctx, call): Promise<CorrectionRequest> => {
      const asked = askedOf(call)
      await readAll(ctx, call.cell, (r) => planCorrection({ ctx, cell: call.cell }, r, asked, nairaText))
      return asked
    },
    run: async (t, call, asked: CorrectionRequest) => {
      await lockFor(t, asked)
      const correction = await planCorrection({ ctx: shared.ctx, cell: call.cell }, t, asked, nairaText)
      const { merchantId } = correction
      const merchant = merchantId === HOUSE ? null : await shared.merchants.must(call.cell, merchantId)
      const approvalId = approvedBy(call)
      const transferId = await correct(shared.ctx, t, correction, merchant, { approvalId, reason: call.reason })
      const reply = shown(correction, call.input.id)
      return { reply, before: { state: 'OPEN' }, after: { ...reply, transfer: String(transferId) } }
    },
    preview: async (ctx, call) => {
      const asked = askedOf(call)
      const where = { ctx, cell: call.cell }
      return shown(await readAll(ctx, call.cell, (r) => planCorrection(where, r, asked, nairaText)), call.input.id)
    },
    after: (ctx, { cell }) => ctx.wake(cell),
  }),
  bindAct(undoCorrection, {
    prepare: async (ctx, { cell, input }) => {
      await readAll(ctx, cell, (r) => planUndo(r, idOf(input.id)))
    },
    run: async (t, call) => {
      const planned = await planUndo(t, idOf(call.input.id))
      const { merchantId } = planned
      const merchant = merchantId === HOUSE ? null : await shared.merchants.must(call.cell, merchantId)
      const transferId = await undo(shared.ctx, t, planned, merchant, approvedBy(call))
      const reply = undoneShown(planned, call.input.id)
      return { reply, before: { state: 'RESOLVED' }, after: { ...reply, transfer: String(transferId) } }
    },
    preview: async (ctx, { cell, input }) =>
      undoneShown(await readAll(ctx, cell, (r) => planUndo(r, idOf(input.id))), input.id),
    after: (ctx, { cell }) => ctx.wake(cell),
  }),
]

// ---- views

const naira = (kobo: bigint | null): string | null => (kobo === null ? null : nairaText(kobo))
const breakShown = (row: BreakRow, now: Date, cell: CellId, keys: ReadonlyMap<bigint, string>) => ({
  id: String(row.id),
  class: row.class,
  kind: row.kind,
  sessionId: row.session_id,
  state: row.status,
  ageDays: Math.floor(((row.resolved_at ?? now).getTime() - row.opened_at.getTime()) / DAY_MS),
  day: row.day,
  merchant: keys.get(row.merchant_id) ?? null,
  bank: naira(row.bank_kobo),
  ours: naira(row.our_kobo),
  says: row.says,
  assignedTo: row.assigned_to,
  done: row.done,
  approval: row.approval_id === null ? null : approvalReference(cell, row.approval_id),
})

type Line = NonNullable<ViewReplyOf<typeof showBreakView>['line']>
/** Who sent it is shown to the roles that may see persons. */
function lineShown(line: Awaited<ReturnType<typeof findLine>>, by: Actor): Line | null {
  if (!line) return null
  const shownLine: Line = {
    day: line.day,
    at: line.booked_at.toISOString(),
    direction: line.direction,
    amount: nairaText(line.kobo),
    bankCode: line.bank_code,
    accountNumber: line.account_number,
    name: line.sender_name,
    narration: line.says,
  }
  return by.may('operator.personalData.read')
    ? shownLine
    : { ...shownLine, ...(masked(personsOf(shownLine)) as object) }
}
const personsOf = ({ accountNumber, name, narration }: Line) => ({ accountNumber, name, narration })

export const correctionViews: BoundView[] = [
  bindView(listBreaksView, async (ctx, { cell, query }) => {
    const rows = (await listBreaks(ctx, cell, query.all === 'true')).filter(
      ({ assigned_to }) => query.assignedTo === undefined || assigned_to === query.assignedTo,
    )
    const ids = [...new Set(rows.map((row) => row.merchant_id))]
    const keys = await readAll(ctx, cell, (r) => apiKeys(r, ids))
    return { content: rows.map((row) => breakShown(row, ctx.clock.now(), cell, keys)) }
  }),
  bindView(showBreakView, (ctx, { cell, query, by }) =>
    readAll(ctx, cell, async (r) => {
      const found = (await findCorrectable({ ctx, cell }, r, idOf(query.id))) ?? fail('BREAK_NOT_FOUND')
      const keys = await apiKeys(r, [found.row.merchant_id])
      const none = 'why' in found
      return {
        break: breakShown(found.row, r.now, cell, keys),
        difference: none ? null : nairaText(found.kobo),
        corrections: none ? [] : correctionsFor(found),
        why: none ? found.why : null,
        openedAt: found.row.opened_at.toISOString(),
        line: lineShown(await findLine(r, found.row), by),
        state: none ? null : found.state,
      }
    }),
  ),
]
