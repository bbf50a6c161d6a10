// The bank's side of a transfer: sending it, once; asking what became of it, under the same session, until it is known.
//   yes → SUCCESS        a definite no → FAILED        silence → asked again        never heard of → barred there, then FAILED
// Silence changes nothing: the money stays set aside. An order that the bank does not know is barred before its money is freed,
// so that what is still on its way cannot be paid later.
import type { PayoutAnswer } from '@cowrie/contract/bank/connector'
import { nairaText } from '@cowrie/contract/kit/money'
import type { Merchant, Merchants } from '../../core/access/merchants.ts'
import type { DueHandlers } from '../../core/agenda.ts'
import { scheduleAll } from '../../core/agenda.ts'
import { engineTx, findCell, readAll } from '../../core/cells.ts'
import { onePerProcess } from '../../core/feature.ts'
import { askBank, endsOf, type Hear, inTurns, isAskedLater, LOOK_AFTER_MS, nextQuestion } from '../../core/outgoing.ts'
import type { Ctx, Outcome } from '../../kit/ctx.ts'
import { fail } from '../../kit/fail.ts'
import { type CellId, cellOfPayoutSession, payoutSessionId } from '../../kit/ids.ts'
import { contradicted } from '../breaks/breaks.ts'
import { EXPIRE, LOOK, SEND } from './accept.ts'
import * as sql from './disbursements.sql.ts'
import { createSettle, type End, type Ending, moveDisbursements, reverseAtOnce, type Settle } from './outcome.ts'

export type Payouts = {
  /** Sends a transfer whose wish to be sent is committed; answers it as it is afterwards. */
  send(merchant: Merchant, row: sql.Row): Promise<sql.Row>
  /** The bank tells how a transfer ended. */
  readonly hear: Hear
  readonly due: DueHandlers
}

