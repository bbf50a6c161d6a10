// What the bank still owes the gateway. A notice is a row that was committed with its transfer or its payout;
// it is sent when it is due and again every second, under the same session id, until the gateway has taken
// it.
//   due → leased → sent → taken | queued again after a pause
// Three senders share the rows: the transfer or payout that made one, the loop, and a move of the clock. The
// lease (`for update skip locked`) keeps any two of them, also of two processes, from sending the same row at
// the same time.
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Gateway } from './bank/gateway.ts'
import { presentRefund, refundNoticeOf } from './issuer/refunds.sql.ts'
import type { Clock } from './kit/clock.ts'
import type { Notice, Notices } from './kit/notices.ts'
import { debitNoticeOf, presentDebit } from './mandates/debits.sql.ts'
import { claimDue, claimUntried, findNextDue, noteAttempt, realNow, release } from './notices.sql.ts'
import { noticeOf, present } from './payouts/payouts.sql.ts'

const LOOP_PAUSE_MS = 250
const LOOP_WIDTH = 16

export function createNotices(
  pool: pg.Pool,
  clock: Clock,
  gateway: Gateway,
  onError: (error: unknown) => void,
): Notices {
  const stopping = new AbortController()
  // The loop and the moves of the clock take turns: a move promises order, which a second sender would break.
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work)
    turn = mine.catch(() => undefined)
    return mine
  }

  const send = async (notice: Notice): Promise<boolean> => {
    if ('message' in notice) return gateway.credit(notice.message)
    if ('reversal' in notice) return gateway.reversal(notice.reversal)
    if ('charge' in notice) return gateway.card(notice.charge)
    if ('mandate' in notice) {
      const { mandateCode, status, at } = notice.mandate
      return gateway.mandate({ mandateCode, status, at: at.toISOString() })
    }
    // Reading applies what is due, so no notice is ahead of the books.
    if ('debit' in notice) {
      const debit = await presentDebit(pool, notice.debit.sessionId, clock.now())
      return debit !== null && gateway.debit(debitNoticeOf(debit, notice.debit.status))
    }
    if ('refund' in notice) {
      const refund = await presentRefund(pool, notice.refund.sessionId, clock.now())
      return refund !== null && gateway.cardRefund(refundNoticeOf(refund, notice.refund.status))
    }
    const payout = await present(pool, notice.payout.sessionId, clock.now())
    return payout !== null && gateway.payout(noticeOf(payout, notice.payout.status))
  }
  const deliver = async (notice: Notice): Promise<boolean> => {
    const taken = await send(notice)
    await noteAttempt(pool, notice, taken)
    return taken
  }

  const underWay = new Set<Promise<void>>()
  const sendTogether = (notices: readonly Notice[]): Promise<void> => {
    const sending = Promise.all(notices.map(deliver)).then(
      () => undefined,
      (error: unknown) => {
        if (!stopping.signal.aborted) onError(error)
      },
    )
    underWay.add(sending)
    void sending.then(() => underWay.delete(sending))
    return sending
  }

  const runDue = async (): Promise<number> => {
    const since = await realNow(pool)
    let taken = 0
    while (!stopping.signal.aborted) {
      const notice = await claimUntried(pool, clock.now(), since)
      if (notice === null) break
      if (await deliver(notice)) taken += 1
    }
    return taken
  }

  const loop = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await inTurn(async () => Promise.all((await claimDue(pool, clock.now(), LOOP_WIDTH)).map(deliver)))
      } catch (error) {
        if (!stopping.signal.aborted) onError(error)
      }
      await pause(LOOP_PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  })()

  return {
    deliver,
    sendTogether,
    release: (notice) => release(pool, notice),
    // The clock moves inside the turn, or the loop could see the new time first and send without order.
    advance: (offsetMs) =>
      inTurn(() => {
        clock.moveTo(offsetMs)
        return runDue()
      }),
    nextDueAt: () => findNextDue(pool, clock.now()),
    stop: async () => {
      stopping.abort()
      await Promise.all([loop, ...underWay])
    },
  }
}
