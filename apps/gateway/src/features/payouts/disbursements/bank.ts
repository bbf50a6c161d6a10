// The bank's side of a transfer: how core/outgoing.ts sends it, once, and asks what became of it until it is
// known.
//   yes → SUCCESS        a definite no → FAILED        silence → asked again        never received → barred
//     at the bank, then FAILED
import { nairaText } from '@cowrie/contract/kit/money'
import { INQUIRE_DISBURSEMENT, SEND_DISBURSEMENT } from '@cowrie/contract/kit/timers'
import type { Merchant, Merchants } from '#core/access/merchants.ts'
import { scheduleAll, type Work } from '#core/agenda.ts'
import { engineTx, readAll } from '#core/cells/cells.ts'
import { onePerProcess } from '#core/feature.ts'
import { type Answer, createOutgoing, endsOf, type NoticeHandler, ofUnsuspended } from '#core/outgoing.ts'
import { keepDetails } from '#core/routing/details.ts'
import { bankFor, routePayouts } from '#core/routing/routing.ts'
import { contradicted } from '#features/bank/breaks/breaks.ts'
import type { Ctx, Outcome } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { type CellId, payoutSessionId } from '#kit/ids.ts'
import { traceOfEvents } from '#kit/trace.ts'
import { askFirst, createApprovals, needApproval } from './approval.ts'
import * as sql from './disbursements.sql.ts'
import {
  type ApplyOutcome,
  createApplyOutcome,
  type End,
  type Ending,
  moveDisbursements,
  reverseAtOnce,
} from './outcome.ts'

export type Payouts = {
  /** Sends a transfer whose intent to be sent is committed; answers it as it is afterwards. */
  send(merchant: Merchant, row: sql.Row): Promise<sql.Row>
  /** The bank tells how a transfer ended. */
  readonly onNotice: NoticeHandler
  readonly sendAll: Work
  readonly inquireAll: Work
  /** Those that the merchant's server is asked about. */
  readonly approveAll: Work
  /** Those that nobody authorised in time. */
  readonly expireAll: Work
}

const destinationOf = ({ bank_code, kobo }: sql.Row) => ({ bankCode: bank_code, kobo })

export function createPayouts(ctx: Ctx, merchants: Merchants): Payouts {
  const applyOutcome: ApplyOutcome = createApplyOutcome(ctx)

  const end = async (merchant: Merchant, row: sql.Row, on: End, description: string): Promise<sql.Row> => {
    const moved = await applyOutcome(merchant.cell, { row, merchant, on, description, trace: traceOfEvents() })
    if (moved) ctx.wake(merchant.cell)
    const status = { succeed: 'SUCCESS', fail: 'FAILED', reverse: 'REVERSED', expire: 'EXPIRED' } as const
    return moved ? { ...row, status: status[on], description, version: row.version + 1 } : reread(merchant.cell, row)
  }
  const reread = async (cell: CellId, row: sql.Row): Promise<sql.Row> =>
    (await readAll(ctx, cell, (r) => sql.byIds(r, [row.id])))[0] ?? row

  /** What an answer means for a transfer that is PENDING: nothing, an end, or two ends at once. */
  const conclude = async (merchant: Merchant, row: sql.Row, outcome: Outcome<Answer>): Promise<sql.Row> => {
    await keepDetails(ctx, merchant.cell, row, outcome)
    const [first, second] = endsOf(outcome)
    if (!first) return row
    if (!second) return end(merchant, row, first.on, first.description)
    const [paid, reversed] = [first, second].map((one) => ({ ...one, row, merchant })) as [Ending, Ending]
    const moved = await engineTx(ctx, merchant.cell, (t) => reverseAtOnce(ctx, t, paid, reversed))
    if (!moved) return reread(merchant.cell, row)
    ctx.wake(merchant.cell)
    return { ...row, status: 'REVERSED', description: second.description, version: row.version + 2 }
  }

  const send = async (merchant: Merchant, row: sql.Row): Promise<sql.Row> => {
    const outcome = await (await bankFor(ctx, merchant.cell, row.connector)).sendPayout({
      sessionId: row.session_id ?? fail('INTERNAL', {}, `transfer ${row.id} has no session id`),
      amount: nairaText(row.kobo),
      destinationBankCode: row.bank_code,
      destinationAccountNumber: row.account_number,
      destinationAccountName: row.account_name ?? '',
      narration: row.narration,
      senderName: merchant.name,
      senderAccountNumber: row.source_account,
    })
    return conclude(merchant, row, outcome)
  }

  /** Nobody locks them: a move that finds another state leaves its transfer to whoever made it. */
  const claim = async (
    cell: CellId,
    ids: readonly bigint[],
    questionAt: (now: Date) => Date,
  ): Promise<readonly sql.Row[]> => {
    const found = await readAll(ctx, cell, (r) => sql.byIds(r, ids))
    const waiting = found.filter((row) => row.status === 'AWAITING_PROCESSING')
    if (waiting.length === 0) return []
    const asked = await needApproval(merchants, cell, waiting)
    const taken = await engineTx(ctx, cell, async (t) => {
      const question_at = questionAt(t.now)
      const going = await ofUnsuspended(t, waiting, SEND_DISBURSEMENT)
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

  const outgoing = createOutgoing<sql.Row>(ctx, {
    inquiry: INQUIRE_DISBURSEMENT,
    rows: sql.rows,
    ask: (bank, asked) => bank.inquirePayout(asked),
    bar: (bank, asked) => bank.barPayout(asked),
    isPending: ({ status }) => status === 'PENDING',
    claim,
    sendOne: async (cell, row) => send(await merchants.must(cell, row.merchant_id), row),
    conclude: async (cell, row, outcome) =>
      (await conclude(await merchants.must(cell, row.merchant_id), row, outcome)).status !== 'PENDING',
    onNotice: async (cell, row, notice) => {
      const { sessionId, status, message } = notice
      const merchant = await merchants.must(cell, row.merchant_id)
      await keepDetails(ctx, cell, row, { kind: 'yes', value: notice })
      const isReversal = row.status === 'SUCCESS' && status === 'REVERSED'
      if (isReversal) await end(merchant, row, 'reverse', message)
      const after =
        row.status === 'PENDING' ? await conclude(merchant, row, { kind: 'yes', value: { status, message } }) : row
      const about = { object: 'transfer', reference: row.reference, kind: 'PAYOUT', sessionId, kobo: row.kobo }
      const ours = after.status === 'SUCCESS' ? 'PAID' : after.status
      await contradicted(ctx, cell, {
        ...about,
        merchantId: row.merchant_id,
        connector: row.connector,
        ours,
        said: status,
      })
    },
  })

  /** A mail that is refused or taken at this very moment changes the state under the timer; it has no other
   *  timer, so it is tried again until the transfer waits no more. */
  const expire = async (cell: CellId, row: sql.Row): Promise<void> => {
    if (row.status !== 'PENDING_AUTHORIZATION' && row.status !== 'OTP_EMAIL_DISPATCH_FAILED') return
    await expire(cell, await end(await merchants.must(cell, row.merchant_id), row, 'expire', 'Transaction has expired'))
  }
  const expireAll: Work = async (cell, ids) => {
    for (const row of await readAll(ctx, cell, (r) => sql.byIds(r, ids))) await expire(cell, row)
  }

  return {
    send,
    ...outgoing,
    approveAll: createApprovals(ctx, merchants),
    expireAll,
  }
}

export const payoutsOf = onePerProcess(({ ctx, merchants }) => createPayouts(ctx, merchants))
