// What happens in a history, decided by its seed before it begins: for one merchant, so many steps in each of
// some rounds, between which the clock moves. A step says what is done and carries a number by which it picks
// what it is done to, so that a list with some steps left out is a history as well.
import { mulberry32 } from '../kit/random.ts'

/** Two rounds a day, by the hours of Lagos; then days on which people work and nothing else happens. */
export const HOURS = [10, 16] as const
export const DAYS = 6
export const ROUNDS = DAYS * HOURS.length
export const STEPS_PER_ROUND = 5
/** The longest wait of anything is that of held money which only the statement of the last day shows: nobody
 *  decides on it for a week, and the next statement has its return. */
export const DAYS_AFTER = 8

/** How often each comes, as weights. */
const WEIGHTS = {
  // money comes in
  collect: 13,
  split: 4,
  short: 2,
  over: 2,
  late: 2,
  twice: 2,
  delayed: 2,
  lost: 2,
  reserved: 6,
  topUp: 5,
  again: 6,
  // what people of the merchant decide
  accept: 6,
  giveBack: 2,
  payout: 13,
  emptyWallet: 4,
  refund: 4,
  settle: 3,
  allToShare: 2,
  // the bank takes back
  recall: 7,
  recallUntold: 2,
  // the bank says one thing and another
  wrongReversal: 3,
  contradict: 3,
  paidAfterAll: 3,
  unpaidAfterAll: 2,
  tooMuchSaid: 2,
  onlySaid: 2,
  // statements
  lineMissing: 1,
  lineAmount: 1,
  lineTwice: 3,
  takesSecondBack: 3,
  lineLate: 1,
  lateAndOther: 2,
  sameName: 2,
  // prices, days and people
  newPrice: 2,
  dayOnly: 2,
  closeAlone: 2,
} as const
export type StepKind = keyof typeof WEIGHTS
export const STEP_KINDS = Object.keys(WEIGHTS) as StepKind[]

export type Step = {
  readonly round: number
  readonly kind: StepKind
  /** Which of what is there. */
  readonly pick: number
  readonly kobo: bigint
}
export type Plan = {
  readonly index: number
  readonly policy: 'HOLD' | 'RETURN'
  readonly destination: 'WALLET' | 'BANK'
  readonly steps: readonly Step[]
}

const TOTAL = Object.values(WEIGHTS).reduce((sum: number, weight) => sum + weight, 0)
function kindAt(chance: number): StepKind {
  let upTo = 0
  for (const kind of STEP_KINDS) {
    upTo += WEIGHTS[kind] / TOTAL
    if (chance < upTo) return kind
  }
  return 'collect'
}

/** The same seed and index give the same history. */
export function planHistory(seed: number, index: number): Plan {
  const random = mulberry32((seed ^ Math.imul(index + 1, 0x9e3779b1)) >>> 0)
  const steps: Step[] = []
  for (let round = 0; round < ROUNDS; round += 1)
    for (let at = 0; at < STEPS_PER_ROUND; at += 1) {
      // First there must be something: nothing can be taken back from nobody.
      const first = round === 0 && at < 2
      const kind = kindAt(random())
      const pick = Math.floor(random() * 1_000_000)
      const kobo = BigInt(20_000 + Math.floor(random() * 2_000_000))
      steps.push({ round, kind: first ? 'collect' : kind, pick, kobo })
    }
  return {
    index,
    policy: random() < 0.75 ? 'HOLD' : 'RETURN',
    destination: random() < 0.75 ? 'WALLET' : 'BANK',
    steps,
  }
}

export const stepText = ({ round, kind, pick, kobo }: Step): string =>
  `day ${1 + Math.floor(round / HOURS.length)}, ${HOURS[round % HOURS.length]}:00  ${kind} ${pick} ${kobo}`
