// The bank's side of a transfer: how core/outgoing.ts sends it, once, and asks what became of it until it is
// known.
//   yes → SUCCESS        a definite no → FAILED        silence → asked again        never received → barred
//     at the bank, then FAILED
import { nairaText } from '@cowrie/contract/kit/money'
import { INQUIRE_DISBURSEMENT, SEND_DISBURSEMENT } from '@cowrie/contract/kit/timers'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { scheduleAll } from '#core/agenda.ts'
import { engineTx, readAll } from '#core/cells/cells.ts'
import { onePerProcess } from '#core/feature.ts'
import { type Answer, type BankNotice, createOutgoing, keepUnsuspended, type Outgoing, toEnds } from '#core/outgoing.ts'
import { keepDetails } from '#core/routing/details.ts'
import { bankFor, routePayouts } from '#core/routing/routing.ts'
import { contradicted, holdReversal } from '#features/bank/breaks/breaks.ts'
import type { Ctx, Outcome } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { type CellId, payoutSessionId } from '#kit/ids.ts'
import { traceOfEvents } from '#kit/trace.ts'
import { askFirst, needApproval } from './approval.ts'
import * as sql from './disbursements.sql.ts'
import {
  type ApplyOutcome,
  createApplyOutcome,
  type End,
  type Ending,
  moveDisbursements,
  reverseAtOnce,
} from './outcome.ts'

/** What transfers are sent and ended with in one process: ends of a cell that come together share its
 *  queue. */
type Sender = { readonly ctx: Ctx; readonly merchants: Merchants; readonly queue: ApplyOutcome }
export type Payouts = Sender & Outgoing

export function createPayouts(ctx: Ctx, merchants: Merchants): Payouts {
  const sender: Sender = { ctx, merchants, queue: createApplyOutcome(ctx) }
  const outgoing = createOutgoing<sql.Row>(ctx, {
    inquiry: INQUIRE_DISBURSEMENT,
    rows: sql.rows,
    ask: (bank, question) => bank.inquirePayout(question),
    bar: (bank, question) => bank.barPayout(question),
    isPending: ({ status }) => status === 'PENDING',
    claim: (cell, ids, questionAt) => claim(sender, cell, ids, questionAt),
    sendOne: async (cell, row) => sendPayout(sender, await merchants.must(cell, row.merchant_id), row),
    conclude: async (cell, row, outcome) =>
      (await conclude(sender, await merchants.must(cell, row.merchant_id), row, outcome)).status !== 'PENDING',
    onNotice: (cell, row, notice, shown) => takeNotice(sender, cell, row, notice, shown),
  })
  return { ...sender, ...outgoing }
}

export const sharedPayouts = onePerProcess(({ ctx, merchants }) => createPayouts(ctx, merchants))

// ---- sent

const destinationOf = ({ bank_code, kobo }: sql.Row) => ({ bankCode: bank_code, kobo })

/** Nobody locks them: a move that finds another state leaves its transfer to whoever made it. */
async function claim(
  { ctx, merchants }: Sender,
  cell: CellId,
  ids: readonly bigint[],
  questionAt: (now: Date) => Date,
): Promise<readonly sql.Row[]> {
  const found = await readAll(ctx, cell, (r) => sql.byIds(r, ids))
  const waiting = found.filter((row) => row.status === 'AWAITING_PROCESSING')
  if (waiting.length === 0) return []
  const asked = await needApproval(merchants, cell, waiting)
  const taken = await engineTx(ctx, cell, async (t) => {
    const question_at = questionAt(t.now)
    const going = await keepUnsuspended(t, waiting, SEND_DISBURSEMENT)
    await askFirst(
      t,
      going.filter(({ id }) => asked.has(id)),
    )
    const free = going.filter(({ id }) => !asked.has(id))
    if (free.length === 0) return []
    const connectors = await routePayouts(ctx, t, free.map(destinationOf))
    const sending = free.map((row, at) => ({
      ...row,
      session_id: payoutSessionId(t.institution, cell, t.now, row.id),
      connector: connectors[at] ?? row.connector,
    }))
    const moved = await moveDisbursements(
      t,
      sending.map(({ id, merchant_id, description, session_id, connector }) => {
        const set = { description, session_id, connector, question_at, completed_at: null }
        return { on: 'send', id, merchantId: merchant_id, from: 'AWAITING_PROCESSING', set }
      }),
    )
    const mine = sending.filter(({ id }) => moved.has(id))
    await scheduleAll(
      t,
      mine.map(({ id, merchant_id }) => ({
        kind: INQUIRE_DISBURSEMENT,
        merchantId: merchant_id,
        subject: id,
        dueAt: question_at,
      })),
    )
    return mine.map((row) => ({ ...row, status: 'PENDING' as const, version: row.version + 1 }))
  })
  if (asked.size > 0) ctx.wake(cell)
  return taken
}

