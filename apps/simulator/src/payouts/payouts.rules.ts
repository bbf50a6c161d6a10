// How a payout goes, decided when it is ordered: by the last digits of the account, so that a merchant's test
// can choose; else by the faults that are switched on, chosen by their seed and the session, so that a run
// can be repeated.
import { createHash } from 'node:crypto'
import { isOpenBank } from '@cowrie/contract/bank/banks'
import type { PayoutNotice } from '@cowrie/contract/bank/connector'
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import type { Faults } from '../kit/faults.ts'
import { isMissing } from '../kit/names.ts'

export type PayoutStatus = 'SUCCESS' | 'FAILED' | 'PENDING' | 'REVERSED'
export type PayoutNoticeStatus = PayoutNotice['status']

export const CODES = {
  success: '00',
  reversed: '05',
  dormant: '06',
  noSuchAccount: '07',
  pending: '09',
  unknownBank: '16',
  barred: '21',
  notReceived: '25',
  bankAway: '91',
  timedOut: '97',
} as const

/** What the network calls a payout, and what the bank charges for one that it paid, in version 2 of the
 *  protocol. */
export const networkReference = (sessionId: string): string => `NET${sessionId}`
export const FEE = '10.75'

export type Plan = {
  /** `given`: the caller gets one. `silence`: none. `not received`: the order does not even reach the
   *  bank. */
  readonly answer: 'given' | 'silence' | 'not received'
  readonly status: 'SUCCESS' | 'FAILED' | 'PENDING'
  readonly code: string
  /** What it turns into later, and when. With zero, before the answer is out, which still says `status`. */
  readonly turn: { readonly to: PayoutNoticeStatus; readonly afterMs: number } | null
  /** The notices besides the answer. Those without a delay leave together. */
  readonly notices: readonly { readonly status: PayoutNoticeStatus; readonly afterMs: number }[]
  /** Those without a delay arrive before the answer is out. */
  readonly noticesFirst: boolean
}

const PAID: Plan = {
  answer: 'given',
  status: 'SUCCESS',
  code: CODES.success,
  turn: null,
  notices: [],
  noticesFirst: false,
}
const failed = (code: string): Plan => ({ ...PAID, status: 'FAILED', code })
const pending = (to: PayoutNoticeStatus, afterMs: number): Plan => ({
  ...PAID,
  status: 'PENDING',
  code: CODES.pending,
  turn: { to, afterMs },
  notices: [{ status: to, afterMs }],
})
const reversed = (afterMs: number): Plan => ({
  ...PAID,
  turn: { to: 'REVERSED', afterMs },
  notices: [{ status: 'REVERSED', afterMs }],
})
const TWICE: Plan = {
  ...PAID,
  notices: [
    { status: 'SUCCESS', afterMs: 0 },
    { status: 'SUCCESS', afterMs: 0 },
  ],
}

const ENDINGS: Readonly<Record<string, Plan>> = {
  '0001': failed(CODES.dormant),
  '0002': pending('SUCCESS', 2 * HOUR_MS),
  '0003': reversed(48 * HOUR_MS),
  '0004': { ...PAID, answer: 'silence' },
  '0005': { ...failed(CODES.timedOut), answer: 'silence' },
  '0006': TWICE,
}

export function planOf(
  order: {
    readonly sessionId: string
    readonly destinationBankCode: string
    readonly destinationAccountNumber: string
  },
  faults: Faults | null,
): Plan {
  const { sessionId, destinationBankCode, destinationAccountNumber } = order
  if (!isOpenBank(destinationBankCode)) return failed(CODES.unknownBank)
  if (isMissing(destinationAccountNumber)) return failed(CODES.noSuchAccount)
  const chosen = ENDINGS[destinationAccountNumber.slice(-4)]
  return chosen ?? (faults === null ? PAID : faulty(faults, sessionId))
}

/** The same seed and session give the same plan. */
function faulty(faults: Faults, sessionId: string): Plan {
  const digest = createHash('sha256').update(`${faults.seed}/${sessionId}`).digest()
  const chance = digest.readUInt32BE(0) / 2 ** 32
  const heads = digest.readUInt8(4) % 2 === 0
  const seconds = 1_000 + (digest.readUInt16BE(5) % 3_000)
  const { lost, late, doubled } = faults
  if (chance < lost) return { ...PAID, answer: heads ? 'silence' : 'not received' }
  if (chance < lost + late) return pending(heads ? 'SUCCESS' : 'FAILED', seconds)
  if (chance < lost + late + doubled) return TWICE
  if (chance < lost + late + doubled + faults.reversed) return heads ? reversed(seconds) : reversedFirst(seconds)
  return PAID
}

/** The notice of the reversal overtakes the answer, and a notice of the success comes last. */
const reversedFirst = (afterMs: number): Plan => ({
  ...reversed(0),
  notices: [
    { status: 'REVERSED', afterMs: 0 },
    { status: 'SUCCESS', afterMs },
  ],
  noticesFirst: true,
})

/** The response code after a turn, where the plan gives none. */
export const codeOf = (status: PayoutNoticeStatus): string =>
  status === 'SUCCESS' ? CODES.success : status === 'REVERSED' ? CODES.reversed : CODES.bankAway
