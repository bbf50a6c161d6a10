// Home: what a merchant's people see first. The figures of today and of seven days, where the money is now,
// and what needs somebody. Nothing moves and nobody waits. All of it is read on one snapshot; sections that
// the role may not read are not asked for.
import { masked } from '@cowrie/contract/access/masking'
import { DAY_MS } from '@cowrie/contract/kit/durations'
import { nairaNumber } from '@cowrie/contract/kit/money'
import { type HomeFigures, homeFigures } from '@cowrie/contract/screens/home'
import type { Actor } from '#core/access/actor.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { type BoundView, bindView, needMerchant } from '#core/acts/acts.ts'
import { readAs } from '#core/cells/cells.ts'
import { accountId } from '#core/ledger/chart.ts'
import { balance } from '#core/ledger/ledger.ts'
import { nextSettlement } from '#features/settlements/settlements/operator.ts'
import type { Ctx, Read } from '#kit/ctx.ts'
import { dayStart, localDay } from '#kit/times.ts'
import * as sql from './home.sql.ts'

const DAYS_BEFORE = 6
/** States in which money was paid. */
const PAID: ReadonlySet<string> = new Set(['PAID', 'PARTIALLY_PAID', 'OVERPAID'])

/** West Africa has no summer time: a day is always as long. */
function spansUntil(now: Date): [sql.Span, ...sql.Span[]] {
  const today = dayStart(now).getTime()
  const spanOf = (back: number): sql.Span => {
    const from = new Date(today - back * DAY_MS)
    return { day: localDay(from), from, to: new Date(from.getTime() + DAY_MS) }
  }
  const rest = Array.from({ length: DAYS_BEFORE }, (_, at) => spanOf(DAYS_BEFORE - 1 - at))
  return [spanOf(DAYS_BEFORE), ...rest]
}

async function collected(
  read: Read,
  merchantId: bigint,
): Promise<Pick<HomeFigures, 'day' | 'from' | 'today' | 'days' | 'waiting'>> {
  const spans = spansUntil(read.now)
  const rows = await sql.days(read, merchantId, spans)
  const waiting = await sql.waiting(read, merchantId)
  const day = localDay(read.now)
  const days = spans.map((span) => {
    const paid = rows.filter((row) => row.day === span.day && PAID.has(row.status))
    return {
      day: span.day,
      from: span.from.toISOString(),
      payments: paid.reduce((sum, row) => sum + row.payments, 0),
      amount: nairaNumber(paid.reduce((sum, row) => sum + row.kobo, 0n)),
    }
  })
  return {
    day,
    from: dayStart(read.now).toISOString(),
    today: rows
      .filter((row) => row.day === day)
      .map(({ status, payments, kobo }) => ({ status, payments, amount: nairaNumber(kobo) })),
    days,
    waiting: { payments: waiting.payments, amount: nairaNumber(waiting.kobo) },
  }
}

async function settlementOf(read: Read, merchantId: bigint): Promise<HomeFigures['settlement']> {
  const next = await nextSettlement(read, merchantId)
  if (!next) return null
  const { kobo, at, ...rest } = next
  return {
    ...rest,
    at: at?.toISOString() ?? null,
    amount: nairaNumber(kobo),
    pending: { amount: nairaNumber(await balance(read, accountId(merchantId, 'PENDING'))) },
  }
}

async function walletOf(read: Read, { id, transfers }: Merchant): Promise<HomeFigures['wallet']> {
  const kobo = await balance(read, accountId(id, 'WALLET'))
  const { lowBalanceKobo } = transfers
  const low = lowBalanceKobo !== null && kobo < lowBalanceKobo
  return { amount: nairaNumber(kobo), lowBelow: low ? nairaNumber(lowBalanceKobo) : null }
}

async function heldOf(read: Read, merchantId: bigint): Promise<HomeFigures['held']> {
  const { items, kobo, decide_by } = await sql.held(read, merchantId)
  return { items, amount: nairaNumber(kobo), decideBy: decide_by?.toISOString() ?? null }
}

const endpointsOf = async (read: Read, merchantId: bigint): Promise<HomeFigures['endpoints']> =>
  (await sql.failing(read, merchantId)).map(({ url, status, failing_since }) => ({
    url,
    status,
    failingSince: failing_since?.toISOString() ?? null,
  }))

export async function figures(ctx: Ctx, merchant: Merchant, by: Actor): Promise<HomeFigures> {
  const { id, cell } = merchant
  const shown = await readAs(ctx, cell, id, async (read) => ({
    ...(await collected(read, id)),
    settlement: by.may('settlements.read') ? await settlementOf(read, id) : null,
    wallet: by.may('wallets.read') ? await walletOf(read, merchant) : null,
    payouts: by.may('payouts.read') ? { amount: nairaNumber(await balance(read, accountId(id, 'PAYOUT_HOLD'))) } : null,
    held: by.may('suspense.read') ? await heldOf(read, id) : null,
    endpoints: by.may('webhooks.read') ? await endpointsOf(read, id) : null,
  }))
  return by.may('personalData.read') ? shown : (masked(shown) as HomeFigures)
}

export const homeViews = (): readonly BoundView[] => [
  bindView(homeFigures, (ctx, { merchant, by }) => figures(ctx, needMerchant({ merchant }, 'figures'), by)),
]
