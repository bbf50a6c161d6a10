// Limits: how much a merchant may ask for in one payment, pay out in one transfer, and both in a day of West
// Africa Time.
//   set (two people) → in force at once here, within five seconds elsewhere; what was in force before stays
//     on record
// Books: none. A transaction, invoice or debit above the limit is refused when it is asked for
// (transactions.ts); money that has come is counted, whatever it is, because refusing it would lose it.
// Payouts are held to disbursement_settings, which is set with the row here.

import { LIMIT_KINDS, type listLimits, type overviewLimits, type setLimits } from '@cowrie/contract/access/limits'
import type { ActReplyOf, InputOf, ViewQueryOf, ViewReplyOf } from '@cowrie/contract/kit/act'
import { nairaText, parseNaira } from '@cowrie/contract/kit/money'
import { OVERVIEW_MOST } from '@cowrie/contract/settlements/fees'
import type { Merchant } from '#core/access/merchants.ts'
import { cellById, readAll, readAs } from '#core/cells/cells.ts'
import type { Ctx, Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import * as sql from './limits.sql.ts'

type Input = InputOf<typeof setLimits>
type Shown = ActReplyOf<typeof setLimits>

function amountOf(field: 'perPayment' | 'perDay', text: string | undefined): bigint | null {
  if (text === undefined) return null
  return parseNaira(text) || fail('AMOUNT_INVALID', { field })
}

/** The row that an input asks for; refuses what no limit may be. */
export function toLimitRow({ kind, ...given }: Input): sql.LimitRow {
  const [perPayment, perDay] = [amountOf('perPayment', given.perPayment), amountOf('perDay', given.perDay)]
  if (kind === 'PAYOUTS' && (perPayment === null || perDay === null)) fail('LIMIT_WRONG')
  if (perPayment !== null && perDay !== null && perDay < perPayment) fail('LIMIT_WRONG', { field: 'perDay' })
  return { kind, per_payment_kobo: perPayment, per_day_kobo: perDay, valid_from: null }
}

export async function set(ctx: Ctx, t: Tx, merchant: Merchant, input: Input): Promise<{ made: Shown; before: Shown }> {
  const asked = toLimitRow(input)
  await sql.lock(t, merchant.id)
  const before = await inForce(t, merchant.id, input.kind)
  const [id] = (await cellById(ctx, t.cell).takeIds(1)) as [bigint]
  const row = { ...asked, valid_from: t.now }
  await sql.insert(t, { id, merchant_id: merchant.id, ...row })
  if (input.kind === 'PAYOUTS') await sql.setPayouts(t, merchant.id, row)
  return { made: view(row), before: view(before) }
}

/** Payouts have limits from the first day. */
async function inForce(read: Read, merchantId: bigint, kind: sql.LimitRow['kind']): Promise<sql.LimitRow> {
  const last = (await sql.list(read, merchantId)).find((row) => row.kind === kind)
  if (kind === 'COLLECTIONS') return last ?? { kind, per_payment_kobo: null, per_day_kobo: null, valid_from: null }
  const row =
    (await sql.payouts(read, merchantId)) ??
    fail('INTERNAL', {}, `merchant ${merchantId}: disbursement settings not found`)
  return { ...row, valid_from: last?.valid_from ?? null }
}

const view = (row: sql.LimitRow): Shown => ({
  kind: row.kind,
  perPayment: row.per_payment_kobo === null ? null : nairaText(row.per_payment_kobo),
  perDay: row.per_day_kobo === null ? null : nairaText(row.per_day_kobo),
  validFrom: row.valid_from?.toISOString() ?? null,
})

export const listAll = (ctx: Ctx, merchant: Merchant): Promise<ViewReplyOf<typeof listLimits>> =>
  readAs(ctx, merchant.cell, merchant.id, async (r) => {
    const rows = await sql.list(r, merchant.id)
    const isLast = (row: sql.LimitRow): boolean => rows.find((one) => one.kind === row.kind) === row
    const now: Shown[] = []
    for (const kind of LIMIT_KINDS) now.push(view(await inForce(r, merchant.id, kind)))
    return { inForce: now, before: rows.filter((row) => !isLast(row)).map(view) }
  })

/** Of all merchants of a cell, for the operator. */
export const overview = (
  ctx: Ctx,
  cell: CellId,
  query: ViewQueryOf<typeof overviewLimits>,
): Promise<ViewReplyOf<typeof overviewLimits>> =>
  readAll(ctx, cell, async (r) => {
    const rows = await sql.overview(r, query, OVERVIEW_MOST + 1)
    const shown = rows.slice(0, OVERVIEW_MOST)
    return {
      limits: shown.map((row) => ({ ...view(row), merchant: row.api_key, merchantName: row.merchant_name })),
      more: rows.length > OVERVIEW_MOST,
    }
  })
