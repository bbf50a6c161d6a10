// The bank's side of a debit: how core/outgoing.ts sends it, once, and asks what became of it until it is
// known.
//   yes → PAID        a definite no → FAILED        silence → asked again        never received → barred at
//     the bank, then FAILED
//   reversed later → it stays PAID, and the collection is reversed (collections/reversals.ts)

import type { DebitNotice } from '@cowrie/contract/bank/mandate-connector'
import { nairaText } from '@cowrie/contract/kit/money'
import { INQUIRE_DEBIT, SEND_DEBIT } from '@cowrie/contract/kit/timers'
import type { Merchants } from '#core/access/merchants.ts'
import type { Work } from '#core/agenda.ts'
import { engineTx, readAll } from '#core/cells/cells.ts'
import { onePerProcess } from '#core/feature.ts'
import { type Answer, type BankNotice, createOutgoing, keepUnsuspended, toEnds } from '#core/outgoing.ts'
import { moneyName } from '#core/routing/names.ts'
import { bankFor } from '#core/routing/routing.ts'
import { contradicted } from '#features/bank/breaks/breaks.ts'
import { type Reversal, reverseCollection } from '#features/collections/credits/reversals.ts'
import type { Ctx, Outcome } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import * as sql from './debits.sql.ts'
import { pay, refuse } from './outcome.ts'

type DatedNotice = BankNotice & { readonly at: Date }

/** The bank's reference of a debit names its reversal too: there is one of each at most. */
const reversalOf = (row: sql.Row, reason: string, at: Date): Reversal => ({
  transactionId: row.id,
  bankReference: moneyName(row.connector, row.session_id),
  reversalReference: moneyName(row.connector, row.session_id),
  kobo: row.kobo,
  reason,
  at,
})

export type DebitBank = {
  /** The bank tells how a debit ended; another than the one that was given it has no say. */
  readonly onNotice: (notice: DebitNotice, connector: string) => Promise<void>
  readonly sendAll: Work
  readonly inquireAll: Work
}

export function createDebitBank(ctx: Ctx, merchants: Merchants): DebitBank {
  /** What a word of the bank means; whether the debit is at its end now. One that was paid and reversed is
   *  both, in this order, whichever was reported first. */
  const conclude = async (cell: CellId, row: sql.Row, outcome: Outcome<Answer>, at?: Date): Promise<boolean> => {
    const ends = toEnds(outcome)
    if (ends.length === 0) return false
    const merchant = await merchants.must(cell, row.merchant_id)
    await engineTx(ctx, cell, async (t) => {
      for (const { on, description } of ends) {
        if (on === 'succeed') await pay(ctx, t, merchant, row)
        else if (on === 'fail') await refuse(t, row, description)
        else await reverseCollection(ctx, t, merchant, reversalOf(row, description, at ?? t.now))
      }
    })
    ctx.wake(cell)
    return true
  }

  const send = async (cell: CellId, row: sql.Row): Promise<unknown> => {
    const bank = await bankFor(ctx, cell, row.connector)
    const outcome = await bank.sendDebit({
      sessionId: row.session_id,
      mandateCode: row.mandate_code,
      amount: nairaText(row.kobo),
      narration: row.narration,
    })
    return conclude(cell, row, outcome)
  }

  const outgoing = createOutgoing<sql.Row, DatedNotice>(ctx, {
    inquiry: INQUIRE_DEBIT,
    rows: sql.rows,
    ask: (bank, asked) => bank.inquireDebit(asked),
    bar: (bank, asked) => bank.barDebit(asked),
    isPending: ({ status }) => status === 'PENDING',
    claim: async (cell, ids, questionAt) => {
      const found = await readAll(ctx, cell, (r) => sql.byIds(r, ids))
      const waiting = found.filter((row) => row.status === 'PENDING' && row.question_at === null)
      const mine = await engineTx(ctx, cell, async (t) => {
        const going = (await keepUnsuspended(t, waiting, SEND_DEBIT)).map(({ id }) => id)
        return going.length === 0 ? [] : sql.claim(t, going, questionAt(t.now), INQUIRE_DEBIT)
      })
      return mine.length === 0 ? [] : readAll(ctx, cell, (r) => sql.byIds(r, mine))
    },
    sendOne: send,
    conclude,
    onNotice: async (cell, row, { sessionId, status, message, at }) => {
      if (row.status === 'PENDING' || (row.status === 'PAID' && status === 'REVERSED'))
        await conclude(cell, row, { kind: 'yes', value: { status, message } }, at)
      else {
        // After a refusal the mandate may have been debited for others.
        const about = { object: 'debit', reference: row.payment_reference, kind: 'DEBIT', sessionId, kobo: row.kobo }
        await contradicted(ctx, cell, {
          ...about,
          merchantId: row.merchant_id,
          connector: row.connector,
          ours: row.status,
          said: status,
        })
      }
    },
  })

  return {
    ...outgoing,
    onNotice: async (notice, connector) => {
      const at = new Date(notice.at)
      if (Number.isNaN(at.getTime())) fail('FIELD_INVALID', { field: 'at', why: 'is not a valid timestamp' })
      if (!(await outgoing.onNotice({ ...notice, at }, connector))) fail('DEBIT_UNKNOWN')
    },
  }
}

export const sharedDebitBank = onePerProcess(({ ctx, merchants }) => createDebitBank(ctx, merchants))
