// The bank's side of a debit: sending it, once; asking what became of it, under the same session, until it is known.
//   yes → PAID        a definite no → FAILED        silence → asked again        never heard of → barred there, then FAILED
//   taken back later → it stays PAID, and the collection is reversed (collections/reversals.ts)
// A debit waits for a worker from its acceptance on. The worker commits that it sets out to send it, with the question that
// follows, before it sends: one that dies in between leaves a debit the bank never heard of, never one that is sent twice.
import type { DebitAnswer, DebitNotice } from '@cowrie/contract/bank/mandate-connector'
import { nairaText } from '@cowrie/contract/kit/money'
import type { Merchant, Merchants } from '../../core/access/merchants.ts'
import type { DueHandlers, DueRow } from '../../core/agenda.ts'
import { engineTx, findCell, readAll } from '../../core/cells.ts'
import { onePerProcess } from '../../core/feature.ts'
import type { Ctx, Outcome } from '../../kit/ctx.ts'
import { fail } from '../../kit/fail.ts'
import { type CellId, cellOfPayoutSession } from '../../kit/ids.ts'
import { createPermits } from '../../kit/permits.ts'
import { contradicted } from '../breaks/breaks.ts'
import { type Reversal, reverseCollection } from '../collections/reversals.ts'
import * as sql from './debits.sql.ts'
import { pay, refuse } from './outcome.ts'

export const SEND = 'debits.send'
export const LOOK = 'debits.look'
/** Longer than a call to the bank may take. */
const LOOK_AFTER_MS = 15_000
/** Between two questions: short while the bank is silent, longer once it has said that the debit is under way. */
const SILENT_MS = [5_000, 10_000, 20_000, 30_000, 45_000]
const UNDER_WAY_MS = [30_000, 60_000, 300_000, 900_000]
const pauseAfter = (questions: number, pauses: readonly number[]): number =>
  pauses[Math.min(questions, pauses.length - 1)] as number

/** So many in one commit, so many commits at once. */
const SENT_TOGETHER = 25
const SENDING_AT_ONCE = 4

type Word = Pick<DebitAnswer, 'status' | 'message'> & { readonly at?: Date }

/** The bank's reference of a debit names its taking back too: there is one of each at most. */
const reversalOf = (row: sql.Row, reason: string, at: Date): Reversal => ({
  transactionId: row.id,
  bankReference: row.session_id,
  reversalReference: row.session_id,
  kobo: row.kobo,
  reason,
  at,
})

export type DebitBank = {
  /** The bank tells how a debit ended. */
  readonly hear: (notice: DebitNotice) => Promise<void>
  readonly due: DueHandlers
}