/** Sends a transfer whose intent to be sent is committed; answers it as it is afterwards. */
export async function sendPayout(sender: Sender, merchant: Merchant, row: sql.Row): Promise<sql.Row> {
  const outcome = await (await bankFor(sender.ctx, merchant.cell, row.connector)).sendPayout({
    sessionId: row.session_id ?? fail('INTERNAL', {}, `transfer ${row.id} has no session id`),
    amount: nairaText(row.kobo),
    destinationBankCode: row.bank_code,
    destinationAccountNumber: row.account_number,
    destinationAccountName: row.account_name ?? '',
    narration: row.narration,
    senderName: merchant.name,
    senderAccountNumber: row.source_account,
  })
  return conclude(sender, merchant, row, outcome)
}

// ---- what became of it

/** What an answer means for a transfer that is PENDING: nothing, an end, or two ends at once. */
async function conclude(sender: Sender, merchant: Merchant, row: sql.Row, outcome: Outcome<Answer>): Promise<sql.Row> {
  const { ctx } = sender
  await keepDetails(ctx, merchant.cell, row, outcome)
  const [first, second] = toEnds(outcome)
  if (!first) return row
  if (!second) return end(sender, merchant, row, first.on, first.description)
  const [paid, reversed] = [first, second].map((one) => ({ ...one, row, merchant })) as [Ending, Ending]
  const moved = await engineTx(ctx, merchant.cell, (t) => reverseAtOnce(ctx, t, paid, reversed))
  if (!moved) return reread(ctx, merchant.cell, row)
  ctx.wake(merchant.cell)
  return { ...row, status: 'REVERSED', description: second.description, version: row.version + 2 }
}

async function end(
  { ctx, queue }: Sender,
  merchant: Merchant,
  row: sql.Row,
  on: End,
  description: string,
): Promise<sql.Row> {
  const moved = await queue(merchant.cell, { row, merchant, on, description, trace: traceOfEvents() })
  if (moved) ctx.wake(merchant.cell)
  const status = { succeed: 'SUCCESS', fail: 'FAILED', reverse: 'REVERSED', expire: 'EXPIRED' } as const
  return moved ? { ...row, status: status[on], description, version: row.version + 1 } : reread(ctx, merchant.cell, row)
}
const reread = async (ctx: Ctx, cell: CellId, row: sql.Row): Promise<sql.Row> =>
  (await readAll(ctx, cell, (r) => sql.byIds(r, [row.id])))[0] ?? row

/** The bank tells how a transfer ended. */
async function takeNotice(
  sender: Sender,
  cell: CellId,
  row: sql.Row,
  notice: BankNotice,
  shown: boolean,
): Promise<void> {
  const { sessionId, status, message } = notice
  const merchant = await sender.merchants.must(cell, row.merchant_id)
  await keepDetails(sender.ctx, cell, row, { kind: 'yes', value: notice })
  const whose = { merchantId: row.merchant_id, connector: row.connector }
  const about = { ...whose, object: 'transfer', reference: row.reference, kind: 'PAYOUT', sessionId, kobo: row.kobo }
  const isReversal = row.status === 'SUCCESS' && status === 'REVERSED'
  if (isReversal && !shown && (await holdReversal(sender.ctx, cell, about))) return
  if (isReversal) await end(sender, merchant, row, 'reverse', message)
  const after =
    row.status === 'PENDING' ? await conclude(sender, merchant, row, { kind: 'yes', value: { status, message } }) : row
  const ours = after.status === 'SUCCESS' ? 'PAID' : after.status
  await contradicted(sender.ctx, cell, { ...about, ours, said: status })
}

/** A mail that is refused or taken at this very moment changes the state under the timer; it has no other
 *  timer, so it is tried again until the transfer waits no more. */
async function expire(sender: Sender, cell: CellId, row: sql.Row): Promise<void> {
  if (row.status !== 'PENDING_AUTHORIZATION' && row.status !== 'OTP_EMAIL_DISPATCH_FAILED') return
  const merchant = await sender.merchants.must(cell, row.merchant_id)
  await expire(sender, cell, await end(sender, merchant, row, 'expire', 'Transaction has expired'))
}

/** Those that nobody authorised in time. */
export async function expirePayouts(sender: Sender, cell: CellId, ids: readonly bigint[]): Promise<void> {
  for (const row of await readAll(sender.ctx, cell, (r) => sql.byIds(r, ids))) await expire(sender, cell, row)
}
