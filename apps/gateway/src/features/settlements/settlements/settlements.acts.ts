import { DAY_MS } from '@cowrie/contract/kit/durations'
import { nairaText } from '@cowrie/contract/kit/money'
import {
  addHoliday,
  holdSettlements,
  listHeldSettlements,
  listReceivables,
  listSettlementRuns,
  previewSettlements,
  releaseSettlements,
} from '@cowrie/contract/settlements/operations'
import type { Merchant } from '#core/access/merchants.ts'
import { type BoundAct, type BoundView, bindAct, bindView } from '#core/acts/acts.ts'
import { readAll } from '#core/cells/cells.ts'
import type { Shared } from '#core/feature.ts'
import { listOpen } from '#features/wallets/receivables/receivables.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { localDay } from '#kit/times.ts'
import { gatherAll } from './lines/lines.ts'
import * as operator from './operator.ts'
import { ruleAct } from './rules.ts'

/** One that the calendar has. */
const isDay = (text: string): boolean => {
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
const RUNS_DAYS = 60

const merchantOf = ({ merchant }: { readonly merchant: Merchant | null }): Merchant =>
  merchant ?? fail('MERCHANT_UNKNOWN')

async function wouldPay(ctx: Ctx, cell: CellId, merchantId: bigint | null) {
  await gatherAll(ctx, cell)
  const content: { merchant: string; subAccount: string | null; amount: string; lines: number; destination: string }[] =
    []
  let total = 0n
  for await (const { kobo, ...one } of operator.dryRun(ctx, cell, merchantId)) {
    if (kobo > 0n) total += kobo
    content.push({ ...one, amount: nairaText(kobo) })
  }
  return { content, total: nairaText(total) }
}

const held = async (ctx: Ctx, { cell, id }: Merchant) =>
  (await readAll(ctx, cell, (r) => operator.findHold(r, id))) ?? fail('WRONG_STATE', {}, `merchant ${id} is not held`)

export const settlementActs = ({ ctx: world }: Shared): BoundAct[] => [
  ruleAct(world),
  bindAct(holdSettlements, {
    run: async (t, call) => {
      const merchant = merchantOf(call)
      if (call.reason === '') fail('FIELD_MISSING', { field: 'reason' })
      if (!(await operator.hold(t, merchant.id, call.reason))) fail('WRONG_STATE', {}, `${merchant.id} is held already`)
      const reply = { merchant: merchant.apiKey, heldSince: t.now.toISOString() }
      return { reply, before: null, after: { heldSince: reply.heldSince } }
    },
  }),
  bindAct(releaseSettlements, {
    prepare: (ctx, call) => held(ctx, merchantOf(call)),
    run: async (t, call) => {
      const merchant = merchantOf(call)
      const hold = (await operator.release(t, merchant.id)) ?? fail('WRONG_STATE', {}, `${merchant.id} is not held`)
      const heldSince = hold.since.toISOString()
      return {
        reply: { merchant: merchant.apiKey, heldSince },
        before: { heldSince, reason: hold.reason },
        after: null,
      }
    },
    preview: async (ctx, call) => {
      const merchant = merchantOf(call)
      const { reason, since } = await held(ctx, merchant)
      return { merchant: merchant.apiKey, heldSince: since.toISOString(), reason }
    },
  }),
  bindAct(addHoliday, {
    prepare: async (ctx, { input }) => {
      if (!isDay(input.day)) fail('FIELD_INVALID', { field: 'day', why: 'must be a day, such as 2026-12-24' })
      if (input.day <= localDay(ctx.clock.now()))
        fail('FIELD_INVALID', { field: 'day', why: 'must be after today: what was due today has been paid' })
    },
    needsApproval: (ctx, { cell, input }) => readAll(ctx, cell, (r) => operator.isNearHoliday(r, input.day)),
    run: async (t, { input: { day, name } }) => {
      if (!(await operator.addHoliday(t, day, name))) fail('WRONG_STATE', {}, `${day} is a holiday already`)
      return { reply: { day, name }, before: null, after: { day, name } }
    },
  }),
]

export const settlementViews: BoundView[] = [
  bindView(previewSettlements, (ctx, { cell, merchant }) => wouldPay(ctx, cell, merchant?.id ?? null)),
  bindView(listHeldSettlements, async (ctx, { cell }) => {
    const rows = await readAll(ctx, cell, (r) => operator.listHeld(r))
    const content = rows.map((row) => ({
      merchant: row.api_key,
      name: row.name,
      reason: row.reason,
      since: row.since.toISOString(),
    }))
    return { content }
  }),
  bindView(listSettlementRuns, (ctx, { cell }) =>
    readAll(ctx, cell, async (r) => {
      const rows = await operator.listRuns(r, new Date(r.now.getTime() - RUNS_DAYS * DAY_MS))
      const next = await operator.nextRunAt(r)
      const content = rows.map(({ kobo, ...row }) => ({ ...row, amount: nairaText(kobo) }))
      return { nextRunAt: next?.toISOString() ?? null, content }
    }),
  ),
  bindView(listReceivables, async (ctx, { cell }) => {
    const rows = await readAll(ctx, cell, (r) => listOpen(r))
    const content = rows.map((row) => ({
      merchant: row.api_key,
      name: row.name,
      amount: nairaText(row.kobo),
      since: row.since.toISOString(),
    }))
    return { content, total: nairaText(rows.reduce((sum, { kobo }) => sum + kobo, 0n)) }
  }),
]
