// What the bank still owes the gateway. A notice is a row that was committed with its transfer or its payout; it is sent
// when it is due and again every second, under the same session id, until the gateway has taken it.
//   due → leased → sent → taken | back in the queue after a pause
// Three senders share the rows: the transfer or payout that made one, the loop, and a move of the clock. The lease (`for update skip
// locked`) keeps any two of them, also of two processes, from sending the same row at the same time.
import { setTimeout as pause } from 'node:timers/promises'
import type { ReversalNotice } from '@cowrie/contract/bank/connector'
import { nairaText } from '@cowrie/contract/kit/money'
import type pg from 'pg'
import type { Gateway } from './bank/gateway.ts'
import { type CreditRow, messageOf } from './bank/transfers.ts'
import type { Clock } from './kit/clock.ts'
import { LEASE_SECONDS, type Notice, type Notices } from './kit/notices.ts'
import { type DebitNoticeStatus, debitNoticeOf, presentDebit } from './mandates/debits.sql.ts'
import type { MandateNoticeStatus } from './mandates/mandates.sql.ts'
import type { PayoutNoticeStatus } from './payouts/payouts.rules.ts'
import { noticeOf, present } from './payouts/payouts.sql.ts'

const LOOP_PAUSE_MS = 250
const LOOP_WIDTH = 16

type ReversalRow = { reversal: boolean; reversal_session_id: string; reason: string; reversed_at: Date }
type Row = { id: bigint; due_at: Date } & CreditRow & {
    payout_session_id: string | null
    payout_status: PayoutNoticeStatus
    debit_session_id: string | null
    mandate_code: string | null
    said: string
  } & ReversalRow

function noticeOfRow(row: Row): Notice {
  const { id, payout_session_id, debit_session_id, mandate_code, said } = row
  if (payout_session_id !== null) return { id, payout: { sessionId: payout_session_id, status: row.payout_status } }
  if (debit_session_id !== null)
    return { id, debit: { sessionId: debit_session_id, status: said as DebitNoticeStatus } }
  if (mandate_code !== null)
    return { id, mandate: { mandateCode: mandate_code, status: said as MandateNoticeStatus, at: row.due_at } }
  return row.reversal ? { id, reversal: reversalOf(row) } : { id, message: messageOf(row) }
}

const reversalOf = (row: CreditRow & ReversalRow): ReversalNotice => ({
  sessionId: row.session_id,
  reversalSessionId: row.reversal_session_id,
  bankCode: row.bank_code,
  accountNumber: row.account_number,
  amount: nairaText(row.kobo),
  reason: row.reason,
  at: row.reversed_at.toISOString(),
})

/** `filter` says which of the due rows may be tried now. */
const claimStatement = (filter: string): string => `
  with mine as (
    select id from notices
    where taken_at is null and due_at <= $1 and leased_until <= now() and ${filter}
    order by due_at, id limit $2
    for update skip locked
  ), leased as (
    update notices set leased_until = now() + interval '${LEASE_SECONDS} seconds'
    from mine where notices.id = mine.id
    returning notices.id, notices.due_at, notices.session_id, notices.payout_session_id, notices.payout_status,
      notices.debit_session_id, notices.mandate_code, notices.said, notices.reversal
  )
  select leased.id, leased.due_at, leased.payout_session_id, leased.payout_status, leased.debit_session_id, leased.mandate_code,
    leased.said, t.session_id, t.bank_code, t.account_number, t.kobo, t.sender_name, t.sender_account_number,
    t.sender_bank_code, t.sender_bvn, t.narration, t.paid_at, leased.reversal, r.reversal_session_id, r.reason, r.reversed_at
  from leased left join transfers t using (session_id) left join credit_reversals r using (session_id)
  order by leased.due_at, leased.id`

const CLAIM_AFTER_PAUSE = claimStatement('next_try_at <= now()')
/** A move of the clock tries each row once, whether or not its pause is over. */
const CLAIM_NOT_TRIED_SINCE = claimStatement('(tried_at is null or tried_at < $3)')

async function claim(pool: pg.Pool, statement: string, values: readonly unknown[]): Promise<Notice[]> {
  const { rows } = await pool.query<Row>(statement, [...values])
  return rows.map(noticeOfRow)
}

async function release(pool: pg.Pool, notice: Notice): Promise<void> {
  await pool.query(`update notices set leased_until = now(), next_try_at = now() + interval '1 second' where id = $1`, [
    notice.id,
  ])
}

async function noteAttempt(pool: pg.Pool, notice: Notice, taken: boolean): Promise<void> {
  await pool.query(
    `update notices set attempts = attempts + 1, tried_at = now(), leased_until = now(),
       next_try_at = now() + interval '1 second', taken_at = coalesce(taken_at, case when $2 then now() end)
     where id = $1`,
    [notice.id, taken],
  )
}

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
    if ('mandate' in notice) {
      const { mandateCode, status, at } = notice.mandate
      return gateway.mandate({ mandateCode, status, at: at.toISOString() })
    }
    // Reading applies what is due, so no notice is ahead of the books.
    if ('debit' in notice) {
      const debit = await presentDebit(pool, notice.debit.sessionId, clock.now())
      return debit !== null && gateway.debit(debitNoticeOf(debit, notice.debit.status))
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
    const { rows } = await pool.query<{ since: Date }>('select now() as since')
    let taken = 0
    while (!stopping.signal.aborted) {
      const [notice] = await claim(pool, CLAIM_NOT_TRIED_SINCE, [clock.now(), 1, rows[0]?.since])
      if (notice === undefined) break
      if (await deliver(notice)) taken += 1
    }
    return taken
  }

  const loop = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await inTurn(async () =>
          Promise.all((await claim(pool, CLAIM_AFTER_PAUSE, [clock.now(), LOOP_WIDTH])).map(deliver)),
        )
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
    // One that fell due since the clock was set and was not tried yet is still ahead; the clock runs on between two calls.
    nextDueAt: async () => {
      const { rows } = await pool.query<{ due_at: Date | null }>(
        'select min(due_at) as due_at from notices where taken_at is null and (due_at > $1 or tried_at is null)',
        [clock.now()],
      )
      return rows[0]?.due_at ?? null
    },
    stop: async () => {
      stopping.abort()
      await Promise.all([loop, ...underWay])
    },
  }
}
