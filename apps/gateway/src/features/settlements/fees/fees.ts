// Fees: what a merchant is charged, as dated schedules of a method of payment, of payouts, refunds and
// verification.
//   set (two people) → coming → in force, by the clock of every process → past
// Books: none of its own; every posting with a fee names the schedule it was priced by (fees.books.ts,
// payments.books.ts). A schedule is never edited and never begins in the past, so what was charged stays as
// it was. Who waits: nobody.

import type { ActReplyOf, InputOf, ViewQueryOf, ViewReplyOf } from '@cowrie/contract/kit/act'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { type FeeRule, nairaText, parseNaira } from '@cowrie/contract/kit/money'
import {
  type Bearer,
  CHARGED,
  COLLECTION_METHODS,
  CUSTOMER_BEARS,
  type FeeMethod,
  type FeePreview,
  type listFees,
  OVERVIEW_MOST,
  type overviewFees,
  type setFees,
} from '@cowrie/contract/settlements/fees'
import type { Static } from 'typebox'
import { feeScheduleAt } from '#core/access/fees.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { cellById, readAll, readAs } from '#core/cells/cells.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { parseBegin } from '#kit/times.ts'
import * as sql from './fees.sql.ts'

type Input = InputOf<typeof setFees>
type Shown = ActReplyOf<typeof setFees>
const PREVIEW_DAYS = 30

// ---- setting

const naira = (field: 'flat' | 'cap', text: string): bigint => parseNaira(text) ?? fail('AMOUNT_INVALID', { field })

function ruleOf({ method, basisPoints, flat = '0', cap, bearer = 'MERCHANT' }: Input): FeeRule & { bearer: Bearer } {
  if (bearer === 'CUSTOMER' && !CUSTOMER_BEARS.includes(method)) fail('FEE_BEARER', { field: 'bearer' })
  return { basisPoints: BigInt(basisPoints), flatKobo: naira('flat', flat), capKobo: naira('cap', cap), bearer }
}

const beginning = (text: string | undefined, now: Date): Date => parseBegin(text, now) ?? fail('FEE_DATE')

/** Refuses what could not be set now. */
export const checkFees = (ctx: Ctx, input: Input): void => {
  ruleOf(input)
  beginning(input.validFrom, ctx.clock.now())
}

/** A new version. It takes effect at its instant in every process; all of them know it within five
 *  seconds. */
export async function set(
  ctx: Ctx,
  t: Tx,
  merchant: Merchant,
  input: Input,
): Promise<{ made: Shown; before: Shown | null }> {
  const { basisPoints, flatKobo, capKobo, bearer } = ruleOf(input)
  const validFrom = beginning(input.validFrom, t.now)
  const known = await sql.list(t, merchant.id)
  const before = known.find((row) => row.method === input.method && row.valid_from <= validFrom)
  const [id] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  const row: sql.ScheduleRow = {
    id,
    method: input.method,
    basis_points: basisPoints,
    flat_kobo: flatKobo,
    cap_kobo: capKobo,
    bearer,
    valid_from: validFrom,
  }
  if (!(await sql.insert(t, merchant.id, row))) fail('FEE_DATE_TAKEN', { field: 'validFrom' })
  const state = validFrom <= t.now ? 'IN_FORCE' : 'COMING'
  return {
    made: view(row, state),
    before: before ? view(before, before.valid_from <= t.now ? 'IN_FORCE' : 'COMING') : null,
  }
}

// ---- trying

/** The last thirty days again, by the schedules in force and as if the proposed one were: what the next month
 *  would look like. */
export async function preview(ctx: Ctx, merchant: Merchant, input: Input): Promise<Static<typeof FeePreview>> {
  const rule = ruleOf(input)
  const now = ctx.clock.now()
  beginning(input.validFrom, now)
  const from = new Date(now.getTime() - PREVIEW_DAYS * DAY_MS)
  const rules = [...COLLECTION_METHODS, ...CHARGED].map((method) => {
    const inForce = feeScheduleAt(merchant, method, now)
    const covered = input.method === 'ANY' && isCollected(method) && inForce?.method !== method
    return { method, now: inForce, proposed: method === input.method || covered ? rule : inForce }
  })
  const rows = await readAs(ctx, merchant.cell, merchant.id, (r) => sql.traffic(r, merchant.id, from, now, rules))
  return {
    from: from.toISOString(),
    to: now.toISOString(),
    methods: rows.map((row) => ({
      method: row.method,
      count: row.count,
      volume: nairaText(row.volume),
      feeNow: nairaText(row.fee_now),
      feeThen: nairaText(row.fee_proposed),
    })),
  }
}
const isCollected = (method: FeeMethod): boolean => (COLLECTION_METHODS as readonly string[]).includes(method)

// ---- what is shown

const view = (row: sql.ScheduleRow, state: Shown['state']): Shown => ({
  id: String(row.id),
  method: row.method,
  basisPoints: Number(row.basis_points),
  flat: nairaText(row.flat_kobo),
  cap: nairaText(row.cap_kobo),
  bearer: row.bearer,
  validFrom: row.valid_from.toISOString(),
  state,
})

export const listAll = (ctx: Ctx, merchant: Merchant): Promise<ViewReplyOf<typeof listFees>> =>
  readAs(ctx, merchant.cell, merchant.id, async (r) => {
    const rows = await sql.list(r, merchant.id)
    const inForce = (row: sql.ScheduleRow): boolean =>
      rows.find((one) => one.method === row.method && one.valid_from <= r.now)?.id === row.id
    const stateOf = (row: sql.ScheduleRow) => (row.valid_from > r.now ? 'COMING' : inForce(row) ? 'IN_FORCE' : 'PAST')
    return { schedules: rows.map((row) => view(row, stateOf(row))) }
  })

/** Of all merchants of a cell, for the operator. */
export const overview = (
  ctx: Ctx,
  cell: CellId,
  query: ViewQueryOf<typeof overviewFees>,
): Promise<ViewReplyOf<typeof overviewFees>> =>
  readAll(ctx, cell, async (r) => {
    const rows = await sql.overview(r, query, OVERVIEW_MOST + 1)
    const shown = rows.slice(0, OVERVIEW_MOST)
    return {
      schedules: shown.map((row) => ({
        ...view(row, row.state),
        merchant: row.api_key,
        merchantName: row.merchant_name,
      })),
      more: rows.length > OVERVIEW_MOST,
    }
  })
