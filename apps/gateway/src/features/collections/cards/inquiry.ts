// Looking after charges that nobody answers for: the timer cards.look, and the payer who comes back from the
// issuer's page.
//   SENT → ask the issuer       OTP, INPUT, CHALLENGE past their time → ask, then give up       REVERSING →
//     reverse until it is confirmed
// The issuer alone knows what became of a charge. Silence changes nothing here; it is asked again, with
// longer pauses, for a week. Then the charge stands with the operator's work and no timer asks any more: two
// people decide (decided.ts), or have it asked about once more. A notice of its connector says that it is
// worth asking now, and nothing else.

import type { CardAnswerV2 } from '@cowrie/contract/bank/v2/cards'
import { DAY_MS, HOUR_MS } from '@cowrie/contract/kit/durations'
import { INQUIRE_CHARGE } from '@cowrie/contract/kit/timers'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { type DueRow, schedule } from '#core/agenda.ts'
import { engineTx, findCell, readAll } from '#core/cells/cells.ts'
import { type Inquiry, inquire } from '#core/outgoing.ts'
import { isOfConnector } from '#core/routing/routing.ts'
import { sameText } from '#kit/crypto.ts'
import type { Ctx } from '#kit/ctx.ts'
import { type CellId, cellOfCardCharge } from '#kit/ids.ts'
import { forget } from './attempts.sql.ts'
import * as sql from './cards.sql.ts'
import { type IssuerOutcome, inquireCharge, reverseAt } from './issuer.ts'
import { applyOutcome, asksAnew, confirmReversed, giveUp } from './outcome.ts'

/** The timer that a notice sets: it asks once, and leaves the charge's own timer as it is. */
export const NOTICED = 'cards.noticed'

const PAUSE_MIN_MS = 2_000
const PAUSE_MAX_MS = 300_000
/** Of a charge that its acquirer has said nothing about for a day it seldom says anything later; if it does,
 *  by a notice. */
const PAUSE_OLD_MS = HOUR_MS
/** For so long a silent acquirer is asked about one charge. */
export const ASKED_FOR_MS = 7 * DAY_MS

/** The older the question, the longer the pause: half its age. */
export const pauseAfter = (ageMs: number): number =>
  ageMs >= DAY_MS ? PAUSE_OLD_MS : Math.min(PAUSE_MAX_MS, Math.max(PAUSE_MIN_MS, ageMs / 2))
const nextLook = (charge: sql.ChargeRow, now: Date): Date =>
  new Date(now.getTime() + pauseAfter(now.getTime() - charge.created_at.getTime()))

/** The timer of the next question, or the end of asking. One that has moved meanwhile was given its timer by
 *  whoever moved it. */
const again = (ctx: Ctx, cell: CellId, charge: sql.ChargeRow, at: Date | null = null): Promise<void> =>
  engineTx(ctx, cell, async (t) => {
    if (at === null && t.now.getTime() - charge.created_at.getTime() >= ASKED_FOR_MS) {
      await sql.endAsking(t, charge)
      return
    }
    await schedule(t, INQUIRE_CHARGE, charge.merchant_id, charge.id, at ?? nextLook(charge, t.now))
  })

const lapsed = (charge: sql.ChargeRow, now: Date): boolean => charge.waits_until !== null && charge.waits_until <= now

/** Who looks: the timer, which is gone afterwards and has to leave another; or the payer or a notice, which
 *  change no timer. */
type By = 'timer' | 'payer' | 'notice'

/** The payer still has to do something, and the charge stands where it stood. */
const waitsForPayer = (charge: sql.ChargeRow, outcome: IssuerOutcome): boolean =>
  outcome.kind === 'yes' &&
  charge.status !== 'SENT' &&
  ['OTP', 'CHALLENGE', 'INPUT'].includes(outcome.value.state) &&
  !asksAnew(charge, outcome.value)

/** What is asked of an issuer about an open charge (core/outgoing.ts). */
const inquiryOf = (ctx: Ctx, merchant: Merchant, by: By): Inquiry<sql.ChargeRow, CardAnswerV2> => ({
  isPending: sql.isOpen,
  ask: (cell, charge) => inquireCharge(ctx, cell, charge),
  isUnheardOf: (outcome) => outcome.kind === 'no' && outcome.status === 404,
  // A charge is barred by being reversed there: what is still on its way must not be granted later. The timer
  // of the reversal sees to it.
  bar: async (cell, charge) => {
    await abandon(ctx, cell, charge, 'The issuer never received the charge', true)
    return null
  },
  conclude: async (cell, charge, outcome) => {
    if (outcome.kind !== 'yes') return false
    if (waitsForPayer(charge, outcome)) {
      const late = lapsed(charge, ctx.clock.now())
      if (late) await abandon(ctx, cell, charge, 'The payer did not confirm in time')
      return late
    }
    const applied = await engineTx(ctx, cell, (t) => applyOutcome(ctx, t, merchant, charge, outcome.value))
    // Whoever moves a charge sets its next timer. One that stands where it stood keeps this one.
    return applied.moved || applied.charge.version !== charge.version
  },
  askAgain: async (cell, charge, outcome) => {
    if (by === 'timer') await again(ctx, cell, charge, waitsForPayer(charge, outcome) ? charge.waits_until : null)
  },
})

