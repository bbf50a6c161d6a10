// Billers: airtime, data, electricity and cable TV are delivered to customers, and charged to the gateway.
//   order → SUCCESS | FAILED | PENDING → SUCCESS | FAILED when due        bar: PENDING or not received →
//     FAILED
// Books: charged on the way into SUCCESS, once per session. Nothing is reported without being asked.
import { type ValidationAnswer, type VendAnswer, vendText } from '@cowrie/contract/bank/biller-connector'
import type pg from 'pg'
import type { Clock } from '../kit/clock.ts'
import { accountName } from '../kit/names.ts'
import { productOf } from './billers.catalogue.ts'
import { CODES, hasToken, isUnknownCustomer, planOf, tokenOf, validationReferenceOf } from './billers.rules.ts'
import { askedAgain, barVend, type Contents, insertVend, type Order, present, type Vend } from './billers.sql.ts'

/** What becomes of a call: an answer, none, or a refusal because the session was used for a different
 *  order. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: VendAnswer }
  | { readonly kind: 'silence' }
  | { readonly kind: 'other order' }

export type Billers = {
  validate(productCode: string, customerId: string): ValidationAnswer
  order(order: Order): Promise<Outcome>
  inquire(sessionId: string): Promise<Outcome>
  bar(sessionId: string): Promise<Outcome>
  /** How long a caller who gets no answer is kept waiting. */
  readonly silenceMs: number
  readonly stopping: AbortSignal
}

const answerWith = (sessionId: string, status: VendAnswer['status'], responseCode: string): VendAnswer => ({
  sessionId,
  status,
  responseCode,
  message: vendText(responseCode),
})
const answerFor = ({ sessionId, status, code, productCode }: Vend): Outcome => ({
  kind: 'answer',
  answer: {
    ...answerWith(sessionId, status, code),
    ...(status === 'SUCCESS' && hasToken(productCode ?? '') ? { token: tokenOf(sessionId) } : {}),
  },
})
const notReceived = (sessionId: string): Outcome => ({
  kind: 'answer',
  answer: answerWith(sessionId, 'UNKNOWN', CODES.notReceived),
})
/** A bank whose holders lend customers their names. */
const REGISTER = '058'
const SILENCE: Outcome = { kind: 'silence' }

const COMPARED: readonly (keyof Contents)[] = ['productCode', 'customerId', 'kobo', 'payableKobo']
/** One session names one vend for ever; only one that was barred in advance cannot be compared. */
const sameOrder = (order: Order, vend: Vend): Outcome =>
  vend.kobo === null || COMPARED.every((name) => vend[name] === order[name]) ? answerFor(vend) : { kind: 'other order' }

export function createBillers(
  { pool, clock, stopping }: { readonly pool: pg.Pool; readonly clock: Clock; readonly stopping: AbortSignal },
  { silenceMs }: { readonly silenceMs: number },
): Billers {
  return {
    validate: (productCode, customerId) => {
      const product = productOf(productCode)
      const known = product !== undefined && !isUnknownCustomer(customerId)
      // Networks give no names.
      const customerName = product?.customerIdType === 'PHONE' ? null : accountName(REGISTER, customerId)
      return {
        productCode,
        customerId,
        known,
        ...(known && customerName ? { customerName } : {}),
        ...(known ? { validationReference: validationReferenceOf(productCode, customerId) } : {}),
      }
    },
    order: async (order) => {
      const known = await askedAgain(pool, order.sessionId, clock.now())
      if (known !== null) return sameOrder(order, known)
      const plan = planOf(order)
      if (plan.answer === 'not received') return SILENCE
      await insertVend(pool, order, plan, clock.now())
      const vend = await present(pool, order.sessionId, clock.now())
      if (vend === null) return notReceived(order.sessionId)
      return plan.answer === 'silence' ? SILENCE : sameOrder(order, vend)
    },
    inquire: async (sessionId) => {
      const vend = await present(pool, sessionId, clock.now())
      return vend === null ? notReceived(sessionId) : answerFor(vend)
    },
    bar: async (sessionId) => {
      const vend = await barVend(pool, sessionId, clock.now())
      return vend === null ? notReceived(sessionId) : answerFor(vend)
    },
    silenceMs,
    stopping,
  }
}
