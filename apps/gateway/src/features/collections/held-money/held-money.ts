// Held money: a merchant's people decide about money that its payment policy holds, which is accepted into
// the wallet or returned. By the commands of the operator (collections/decisions.ts), for as long as the item
// is the merchant's: held, and before its day.
//   HELD → accept → REASSIGNED        HELD → return → RETURNING
// One person with a proof of identity decides; above what the merchant chose for payouts, two do. What waits
// for the second ends with the item's own day, when the money is returned. It is paid money like any other:
// the limits of what a merchant collects hold for it, and it costs what a transfer cost when it came. Books:
// suspense → wallet and fee income (SUSPENSE_REASSIGN).

import { calculateFee, kobo as koboOf, nairaText, parseNaira } from '@cowrie/contract/kit/money'
import { acceptHeldMoney, listHeldMoney, returnHeldMoney } from '@cowrie/contract/screens/suspense'
import { feeScheduleAt, type Price } from '#core/access/fees.ts'
import type { Merchant } from '#core/access/merchants.ts'
import { type ActCall, type BoundAct, type BoundView, bindAct, bindView, needMerchant } from '#core/acts/acts.ts'
import { numberIn } from '#core/acts/approved.ts'
import { readAs } from '#core/cells/cells.ts'
import type { Shared } from '#core/feature.ts'
import { lockWallets } from '#core/ledger/ledger.ts'
import { referenceOfMoney } from '#core/routing/names.ts'
import { reassignHeld, returnHeld } from '#features/collections/credits/decisions.ts'
import { checkDayLimit, checkDayLimitIn, checkPaymentLimit } from '#features/collections/transactions/limits.ts'
import { walletAndReceivable } from '#features/wallets/receivables/gate.ts'
import { needsPerson } from '#features/wallets/second-person/second-person.ts'
import { ownWallet } from '#features/wallets/wallets/holders.ts'
import type { Ctx, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import * as sql from './held-money.sql.ts'

type Decision = ActCall<typeof acceptHeldMoney | typeof returnHeldMoney>

const idOf = (text: string): bigint => numberIn(text) ?? fail('SUSPENSE_NOT_FOUND')

/** What the bank refused to return is the operator's. The instant is compared too: a late timer leaves nobody
 *  more time. */
const isDecidable = ({ status, owner, decide_by }: sql.OwnItem, now: Date): boolean =>
  status === 'HELD' && owner === 'merchant' && decide_by > now

/** Another merchant's answers as one that does not exist. */
function decidable(item: sql.OwnItem | null, { input }: Decision, now: Date): sql.OwnItem {
  if (!item) return fail('SUSPENSE_NOT_FOUND')
  if (!isDecidable(item, now))
    fail('WRONG_STATE', {}, `item ${item.id} in suspense is ${item.status}, of ${item.owner}`)
  const said = parseNaira(input.amount) ?? fail('AMOUNT_INVALID', { field: 'amount' })
  return said === item.kobo ? item : fail('HELD_AMOUNT_DIFFERS', { field: 'amount', held: nairaText(item.kobo) })
}

async function found(ctx: Ctx, call: Decision): Promise<sql.OwnItem> {
  const { id, cell } = needMerchant(call, 'held money')
  const item = await readAs(ctx, cell, id, (r) => sql.find(r, id, idOf(call.input.id)))
  return decidable(item, call, ctx.clock.now())
}

/** The item under its lock, which whoever else decides and the timer of its day take as well. */
async function locked(t: Tx, call: Decision): Promise<sql.OwnItem> {
  const merchant = needMerchant(call, 'held money')
  const item = decidable(await sql.lock(t, merchant.id, idOf(call.input.id)), call, t.now)
  const alone = call.approvalId === null && needsPerson(merchant, item.kobo)
  return alone ? fail('INTERNAL', {}, `item ${item.id} in suspense needs two people`) : item
}

const decidesOn = {
  prepare: found,
  needsApproval: async (ctx: Ctx, call: Decision) =>
    needsPerson(needMerchant(call, 'held money'), (await found(ctx, call)).kobo),
  waitsUntil: async (ctx: Ctx, call: Decision) => (await found(ctx, call)).decide_by,
  after: (ctx: Ctx, { cell }: Decision) => ctx.wake(cell),
}
const done = <Reply extends object>(item: sql.OwnItem, state: 'REASSIGNED' | 'RETURNING', more: Reply) => {
  const reply = { id: String(item.id), state, amount: nairaText(item.kobo), ...more }
  return { reply, before: { state: 'HELD' }, after: reply }
}

/** What it costs to accept it: as a transfer of the moment at which it was paid, whenever a statement has
 *  shown it. */
function feeOf(merchant: Merchant, { kobo, received_at: paidAt }: sql.OwnItem): Price {
  const schedule = feeScheduleAt(merchant, 'ACCOUNT_TRANSFER', paidAt)
  return schedule
    ? { kobo: calculateFee(koboOf(kobo), schedule), scheduleId: schedule.id }
    : { kobo: 0n, scheduleId: null }
}

export const heldActs = ({ ctx }: Shared): BoundAct[] => [
  bindAct(acceptHeldMoney, {
    ...decidesOn,
    prepare: async (ctx: Ctx, call: Decision) => {
      const [merchant, item] = [needMerchant(call, 'held money'), await found(ctx, call)]
      checkPaymentLimit(merchant, item.kobo, 'amount')
      await checkDayLimit(ctx, merchant, item.kobo)
      return item
    },
    run: async (t, call) => {
      const item = await locked(t, call)
      const merchant = needMerchant(call, 'held money')
      // Under the lock of the wallet it goes to: of several at once each sees what the others took of the
      // day.
      await lockWallets(t, walletAndReceivable(merchant.id))
      checkPaymentLimit(merchant, item.kobo, 'amount')
      await checkDayLimitIn(t, merchant, item.kobo)
      const fee = feeOf(merchant, item)
      await reassignHeld(ctx, t, item.id, { merchant, wallet: ownWallet(merchant) }, call.approvalId, fee)
      return done(item, 'REASSIGNED', { fee: nairaText(fee.kobo) })
    },
  }),
  bindAct(returnHeldMoney, {
    ...decidesOn,
    run: async (t, call) => {
      const item = await locked(t, call)
      await returnHeld(t, item.id)
      return done(item, 'RETURNING', {})
    },
  }),
]

const LISTED_MAX = 1000
export const heldViews: BoundView[] = [
  bindView(listHeldMoney, async (ctx, call) => {
    const merchant = needMerchant(call, 'held money')
    const { id, cell } = merchant
    const items = await readAs(ctx, cell, id, (r) => sql.listOpen(r, id, LISTED_MAX))
    const now = ctx.clock.now()
    const content = items.map((item) => ({
      id: String(item.id),
      transaction: item.reference,
      sessionId: referenceOfMoney(item.bank_reference),
      amount: nairaText(item.kobo),
      fee: nairaText(feeOf(merchant, item).kobo),
      state: item.status,
      reason: item.reason,
      since: item.created_at.toISOString(),
      decideBy: item.decide_by.toISOString(),
      mayDecide: isDecidable(item, now),
    }))
    return { content }
  }),
]
