// What happens in the month, generated from its seed before it begins: who pays what to whom on which day, at
// which of the day's hours, and which of the bank's messages go wrong. A fifth of them do.
import { mulberry32 } from '../../chaos/kit/random.ts'

export const MERCHANTS = ['main', 'other', 'second'] as const
export type MerchantName = (typeof MERCHANTS)[number]

/** How the bank tells of a credit; the first is as it should be. */
export type CreditScenario = 'exact' | 'twice' | 'delayed' | 'lost' | 'reversed' | 'late'
/** Endings of account numbers that the bank has rules for (docs/sandbox-bank.md); 7788 has none. */
export type Ending = '7788' | '0001' | '0002' | '0003' | '0004' | '0005' | '0006'

type Common = { readonly merchant: MerchantName; readonly kobo: bigint }
export type Operation =
  | (Common & { readonly kind: 'reserved' | 'transfer'; readonly scenario: CreditScenario; readonly of: number })
  | (Common & { readonly kind: 'topUp'; readonly scenario: CreditScenario })
  | (Common & { readonly kind: 'payout'; readonly ending: Ending })
  | (Common & { readonly kind: 'refund'; readonly ending: Ending | 'source'; readonly of: number })
  | (Common & { readonly kind: 'debit'; readonly of: number })
  | (Common & { readonly kind: 'card' })
export type Kind = Operation['kind']

export type Size = {
  readonly days: number
  readonly counts: Readonly<Record<Kind, number>>
  /** Reserved accounts, and mandates, of each merchant. */
  readonly accounts: number
  readonly mandates: number
}
export const MONTH: Size = {
  days: 30,
  counts: { reserved: 15_000, transfer: 1_000, topUp: 300, payout: 1_500, refund: 1_000, debit: 1_000, card: 200 },
  accounts: 40,
  mandates: 20,
}
/** The same month with less business: so many operations in all, or a few fewer. */
export const monthOf = (operations: number): Size => {
  const share = operations / operationsOf(MONTH)
  const counts = Object.entries(MONTH.counts).map(([kind, count]) => [kind, Math.round(count * share)])
  return { ...MONTH, counts: Object.fromEntries(counts) as Size['counts'] }
}
/** For proving the checks. */
export const SMALL: Size = {
  days: 2,
  counts: { reserved: 180, transfer: 20, topUp: 6, payout: 24, refund: 12, debit: 16, card: 4 },
  accounts: 6,
  mandates: 3,
}
export const operationsOf = ({ counts }: Size): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Of the month: a day's operations come at these hours, West Africa Time. */
export const HOURS = [10, 17] as const
export type Moment = { readonly day: number; readonly hour: number; readonly operations: readonly Operation[] }

/** Shares of the orders that go wrong by the bank's own seed; a fifth together. */
export const ORDER_FAULTS = { lost: 0.04, late: 0.06, doubled: 0.06, reversed: 0.04 } as const
const CREDIT_FAULTS: readonly [CreditScenario, number][] = [
  ['twice', 0.07],
  ['delayed', 0.06],
  ['lost', 0.06],
  ['reversed', 0.01], // each sends a mail, and each mail is a connection of 0.1 s
]
const LATE = 0.02 // of the payments that can expire, on top
/** The bank's own faults meet all payouts; these come on top, so that each ending is met. */
const ENDINGS: readonly [Ending, number][] = [
  ['0001', 0.01],
  ['0002', 0.01],
  ['0003', 0.01],
  ['0004', 0.005],
  ['0005', 0.005],
  ['0006', 0.01],
]

function pick<T>(chance: number, shares: readonly (readonly [T, number])[], otherwise: T): T {
  let upTo = 0
  for (const [name, share] of shares) {
    upTo += share
    if (chance < upTo) return name
  }
  return otherwise
}

export function planMonth(seed: number, size: Size): Moment[] {
  const random = mulberry32(seed)
  const below = (count: number): number => Math.floor(random() * count)
  const make: { readonly [K in Kind]: (common: Common) => Operation } = {
    reserved: (common) => ({
      ...common,
      kind: 'reserved',
      of: below(size.accounts),
      scenario: pick(random(), CREDIT_FAULTS, 'exact'),
    }),
    transfer: (common) => ({
      ...common,
      kind: 'transfer',
      of: below(3), // every third is split
      scenario: pick(random(), [...CREDIT_FAULTS, ['late', LATE]], 'exact'),
    }),
    topUp: (common) => ({ ...common, kind: 'topUp', scenario: pick(random(), CREDIT_FAULTS, 'exact') }),
    payout: (common) => ({ ...common, kind: 'payout', ending: pick(random(), ENDINGS, '7788') }),
    refund: (common) => ({
      ...common,
      kind: 'refund',
      of: below(1_000_000),
      ending: random() < 0.5 ? 'source' : pick(random(), ENDINGS, '7788'),
    }),
    debit: (common) => ({ ...common, kind: 'debit', of: below(size.mandates) }),
    card: (common) => ({ ...common, kind: 'card' }),
  }
  const slots = size.days * HOURS.length
  const moments: Operation[][] = Array.from({ length: slots }, () => [])
  for (const kind of Object.keys(make) as Kind[]) {
    // What is refunded was paid on a day before.
    const first = kind === 'refund' ? HOURS.length : 0
    for (let made = 0; made < size.counts[kind]; made += 1) {
      const merchant = MERCHANTS[below(MERCHANTS.length)] as MerchantName
      const kobo = BigInt(kind === 'refund' ? 10_000 + below(20_000) : 50_000 + below(450_000))
      moments[first + below(slots - first)]?.push(make[kind]({ merchant, kobo }))
    }
  }
  return moments.map((operations, slot) => ({
    day: Math.floor(slot / HOURS.length),
    hour: HOURS[slot % HOURS.length] as number,
    operations,
  }))
}
