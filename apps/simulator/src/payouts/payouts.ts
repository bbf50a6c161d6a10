// Payouts: the gateway's bank pays accounts elsewhere.
//   order → SUCCESS | FAILED | PENDING → SUCCESS | FAILED when due; SUCCESS → REVERSED; bar: PENDING or not
//     received → FAILED
// Books: paid on the way into SUCCESS, returned on the way into REVERSED, each once per session. What the
// answer did not say, or says wrongly, comes by notice.
import { setTimeout as pause } from 'node:timers/promises'
import type { PayoutAnswer } from '@cowrie/contract/bank/connector'
import { payoutText } from '@cowrie/contract/payouts/payout-codes'
import type pg from 'pg'
import type { Clock } from '../kit/clock.ts'
import type { Faults } from '../kit/faults.ts'
import { LEASE_SECONDS, type Notices } from '../kit/notices.ts'
import { CODES, planOf } from './payouts.rules.ts'
import {
  askedAgain,
  barPayout,
  type Contents,
  insertPayout,
  loadFaults,
  type Order,
  type Payout,
  present,
  saveFaults,
} from './payouts.sql.ts'

/** What becomes of a call: an answer, none, or a refusal because the session was used for a different
 *  order. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: PayoutAnswer }
  | { readonly kind: 'silence' }
  | { readonly kind: 'other order' }

export type Payouts = {
  order(order: Order): Promise<Outcome>
  inquire(sessionId: string): Promise<Outcome>
  bar(sessionId: string): Promise<Outcome>
  /** From now on; null turns faults off. */
  setFaults(faults: Faults | null): Promise<void>
  /** How long a caller who gets no answer is kept waiting. */
  readonly silenceMs: number
  readonly stopping: AbortSignal
}

type Parts = {
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly notices: Notices
  readonly stopping: AbortSignal
}

const answerWith = (sessionId: string, status: PayoutAnswer['status'], responseCode: string): Outcome => ({
  kind: 'answer',
  answer: { sessionId, status, responseCode, message: payoutText(responseCode) },
})
const answerFor = ({ sessionId, status, code }: Payout): Outcome => answerWith(sessionId, status, code)
const notReceived = (sessionId: string): Outcome => answerWith(sessionId, 'UNKNOWN', CODES.notReceived)
const SILENCE: Outcome = { kind: 'silence' }

const COMPARED: readonly (keyof Contents)[] = [
  ...(['kobo', 'destinationBankCode', 'destinationAccountNumber', 'destinationAccountName'] as const),
  ...(['narration', 'senderName', 'senderAccountNumber'] as const),
]
/** One session names one payout for ever; only one that was barred in advance cannot be compared. */
const sameOrder = (order: Order, payout: Payout): Outcome =>
  payout.kobo === null || COMPARED.every((name) => payout[name] === order[name])
    ? answerFor(payout)
    : { kind: 'other order' }

export async function createPayouts(
  { pool, clock, notices, stopping }: Parts,
  times: { readonly payoutMs: number; readonly silenceMs: number },
): Promise<Payouts> {
  let faults = await loadFaults(pool)
  /** False when the simulator stops meanwhile: then nothing more may be done. */
  const passed = (ms: number): Promise<boolean> =>
    ms === 0 ? Promise.resolve(true) : pause(ms, true, { signal: stopping }).catch(() => false)

  return {
    order: async (order) => {
      const { sessionId } = order
      const known = await askedAgain(pool, sessionId, clock.now())
      if (known !== null) return sameOrder(order, known)
      const plan = planOf(order, faults)
      if (plan.answer === 'not received' || !(await passed(times.payoutMs))) return SILENCE
      const owed = await insertPayout(pool, order, plan, clock.now(), LEASE_SECONDS)
      if (owed === null) {
        const winner = await askedAgain(pool, sessionId, clock.now())
        return winner === null ? notReceived(sessionId) : sameOrder(order, winner)
      }
      const sending = notices.sendTogether(
        owed.filter((notice) => notice.now).map(({ id, status }) => ({ id, payout: { sessionId, status } })),
      )
      if (plan.noticesFirst) await sending
      return plan.answer === 'silence' ? SILENCE : answerWith(sessionId, plan.status, plan.code)
    },
    inquire: async (sessionId) => {
      const payout = await present(pool, sessionId, clock.now())
      return payout === null ? notReceived(sessionId) : answerFor(payout)
    },
    bar: async (sessionId) => {
      const payout = await barPayout(pool, sessionId, clock.now())
      return payout === null ? notReceived(sessionId) : answerFor(payout)
    },
    setFaults: async (wanted) => {
      await saveFaults(pool, wanted)
      faults = wanted
    },
    silenceMs: times.silenceMs,
    stopping,
  }
}