export function createDebitBank(ctx: Ctx, merchants: Merchants): DebitBank {
  const merchantOf = async (cell: CellId, id: bigint): Promise<Merchant> =>
    (await merchants.byId(cell, id)) ?? fail('INTERNAL', {}, `no merchant ${id}`)

  /** What a word of the bank means; whether the debit is at its end now. One that was paid and taken back is both, in this
   *  order, whatever was told first. */
  const conclude = async (cell: CellId, row: sql.Row, word: Word): Promise<boolean> => {
    const { status, message } = word
    if (status === 'PENDING' || status === 'UNKNOWN') return false
    const merchant = await merchantOf(cell, row.merchant_id)
    await engineTx(ctx, cell, async (t) => {
      if (status === 'FAILED') return refuse(t, row, message)
      await pay(ctx, t, merchant, row)
      return status === 'REVERSED' && reverseCollection(ctx, t, merchant, reversalOf(row, message, word.at ?? t.now))
    })
    ctx.wake(cell)
    return true
  }

  const send = async (cell: CellId, row: sql.Row): Promise<void> => {
    const outcome = await ctx.bank.sendDebit({
      sessionId: row.session_id,
      mandateCode: row.mandate_code,
      amount: nairaText(row.kobo),
      narration: row.narration,
    })
    // A refusal of the message is not the bank's word about the money; the question that follows gets that.
    if (outcome.kind === 'yes') await conclude(cell, row, outcome.value)
  }

  const permits = createPermits(SENDING_AT_ONCE)
  const sendSome = async (cell: CellId, ids: readonly bigint[]): Promise<void> => {
    const mine = await engineTx(ctx, cell, (t) => sql.claim(t, ids, new Date(t.now.getTime() + LOOK_AFTER_MS), LOOK))
    const rows = mine.length === 0 ? [] : await readAll(ctx, cell, (r) => sql.byIds(r, mine))
    await Promise.all(rows.map((row) => send(cell, row)))
  }
  /** Some at a time: the wish to send is committed only when there is room to send, or the question after it would come
   *  first and find the bank knowing nothing. */
  const sendAll = async (cell: CellId, ids: readonly bigint[]): Promise<void> => {
    const parts = Array.from({ length: Math.ceil(ids.length / SENT_TOGETHER) }, (_, at) =>
      ids.slice(at * SENT_TOGETHER, (at + 1) * SENT_TOGETHER),
    )
    await Promise.all(parts.map((part) => permits(() => sendSome(cell, part))))
  }

  const ask = async (row: sql.Row): Promise<Outcome<DebitAnswer>> => {
    const asked = { sessionId: row.session_id }
    const outcome = await ctx.bank.inquireDebit(asked)
    return outcome.kind === 'yes' && outcome.value.status === 'UNKNOWN' ? ctx.bank.barDebit(asked) : outcome
  }
  const look = async (cell: CellId, row: sql.Row): Promise<void> => {
    // Asked already, by a run that did not get to the end of its batch: the next question has a timer of its own.
    if (row.status !== 'PENDING' || (row.question_at && row.question_at > ctx.clock.now())) return
    const outcome = await ask(row)
    if (outcome.kind === 'yes' && (await conclude(cell, row, outcome.value))) return
    const pause = pauseAfter(row.questions, outcome.kind === 'yes' ? UNDER_WAY_MS : SILENT_MS)
    await engineTx(ctx, cell, (t) => sql.askAgain(t, row, new Date(t.now.getTime() + pause), LOOK))
  }

  const idsOf = (due: readonly DueRow[]): bigint[] => due.map((one) => one.subject)
  return {
    hear: async ({ sessionId, status, message, at }) => {
      const word = { status, message, at: new Date(at) }
      if (Number.isNaN(word.at.getTime())) fail('FIELD_INVALID', { field: 'at', why: 'is no moment' })
      const cell = findCell(ctx, cellOfPayoutSession(sessionId)) ?? fail('DEBIT_UNKNOWN')
      const row = (await readAll(ctx, cell.id, (r) => sql.bySession(r, sessionId))) ?? fail('DEBIT_UNKNOWN')
      if (row.status === 'PENDING' || (row.status === 'PAID' && status === 'REVERSED'))
        await conclude(cell.id, row, word)
      else {
        // After a refusal the mandate may have been debited for others.
        const about = { object: 'debit', reference: row.payment_reference, kind: 'DEBIT', sessionId, kobo: row.kobo }
        await contradicted(ctx, cell.id, { ...about, merchantId: row.merchant_id, ours: row.status, said: status })
      }
    },
    // A silent bank takes its ten seconds; expiries and deliveries do not wait for it.
    due: {
      [SEND]: { aside: true, run: (_, cell, due) => sendAll(cell, idsOf(due)) },
      [LOOK]: {
        aside: true,
        run: async (_, cell, due) => {
          const rows = await readAll(ctx, cell, (r) => sql.byIds(r, idsOf(due)))
          await Promise.all(rows.map((row) => look(cell, row)))
        },
      },
    },
  }
}

export const debitBankOf = onePerProcess(({ ctx, merchants }) => createDebitBank(ctx, merchants))