/** Under the transaction's lock, like everything that moves a charge. */
const abandon = (ctx: Ctx, cell: CellId, charge: sql.ChargeRow, why: string, neverReached = false): Promise<void> =>
  engineTx(ctx, cell, async (t) => {
    await sql.lockById(t, charge.merchant_id, charge.transaction_id)
    await giveUp(t, charge, why, neverReached)
    if (neverReached) await forget(t, [charge.id])
  })

async function reverse(ctx: Ctx, cell: CellId, charge: sql.ChargeRow, by: By): Promise<void> {
  const outcome = await reverseAt(ctx, cell, charge)
  if (outcome.kind === 'yes' && outcome.value.state === 'REVERSED')
    await engineTx(ctx, cell, (t) => confirmReversed(t, charge))
  else if (by === 'timer') await again(ctx, cell, charge)
}

async function look(
  ctx: Ctx,
  merchants: Merchants,
  cell: CellId,
  merchantId: bigint,
  chargeId: bigint,
  by: By,
): Promise<void> {
  const charge = await readAll(ctx, cell, (r) => sql.find(r, merchantId, chargeId))
  if (!charge) return
  if (charge.status === 'REVERSING') return reverse(ctx, cell, charge, by)
  if (sql.isOpen(charge)) {
    const merchant = await merchants.must(cell, merchantId)
    await inquire(inquiryOf(ctx, merchant, by), cell, charge)
    ctx.wake(cell)
  }
}

/** Their timers have fallen due. */
export async function inquireAll(
  ctx: Ctx,
  merchants: Merchants,
  cell: CellId,
  rows: readonly DueRow[],
  by: By = 'timer',
): Promise<void> {
  await Promise.all(rows.map((row) => look(ctx, merchants, cell, row.merchant_id, row.subject, by)))
}

/** A connector says that a charge has changed. False: it was not given such a charge. */
export async function onNotice(ctx: Ctx, reference: string, connector: string): Promise<boolean> {
  const found = await findCharge(ctx, reference, connector)
  if (!found) return false
  const { cell, charge } = found
  if (!sql.isWaiting(charge)) return true
  await engineTx(ctx, cell, (t) => schedule(t, NOTICED, charge.merchant_id, charge.id, t.now))
  ctx.wake(cell)
  return true
}

/** A charge that a connector speaks about; null when there is none, or another connector has it. */
export async function findCharge(
  ctx: Ctx,
  reference: string,
  connector: string,
): Promise<{ readonly cell: CellId; readonly charge: sql.ChargeRow } | null> {
  const cell = findCell(ctx, cellOfCardCharge(reference))
  const charge = cell && (await readAll(ctx, cell.id, (r) => sql.findByReference(r, reference)))
  if (!cell || !charge || !(await isOfConnector(ctx, cell.id, charge.connector, connector))) return null
  return { cell: cell.id, charge }
}

/** The charge behind a page's address, and what it is for; null for an unknown address. */
export async function findByPage(
  ctx: Ctx,
  reference: string,
  token: string,
): Promise<{ cell: CellId; charge: sql.ChargeRow; transaction: sql.PayableRow } | null> {
  const cell = findCell(ctx, cellOfCardCharge(reference))
  const charge = cell && (await readAll(ctx, cell.id, (r) => sql.findByReference(r, reference)))
  if (!cell || !charge || !sameText(charge.return_token, token)) return null
  const transaction = await readAll(ctx, cell.id, (r) =>
    sql.findTransaction(r, charge.merchant_id, charge.transaction_id),
  )
  return transaction && { cell: cell.id, charge, transaction }
}

/** A payer comes back from the issuer's page. The address proves nothing: the issuer is asked. Null for an
 *  unknown address. */
export async function returnFrom3ds(
  ctx: Ctx,
  merchants: Merchants,
  reference: string,
  token: string,
): Promise<{ charge: sql.ChargeRow; transaction: sql.PayableRow } | null> {
  const found = await findByPage(ctx, reference, token)
  if (found?.charge.status !== 'CHALLENGE') return found
  const { cell, charge } = found
  await look(ctx, merchants, cell, charge.merchant_id, charge.id, 'payer')
  return findByPage(ctx, reference, token)
}
