// How a refund of a card goes, decided by its amount when it is ordered, as a charge is (issuer.rules.ts):
// 39NN.39 gives the code NN, 390N.38 silence or a wait, everything else is refunded at once.
import { isApproval, RESPONSE_CODES, responseCode } from '@cowrie/contract/collections/response-codes'
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import type { PayoutNoticeStatus, Plan } from '../payouts/payouts.rules.ts'

export const REFUND_CODES = {
  refunded: '00',
  inProgress: '09',
  /** No such charge, one that was not approved, or one of which too much would be refunded. */
  invalid: '12',
  tooMuch: '13',
  notReceived: '25',
  barred: '21',
  closed: '62',
  refused: '57',
  timedOut: '91',
} as const

const REFUNDED: Plan = {
  answer: 'given',
  status: 'SUCCESS',
  code: REFUND_CODES.refunded,
  turn: null,
  notices: [],
  noticesFirst: false,
}
export const refusedWith = (code: string): Plan => ({ ...REFUNDED, status: 'FAILED', code })
const turning = (plan: Plan, to: PayoutNoticeStatus, hours: number): Plan => ({
  ...plan,
  turn: { to, afterMs: hours * HOUR_MS },
  notices: [{ status: to, afterMs: hours * HOUR_MS }],
})
const WAITING: Plan = { ...REFUNDED, status: 'PENDING', code: REFUND_CODES.inProgress }

const BY_AMOUNT: Readonly<Record<string, Plan>> = {
  '390138': { ...REFUNDED, answer: 'silence' },
  '390238': { ...refusedWith(REFUND_CODES.timedOut), answer: 'silence' },
  '390338': { ...REFUNDED, answer: 'not received' },
  '390538': turning(WAITING, 'SUCCESS', 2),
  '390638': turning(WAITING, 'FAILED', 2),
  '390738': {
    ...REFUNDED,
    notices: [
      { status: 'SUCCESS', afterMs: 0 },
      { status: 'SUCCESS', afterMs: 0 },
    ],
  },
  '390838': turning(REFUNDED, 'REVERSED', 48),
}

export function refundPlan(kobo: bigint): Plan {
  const code = /^39(\d\d)39$/.exec(String(kobo))?.[1]
  if (code !== undefined && !isApproval(code) && code in RESPONSE_CODES) return refusedWith(code)
  return BY_AMOUNT[String(kobo)] ?? REFUNDED
}

/** The code after a turn, where the plan gives none. */
export const turnCode = (status: PayoutNoticeStatus): string =>
  status === 'SUCCESS' ? REFUND_CODES.refunded : status === 'REVERSED' ? REFUND_CODES.closed : REFUND_CODES.refused

const WORDS: Readonly<Record<string, string>> = {
  [REFUND_CODES.refunded]: 'Refunded',
  [REFUND_CODES.barred]: 'No action taken',
  [REFUND_CODES.notReceived]: 'Unable to locate record',
}
export const refundText = (code: string): string => WORDS[code] ?? responseCode(code).says
