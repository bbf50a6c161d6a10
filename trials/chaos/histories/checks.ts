// The small model, written from the rules, and what it says of a history when it is over. Pure functions of
// the evidence, so that each can be shown a fault.
import { nairaText } from '../../../packages/contract/src/kit/money.ts'

// ---- what is looked at

/** A schedule of fees from an instant on. */
export type Price = { readonly from: Date; readonly basisPoints: bigint; readonly capKobo: bigint }
export type OpenBreak = {
  readonly id: string
  readonly class: string
  readonly kind: string
  readonly session_id: string
  readonly merchant_id: string
  readonly opened_at: Date
}
export type Balance = { readonly ours: bigint; readonly theirs: bigint }
/** A transaction of one transfer, as our books priced it. */
export type Priced = { readonly reference: string; readonly kobo: bigint; readonly fee: bigint; readonly paidAt: Date }
export type Facts = {
  readonly index: number
  readonly policy: string
  readonly problems: readonly string[]
  readonly signedKobo: bigint
  readonly prices: readonly Price[]
  readonly accounts: Readonly<Record<'bank' | 'second', Balance>>
  readonly open: readonly OpenBreak[]
  /** What our account of differences bears for it; above zero: it cost us. */
  readonly lostKobo: bigint
  readonly priced: readonly Priced[]
  /** Payers who paid in time, and whose payment is not counted. */
  readonly unpaid: readonly string[]
  /** Accounts of the merchant, or of its share, that are below zero: then somebody keeps what it owes. */
  readonly below: readonly string[]
  /** Settlements of shares that were paid while their merchant owed, of what was split since. */
  readonly pastDebt: readonly string[]
}
// ---- the rules

const signed = (kobo: bigint): string => `${kobo < 0n ? '-' : ''}${nairaText(kobo < 0n ? -kobo : kobo)}`

/** A part of the amount, half up to the kobo, at most the cap, by the price of when the bank was paid. */
export function feeOf(prices: readonly Price[], kobo: bigint, at: Date): bigint {
  const price = prices.findLast(({ from }) => from <= at)
  if (!price) return 0n
  const fee = (kobo * price.basisPoints + 5_000n) / 10_000n
  return fee > price.capKobo ? price.capKobo : fee
}

/** A break, as far as the rules look at it. */
type Disputed = { readonly class: string; readonly kind: string }
/** Whoever was credited answers for it; for what nobody asked for the bank answers. */
const ANSWERED: ReadonlySet<string> = new Set([
  'MISSING_THERE CREDIT',
  'AMOUNT CREDIT',
  'MISSING_HERE PAYOUT',
  'MISSING_THERE PAYOUT_REVERSAL',
  'MISSING_HERE REVERSAL',
  'REVERSAL REVERSAL',
])
/** By the rules: whether the merchant that was credited answers for what the bank holds less. */
export const merchantAnswers = (one: Disputed): boolean => ANSWERED.has(`${one.class} ${one.kind}`)

/** What two people would sign, best first. */
export function wished(one: Disputed, kobo: bigint, isCredited: boolean): string[] {
  if (kobo > 0n) return ['TO_SUSPENSE', 'TO_MERCHANT', 'BANK_CREDIT', 'WRITE_OFF']
  return isCredited && merchantAnswers(one) ? ['FROM_MERCHANT', 'WRITE_OFF'] : ['WRITE_OFF', 'BANK_CHARGE']
}

type Check = (facts: Facts) => string[]
const CHECKS: Readonly<Record<string, Check>> = {
  'what was wrong when it happened': ({ problems }) => [...problems],
  'our account at a bank is what the bank has': ({ accounts }) =>
    Object.entries(accounts).flatMap(([bank, { ours, theirs }]) =>
      ours === theirs ? [] : [`${bank}: ${signed(theirs)} by its statements, ${signed(ours)} in our books`],
    ),
  'every break came to its end': ({ open }) =>
    open.map((one) => `${one.class} ${one.kind} of ${one.session_id} is open`),
  'our own loss is never more than what two people signed': ({ lostKobo, signedKobo, accounts }) => {
    const gone = Object.values(accounts).reduce(
      (sum, { ours, theirs }) => (ours > theirs ? sum + ours - theirs : sum),
      0n,
    )
    return lostKobo + gone > signedKobo ? [`lost ${signed(lostKobo + gone)}, signed ${signed(signedKobo)}`] : []
  },
  'a payment is priced as of when the bank was paid': ({ priced, prices }) =>
    priced.flatMap(({ reference, kobo, fee, paidAt }) => {
      const due = feeOf(prices, kobo, paidAt)
      return fee === due
        ? []
        : [`${reference} of ${signed(kobo)}, paid at ${paidAt.toISOString()}: fee ${signed(fee)}, due ${signed(due)}`]
    }),
  'who paid in time has paid': ({ unpaid }) => [...unpaid],
  'what an account cannot give is owed': ({ below }) => below.map((says) => `${says} is left below zero`),
  'no share is paid past a debt': ({ pastDebt }) =>
    pastDebt.map((reference) => `settlement ${reference} paid a sub account what was split while its merchant owed`),
}
export const CHECK_NAMES = Object.keys(CHECKS)

export type Finding = { readonly check: string; readonly says: string }
export const findingsOf = (facts: Facts): Finding[] =>
  Object.entries(CHECKS).flatMap(([check, find]) => find(facts).map((says) => ({ check, says })))

export function sumAll(all: readonly Readonly<Partial<Record<string, number>>>[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const one of all) for (const [name, n = 0] of Object.entries(one)) sums[name] = (sums[name] ?? 0) + n
  return sums
}