export function createPayouts(ctx: Ctx, merchants: Merchants): Payouts {
  const settle: Settle = createSettle(ctx)

  const end = async (merchant: Merchant, row: sql.Row, on: End, description: string): Promise<sql.Row> => {
    const moved = await settle(merchant.cell, { row, merchant, on, description })
    if (moved) ctx.wake(merchant.cell)
    const status = { succeed: 'SUCCESS', fail: 'FAILED', reverse: 'REVERSED', expire: 'EXPIRED' } as const
    return moved ? { ...row, status: status[on], description, version: row.version + 1 } : reread(merchant.cell, row)
  }
  const reread = async (cell: CellId, row: sql.Row): Promise<sql.Row> =>
    (await readAll(ctx, cell, (r) => sql.byIds(r, [row.id])))[0] ?? row

  /** What an answer means for a transfer that is PENDING: nothing, an end, or two ends at once. */
  const conclude = async (
    merchant: Merchant,
    row: sql.Row,
    outcome: Outcome<Pick<PayoutAnswer, 'status' | 'message'>>,
  ): Promise<sql.Row> => {
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
    const outcome = await ctx.bank.sendPayout({
      sessionId: row.session_id ?? fail('INTERNAL', {}, `transfer ${row.id} has no session`),
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

  const look = async (cell: CellId, row: sql.Row): Promise<void> => {
    if (row.status !== 'PENDING' || row.session_id === null || isAskedLater(row, ctx.clock.now())) return
    const merchant = await merchantOf(cell, row.merchant_id)
    const outcome = await askBank(ctx, row.session_id)
    const after = await conclude(merchant, row, outcome)
    if (after.status === 'PENDING')
      await engineTx(ctx, cell, (t) => sql.askAgain(t, row, nextQuestion(t.now, row.questions, outcome), LOOK))
  }

  const merchantOf = async (cell: CellId, id: bigint): Promise<Merchant> =>
    (await merchants.byId(cell, id)) ?? fail('INTERNAL', {}, `no merchant ${id}`)

  const sendAll = inTurns(async (cell: CellId, ids: readonly bigint[]) => {
    const waiting = (await readAll(ctx, cell, (r) => sql.byIds(r, ids))).filter(
      (row) => row.status === 'AWAITING_PROCESSING',
    )
    if (waiting.length === 0) return
    const sendable = await engineTx(ctx, cell, async (t) => {
      const lookAt = new Date(t.now.getTime() + LOOK_AFTER_MS)
      const moves = waiting.map((row) => ({
        on: 'send' as const,
        id: row.id,
        merchantId: row.merchant_id,
        from: 'AWAITING_PROCESSING' as const,
        set: {
          description: row.description,
          session_id: payoutSessionId(cell, t.now, row.id),
          question_at: lookAt,
          completed_at: null,
        },
      }))
      const moved = await moveDisbursements(t, moves)
      const rows = waiting.flatMap((row, at) =>
        moved.has(row.id)
          ? [
              {
                ...row,
                status: 'PENDING' as const,
                session_id: moves[at]?.set.session_id ?? null,
                version: row.version + 1,
              },
            ]
          : [],
      )
      await scheduleAll(
        t,
        rows.map((row) => ({ kind: LOOK, merchantId: row.merchant_id, subject: row.id, dueAt: lookAt })),
      )
      return rows
    })
    await Promise.all(sendable.map(async (row) => send(await merchantOf(cell, row.merchant_id), row)))
  })

  /** A mail that is refused or taken at this very moment changes the state under the timer; there is no other timer, so it
   *  is tried again until the transfer waits no more. */
  const expire = async (cell: CellId, row: sql.Row): Promise<void> => {
    if (row.status !== 'PENDING_AUTHORIZATION' && row.status !== 'OTP_EMAIL_DISPATCH_FAILED') return
    await expire(cell, await end(await merchantOf(cell, row.merchant_id), row, 'expire', 'Transaction has expired'))
  }
  const expireAll = async (cell: CellId, ids: readonly bigint[]): Promise<void> => {
    for (const row of await readAll(ctx, cell, (r) => sql.byIds(r, ids))) await expire(cell, row)
  }

  return {
    send,
    hear: async ({ sessionId, status, message }) => {
      const cell = findCell(ctx, cellOfPayoutSession(sessionId))
      const row = cell && (await readAll(ctx, cell.id, (r) => sql.bySession(r, sessionId)))
      if (!cell || !row) return false
      const merchant = await merchantOf(cell.id, row.merchant_id)
      const isReversal = row.status === 'SUCCESS' && status === 'REVERSED'
      if (isReversal) await end(merchant, row, 'reverse', message)
      const after =
        row.status === 'PENDING' ? await conclude(merchant, row, { kind: 'yes', value: { status, message } }) : row
      const about = { object: 'transfer', reference: row.reference, kind: 'PAYOUT', sessionId, kobo: row.kobo }
      const ours = after.status === 'SUCCESS' ? 'PAID' : after.status
      await contradicted(ctx, cell.id, { ...about, merchantId: row.merchant_id, ours, said: status })
      return true
    },
    due: {
      // A silent bank takes its ten seconds; expiries and deliveries do not wait for it.
      [LOOK]: {
        aside: true,
        run: async (_, cell, rows) => {
          const found = await readAll(ctx, cell, (r) =>
            sql.byIds(
              r,
              rows.map((row) => row.subject),
            ),
          )
          await Promise.all(found.map((row) => look(cell, row)))
        },
      },
      [SEND]: {
        aside: true,
        run: (_, cell, rows) =>
          sendAll(
            cell,
            rows.map((row) => row.subject),
          ),
      },
      [EXPIRE]: (_, cell, rows) =>
        expireAll(
          cell,
          rows.map((row) => row.subject),
        ),
    },
  }
}

export const payoutsOf = onePerProcess(({ ctx, merchants }) => createPayouts(ctx, merchants))
