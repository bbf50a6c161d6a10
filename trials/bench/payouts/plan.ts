// What the bench will ask for, decided by its seed before it begins: payouts of one amount per merchant, so
// that what a wallet can pay is a plain division; repetitions of references, soon and late; and probes that
// look like a payout made.
import { accountName } from '../../../apps/simulator/src/kit/names.ts'
import { nairaNumber } from '../../../packages/contract/src/kit/money.ts'
import { payoutFee } from '../../../packages/contract/src/payouts/disbursements.ts'
import { mulberry32 } from '../../chaos/kit/random.ts'

/** In kobo; one in each tier of the fees, and one more. */
export const AMOUNTS = [150_000n, 499_999n, 1_200_050n, 5_000_001n] as const
const BANK_CODE = '044'
const PAYABLE = 0.5 // of the attempts
const [SOON, LATE, PROBES] = [0.05, 0.05, 0.01]
const SOON_WITHIN = 16 // with 64 connections the first is still under way

export type PlannedPayout = {
  readonly merchant: number
  readonly reference: string
  readonly accountNumber: string
}
/** `probe`: sent with the destination of a payout that was just accepted, where there is one. */
export type PlannedAttempt = { readonly kind: 'first' | 'again' | 'probe'; readonly payout: number }
export type Plan = { readonly payouts: readonly PlannedPayout[]; readonly attempts: readonly PlannedAttempt[] }

/** Ends in none of the digits that make the bank of the sandbox misbehave. */
const accountAt = (n: number): string => `3${String(n).padStart(6, '0')}111`

export function planAttempts(seed: number, count: number): Plan {
  const random = mulberry32(seed)
  const payouts: PlannedPayout[] = []
  const firsts: number[] = []
  const attempts = Array.from({ length: count }, (): PlannedAttempt => {
    const chance = random()
    const [soon, any] = [firsts.length - 1 - Math.floor(random() * SOON_WITHIN), Math.floor(random() * firsts.length)]
    const earlier = chance < SOON ? soon : chance < SOON + LATE ? any : -1
    if (earlier >= 0) return { kind: 'again', payout: firsts[earlier] as number }
    const payout = payouts.length
    const merchant = Math.floor(random() * AMOUNTS.length)
    payouts.push({ merchant, reference: `payout-${payout}`, accountNumber: accountAt(payout) })
    if (chance > 1 - PROBES) return { kind: 'probe', payout }
    firsts.push(payout)
    return { kind: 'first', payout }
  })
  return { payouts, attempts }
}

export const costOf = (merchant: number): bigint => (AMOUNTS[merchant] ?? 0n) + payoutFee(AMOUNTS[merchant] ?? 0n)
/** How many payouts each wallet is filled for. */
export const payable = (count: number): number => Math.floor((count * PAYABLE) / AMOUNTS.length)
/** A kobo short of one more. */
export const funding = (merchant: number, count: number): bigint => BigInt(payable(count) + 1) * costOf(merchant) - 1n

/** The narration carries the reference, so that the bank's books can be asked about it. */
export const bodyOf = (payout: PlannedPayout, accountNumber: string, sourceAccountNumber: string): string =>
  JSON.stringify({
    amount: nairaNumber(AMOUNTS[payout.merchant] ?? 0n),
    reference: payout.reference,
    narration: `${payout.merchant}/${payout.reference}`,
    destinationBankCode: BANK_CODE,
    destinationAccountNumber: accountNumber,
    destinationAccountName: accountName(BANK_CODE, accountNumber),
    currency: 'NGN',
    sourceAccountNumber,
  })
