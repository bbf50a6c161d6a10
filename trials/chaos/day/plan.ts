// What the day will do, decided by its seed before it begins: which operation in which hour, for whom, to
// which bank.
import { mulberry32 } from '../kit/random.ts'
import type { Rail, Upstream } from './rails.ts'

/** Through which connectors payouts go, the preferred one first; the first route that fits a payout is the
 *  closest. */
export const ROUTES: readonly { readonly bankCode?: string; readonly above?: number; readonly connectors: Rail[] }[] = [
  { bankCode: '058', connectors: ['providus', 'nibss', 'bank'] },
  { bankCode: '044', connectors: ['nibss', 'bank', 'providus'] },
  { bankCode: '057', above: 2_000, connectors: ['nibss', 'providus', 'bank'] },
  { connectors: ['bank', 'providus', 'nibss'] },
]

/** Who is to pay it, as long as nobody is away. */
export const preferredFor = (bankCode: string, kobo: bigint): Rail => {
  const route = ROUTES.find((one) => (one.bankCode ?? bankCode) === bankCode && kobo > BigInt(one.above ?? 0) * 100n)
  return route?.connectors[0] ?? 'bank'
}

export const HOURS = 24
/** In which hour whose bank fails. */
export const OUTAGES: readonly { readonly hour: number; readonly rail: Upstream }[] = [
  { hour: 5, rail: 'providus' },
  { hour: 11, rail: 'nibss' },
  { hour: 17, rail: 'bank' },
  { hour: 21, rail: 'paystack' },
]
/** In an hour with an outage the clock stands still this often, else once. */
export const QUARTERS = 4
/** Such an hour has this many times the operations of another: it is what the day is about. */
const BUSY = 8

type Common = { readonly n: number; readonly hour: number; readonly quarter: number; readonly merchant: number }
export type Payout = Common & {
  readonly kind: 'payout'
  readonly reference: string
  readonly bankCode: string
  readonly kobo: bigint
  /** Nobody else's: in three banks' books it tells what was paid for this payout. */
  readonly accountNumber: string
  readonly prefers: Rail
  /** Sent by the worker, and not while the merchant waits. */
  readonly later: boolean
}
export type Collection = Common & { readonly kind: 'collection'; readonly reference: string; readonly naira: number }
export type CardCharge = Common & {
  readonly kind: 'card'
  readonly reference: string
  readonly naira: number
  /** By the issuer, whoever asks it. */
  readonly declined: boolean
}
export type Operation = Payout | Collection | CardCharge

const COLLECTIONS = 0.2
const CARDS = 0.1
const CARDS_STRUCK = 0.25
const DECLINED = 0.1
const LATER = 0.15
/** Of an hour's payouts, those that the bank that fails would have been given. */
const STRUCK = 2 / 3

/** Banks whose payouts prefer a connector; the last one does above an amount only. */
const BANKS: Readonly<Record<Rail, readonly string[]>> = {
  providus: ['058'],
  nibss: ['044', '057'],
  bank: ['033', '011', '057'],
}

export const outageIn = (hour: number): Upstream | null => OUTAGES.find((one) => one.hour === hour)?.rail ?? null

function hoursOf(operations: number): number[] {
  const weights = Array.from({ length: HOURS }, (_, hour) => (outageIn(hour) === null ? 1 : BUSY))
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  let [due, given] = [0, 0]
  return weights.map((weight) => {
    due += (operations * weight) / all
    const now = Math.round(due) - given
    given += now
    return now
  })
}

function payout(common: Common, random: () => number): Payout {
  const failing = outageIn(common.hour)
  const rails: readonly Rail[] = ['providus', 'nibss', 'bank']
  const wanted =
    failing !== null && failing !== 'paystack' && random() < STRUCK
      ? failing
      : (rails[Math.floor(random() * rails.length)] ?? 'bank')
  const banks = BANKS[wanted]
  const bankCode = banks[Math.floor(random() * banks.length)] ?? '033'
  const large = bankCode === '057' && wanted === 'nibss'
  const small = bankCode === '057' && wanted === 'bank'
  const [least, most] = large ? [200_001, 400_000] : small ? [10_000, 200_000] : [10_000, 400_000]
  const kobo = BigInt(least + Math.floor(random() * (most - least)))
  return {
    ...common,
    kind: 'payout',
    reference: `day-payout-${common.n}`,
    bankCode,
    kobo,
    accountNumber: `3${String(common.n).padStart(6, '0')}111`, // an ending that the simulator has no rule for
    prefers: preferredFor(bankCode, kobo),
    later: random() < LATER,
  }
}

const collection = (common: Common, random: () => number): Collection => ({
  ...common,
  kind: 'collection',
  reference: `day-collection-${common.n}`,
  naira: 100 + Math.floor(random() * 5_000),
})

const card = (common: Common, random: () => number): CardCharge => ({
  ...common,
  kind: 'card',
  reference: `day-card-${common.n}`,
  naira: 100 + Math.floor(random() * 5_000),
  declined: random() < DECLINED,
})

function operation(common: Common, random: () => number): Operation {
  const cards = outageIn(common.hour) === 'paystack' ? CARDS_STRUCK : CARDS
  const kind = random()
  if (kind < cards) return card(common, random)
  return kind < cards + COLLECTIONS ? collection(common, random) : payout(common, random)
}

/** In the order in which they come. */
export function planDay(seed: number, operations: number, merchants: number): Operation[] {
  const random = mulberry32(seed)
  let n = 0
  return hoursOf(operations).flatMap((count, hour) =>
    Array.from({ length: count }, (_, at): Operation => {
      n += 1
      const quarter = outageIn(hour) === null ? 0 : Math.floor((at * QUARTERS) / count)
      const common = { n, hour, quarter, merchant: n % merchants }
      return operation(common, random)
    }),
  )
}
