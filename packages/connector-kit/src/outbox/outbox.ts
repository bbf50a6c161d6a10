// What the gateway is still to be notified of. A notice is a row that is committed before anything is sent,
// and is sent until the gateway has accepted it: at least once, never lost, whoever dies.
//   made → leased → sent → accepted | due again after a pause
// Any number of processes send from the same rows: the lease keeps two from sending one at the same time, and
// a lease that its owner did not live to end is over after a while. Of one reference only the oldest is sent,
// so a reversal never overtakes its credit.
import type { CardRefundNotice } from '@cowrie/contract/bank/card-refund-connector'
import type { DisputeNotice } from '@cowrie/contract/bank/v2/disputes'
import type { NumberNotice } from '@cowrie/contract/bank/v2/numbers'
import type { PayoutNoticeV2 } from '@cowrie/contract/bank/v2/payouts'
import { request } from 'undici'
import { checkSchema, type Queryable, type Store } from '../database/database.ts'
import { later } from '../kit/clock.ts'
import { createLoop } from '../kit/loop.ts'
import { checkKeys, type Keys, sign } from '../kit/signing.ts'
import type { Log } from '../log/log.ts'
import { type CardNoticed, type Notice, pack } from './notices.ts'
import { type NoticeRow, noticeRows } from './outbox.sql.ts'

/** `other`: the bank reports something else under a name that it has used. Nothing is sent; a person must
 *  look. */
export type Added = 'added' | 'repeated' | 'other'

export type Outbox = {
  /** In the caller's database transaction where it gives one, so that a notice and its cause are one
   *  commit. */
  add(notice: Notice, db?: Queryable): Promise<Added>
  /** For `createOrders`. A notice of version 2 if it has something that version 1 has no place for. */
  readonly notify: (db: Queryable, notice: PayoutNoticeV2) => Promise<Added>
  /** For `createCardRefunds`. */
  readonly notifyCardRefund: (db: Queryable, notice: CardRefundNotice) => Promise<Added>
  /** For `createCards`. */
  readonly notifyCard: (db: Queryable, notice: CardNoticed) => Promise<Added>
  /** For an acquirer that reports disputes. */
  readonly notifyDispute: (db: Queryable, notice: DisputeNotice) => Promise<Added>
  /** For a bank that withdraws numbers that it has issued. */
  readonly notifyNumber: (db: Queryable, notice: NumberNotice) => Promise<Added>
  /** Sends what is due now. Returns how many were accepted. */
  sendDue(): Promise<number>
  start(): void
  /** After what is under way. */
  stop(): Promise<void>
  /** How many the gateway has not accepted, and since when the oldest waits: for whoever watches the
   *  adapter. */
  waiting(): Promise<{ readonly count: number; readonly oldest: Date | null }>
}

export type OutboxParts = Store & {
  readonly gatewayUrl: string
  readonly keys: Keys
  readonly log: Log
  /** Real time for signatures, where `clock` is another. */
  readonly signingClock?: Store['clock']
}

const PAUSES_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 900_000]
export const pauseAfter = (attempts: number): number => PAUSES_MS[Math.min(attempts, PAUSES_MS.length - 1)] ?? 900_000

/** Longer than two attempts, one for each key, may take. */
const LEASE_MS = 30_000
const SEND_MS = 10_000
const WIDTH = 16
const LOOK_MS = 500
/** From here on somebody should look. */
const MANY_ATTEMPTS = 8

/** The status of the gateway's answer; null: none came. */
function createSend(parts: OutboxParts): (row: NoticeRow) => Promise<number | null> {
  const { keys, clock, signingClock = clock } = parts
  const address = parts.gatewayUrl.replace(/\/+$/, '')
  checkKeys(keys())

  const post = async (key: string, path: string, body: string): Promise<number | null> => {
    try {
      const headers = sign(key, { method: 'POST', path, body }, signingClock)
      const { statusCode, body: answer } = await request(address + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        signal: AbortSignal.timeout(SEND_MS),
      })
      await answer.dump()
      return statusCode
    } catch {
      return null
    }
  }

  /** A 401 may mean that the gateway does not have the newer key yet, or no longer has the older one. */
  return async ({ path, body }) => {
    let status: number | null = null
    for (const key of keys()) {
      status = await post(key, path, body)
      if (status !== 401) return status
    }
    return status
  }
}

export function createOutbox(parts: OutboxParts): Outbox {
  const { pool, clock, log } = parts
  const rows = noticeRows(checkSchema(parts.schema))
  const send = createSend(parts)

  const deliver = async (row: NoticeRow): Promise<boolean> => {
    const status = await send(row)
    if (status === 200) {
      await rows.accepted(pool, row.id, clock.now())
      return true
    }
    const attempts = row.attempts + 1
    const say = attempts >= MANY_ATTEMPTS ? log.error : log.warn
    say({ notice: row.key, status, attempts }, 'the gateway has not accepted a notice')
    await rows.failed(pool, row.id, status, later(clock.now(), pauseAfter(row.attempts)))
    return false
  }

  const claimed = async (): Promise<readonly boolean[]> => {
    const now = clock.now()
    return Promise.all((await rows.claim(pool, now, later(now, LEASE_MS), WIDTH)).map(deliver))
  }

  const sendDue = async (): Promise<number> => {
    let accepted = 0
    // What follows another of its reference becomes due when that is accepted.
    for (let results = await claimed(); results.length > 0; results = loop.stopping() ? [] : await claimed())
      accepted += results.filter(Boolean).length
    return accepted
  }

  const loop = createLoop(sendDue, LOOK_MS, (error) => log.error({ error }, 'notices could not be read'))

  const add = async (notice: Notice, db: Queryable = pool): Promise<Added> => {
    const packed = pack(notice)
    if (await rows.insert(db, packed, clock.now())) {
      if (db === pool) loop.wake()
      return 'added'
    }
    if ((await rows.digest(db, packed.key)) === packed.digest) return 'repeated'
    log.error({ notice: packed.key }, 'the bank reports something else under a name that it has used')
    return 'other'
  }

  return {
    add,
    notify: (db, notice) =>
      add({ kind: 'networkReference' in notice || 'fee' in notice ? 'payoutV2' : 'payout', notice }, db),
    notifyCardRefund: (db, notice) => add({ kind: 'cardRefund', notice }, db),
    notifyCard: (db, notice) => add({ kind: 'card', notice }, db),
    notifyDispute: (db, notice) => add({ kind: 'dispute', notice }, db),
    notifyNumber: (db, notice) => add({ kind: 'number', notice }, db),
    sendDue,
    start: () => loop.start(),
    stop: () => loop.stop(),
    waiting: () => rows.waiting(pool),
  }
}
