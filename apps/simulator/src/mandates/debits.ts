// Debits: the bank takes money from accounts whose holders allow it.
//   order → SUCCESS | FAILED | PENDING → SUCCESS | FAILED when due; SUCCESS → REVERSED; bar: PENDING or not
//     received → FAILED
// Books: taken on the way into SUCCESS, returned on the way into REVERSED, each once per session.
import { type DebitAnswer, debitText } from '@cowrie/contract/bank/mandate-connector'
import type pg from 'pg'
import type { Clock } from '../kit/clock.ts'
import type { Faults } from '../kit/faults.ts'
import { LEASE_SECONDS, type Notices } from '../kit/notices.ts'
import { CODES } from '../payouts/payouts.rules.ts'
import {
  barDebit,
  type Debit,
  debitAskedAgain,
  insertDebit,
  loadDebitFaults,
  type Order,
  presentDebit,
  saveDebitFaults,
} from './debits.sql.ts'

export type Outcome =
  | { readonly kind: 'answer'; readonly answer: DebitAnswer }
  | { readonly kind: 'silence' }
  | { readonly kind: 'other order' }
  | { readonly kind: 'no mandate' }

export type Debits = {
  order(order: Order): Promise<Outcome>
  inquire(sessionId: string): Promise<Outcome>
  bar(sessionId: string): Promise<Outcome>
  /** From now on; null turns faults off. */
  setFaults(faults: Faults | null): Promise<void>
}

const answerWith = (sessionId: string, status: DebitAnswer['status'], responseCode: string): Outcome => ({
  kind: 'answer',
  answer: { sessionId, status, responseCode, message: debitText(responseCode) },
})
const answerFor = ({ sessionId, status, code }: Debit): Outcome => answerWith(sessionId, status, code)
const notReceived = (sessionId: string): Outcome => answerWith(sessionId, 'UNKNOWN', CODES.notReceived)

/** One session names one debit for ever; only one that was barred in advance cannot be compared. */
const sameOrder = (order: Order, debit: Debit): Outcome =>
  debit.kobo === null ||
  (debit.kobo === order.kobo && debit.mandateCode === order.mandateCode && debit.narration === order.narration)
    ? answerFor(debit)
    : { kind: 'other order' }

export async function createDebits(parts: {
  readonly pool: pg.Pool
  readonly clock: Clock
  readonly notices: Notices
}): Promise<Debits> {
  const { pool, clock, notices } = parts
  let faults = await loadDebitFaults(pool)
  const order = async (asked: Order): Promise<Outcome> => {
    const { sessionId } = asked
    const known = await debitAskedAgain(pool, sessionId, clock.now())
    if (known !== null) return sameOrder(asked, known)
    const made = await insertDebit(pool, asked, faults, clock.now(), LEASE_SECONDS)
    if (made === 'no mandate') return { kind: 'no mandate' }
    if (made === 'not received') return { kind: 'silence' }
    if (made === 'known') return order(asked)
    const sending = notices.sendTogether(
      made.owed.filter((notice) => notice.now).map(({ id, status }) => ({ id, debit: { sessionId, status } })),
    )
    if (made.plan.noticesFirst) await sending
    return made.plan.answer === 'silence'
      ? { kind: 'silence' }
      : answerWith(sessionId, made.plan.status, made.plan.code)
  }
  return {
    order,
    inquire: async (sessionId) => {
      const debit = await presentDebit(pool, sessionId, clock.now())
      return debit === null ? notReceived(sessionId) : answerFor(debit)
    },
    bar: async (sessionId) => {
      const debit = await barDebit(pool, sessionId, clock.now())
      return debit === null ? notReceived(sessionId) : answerFor(debit)
    },
    setFaults: async (wanted) => {
      await saveDebitFaults(pool, wanted)
      faults = wanted
    },
  }
}
