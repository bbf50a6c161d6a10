// Work: what waits for a bank, a biller or an issuer is shown, asked about again, and repaired where the bank
// was silent for a day.
//   asked again: the timer of the object falls due now, and its ordinary inquiry runs
//   PAID: the bank is silent and has confirmed in writing → applied as its notice would have been, by two
//     people
//   FAILED: only after the bank has barred it → its money is released. Silence never releases money
//   FAILED of a card charge: its acquirer is silent and has confirmed in writing that it took nothing, or
//     gave it back → REVERSED, by two people; nothing was ever posted
// Books: those of the outcome, by the feature whose money it is. Who waits: nobody.
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import type { repairWork } from '@cowrie/contract/screens/work'
import { REPAIR_AFTER_HOURS } from '@cowrie/contract/screens/work'
import type { Merchant } from '#core/access/merchants.ts'
import type { ActCall } from '#core/acts/acts.ts'
import { keepApprovalOfMove, numberIn } from '#core/acts/approved.ts'
import type { Shared } from '#core/feature.ts'
import type { Answer } from '#core/outgoing.ts'
import { bankFor } from '#core/routing/routing.ts'
import { endOrder, findSentOrder, sharedOrders } from '#features/bank/bank-orders/bank-orders.ts'
import { endUnanswered, findUnanswered, hear, type Unanswered } from '#features/collections/cards/decided.ts'
import { endSent, findSent } from '#features/payouts/disbursements/outcome.ts'
import type { Outcome, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'

type Call = ActCall<typeof repairWork>

/** An instruction as its bank knows it. */
type Sent = {
  readonly sessionId: string
  readonly connector: number
  readonly toCard: boolean
  /** What has its posting when it ends: the machine and the id. */
  readonly owner: { readonly object: string; readonly objectId: bigint }
}

async function sentOf(shared: Shared, merchant: Merchant, { kind, reference }: Call['input']): Promise<Sent> {
  if (kind === 'PAYOUT') {
    const row = (await findSent(shared.ctx, merchant, reference)) ?? fail('WORK_NOT_FOUND')
    const owner = { object: 'disbursement', objectId: row.id }
    return { sessionId: row.session_id ?? '', connector: row.connector, toCard: false, owner }
  }
  const id = numberIn(reference) ?? fail('WORK_NOT_FOUND')
  const row = (await findSentOrder(shared.ctx, merchant.cell, merchant.id, id)) ?? fail('WORK_NOT_FOUND')
  const owner = { object: row.purpose.toLowerCase(), objectId: row.subject }
  const { connector } = row
  return { sessionId: row.session_id ?? '', connector, toCard: row.charge_reference !== null, owner }
}

/** When it was sent, as its session says: West African, to the second. */
function sentAt(sessionId: string): Date {
  const [, year, month, day, hour, minute, second] = /^\d{6}(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(sessionId) ?? []
  return new Date(`20${year}-${month}-${day}T${hour}:${minute}:${second}+01:00`)
}

const refuse = (why: string): never => fail('REPAIR_NOT_ALLOWED', { why })

const needSilence = ({ ctx }: Shared, since: Date): void => {
  const hours = (ctx.clock.now().getTime() - since.getTime()) / HOUR_MS
  if (!(hours >= REPAIR_AFTER_HOURS)) refuse('it was sent less than a day ago; the bank is still being asked')
}

/** A charge that was taken is not made good by us: its acquirer returns it, or says so itself. */
async function prepareCharge(shared: Shared, { input }: Call, merchant: Merchant): Promise<Unanswered> {
  if (input.outcome === 'PAID') refuse('a charge counts by the word of its acquirer only; it can give the money back')
  const charge = (await findUnanswered(shared.ctx, merchant, input.reference)) ?? fail('WORK_NOT_FOUND')
  needSilence(shared, charge.created_at)
  const said = await hear(shared.ctx, merchant.cell, charge)
  return said === null ? charge : refuse(`the acquirer says ${said}; ask again`)
}

/** Asks the bank once more, outside of any transaction; what it says outranks what it wrote. */
export async function prepareRepair(shared: Shared, call: Call, merchant: Merchant): Promise<Sent | Unanswered> {
  if (call.input.kind === 'CARD_CHARGE') return prepareCharge(shared, call, merchant)
  const { ctx } = shared
  const sent = await sentOf(shared, merchant, call.input)
  needSilence(shared, sentAt(sent.sessionId))
  const { sessionId, connector, toCard } = sent
  const bank = await bankFor(ctx, merchant.cell, connector)
  const asked = { sessionId }
  if (call.input.outcome === 'FAILED') {
    const barred: Outcome<Answer> = await (toCard ? bank.barCardRefund(asked) : bank.barPayout(asked))
    if (barred.kind !== 'yes') return refuse('the bank does not confirm that it is barred, so it may still be paid')
    return barred.value.status === 'FAILED' ? sent : refuse(`the bank says ${barred.value.status}; ask again`)
  }
  const said: Outcome<Answer> = await (toCard ? bank.inquireCardRefund(asked) : bank.inquirePayout(asked))
  return said.kind === 'yes' ? refuse(`the bank answers ${said.value.status}; ask again`) : sent
}

const DESCRIPTIONS = { PAID: 'Transaction successful', FAILED: 'Not paid, as the bank confirmed' } as const

/** Applies the outcome; refuses when the bank's own word came first. */
export async function repair(
  shared: Shared,
  t: Tx,
  { input }: Call,
  merchant: Merchant,
  prepared: Sent | Unanswered,
  approvalId: bigint,
): Promise<string> {
  if (!('sessionId' in prepared)) return endUnanswered(t, prepared)
  const end = { on: input.outcome === 'PAID' ? 'succeed' : 'fail', description: DESCRIPTIONS[input.outcome] } as const
  if (input.kind === 'PAYOUT') await endSent(shared.ctx, t, merchant, input.reference, end)
  else await endOrder(shared.ctx, t, sharedOrders(shared).ends, merchant, numberIn(input.reference) ?? 0n, end)
  await keepApprovalOfMove(t, { ...prepared.owner, merchantId: merchant.id, approvalId })
  return input.outcome === 'FAILED' ? 'FAILED' : input.kind === 'PAYOUT' ? 'SUCCESS' : 'PAID'
}
