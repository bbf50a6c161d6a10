// What a run will do, drawn from its seed before it begins: same seed, same payments and same kills. What the machine
// makes of it differs from run to run; what is asked of it does not.
export type Part = 'api' | 'worker'

export type PlannedPayment = {
  /** Milliseconds after the start of the load. */
  readonly at: number
  /** Place in the list of merchants. */
  readonly merchant: number
  readonly paymentReference: string
  /** Naira with two decimals. */
  readonly amount: string
  /** Whether its requests carry an Idempotency-Key. */
  readonly keyed: boolean
  /** Whether the merchant answers its first notification with 500. */
  readonly refusesFirst: boolean
}

export type PlannedKill = {
  readonly at: number
  readonly part: Part
  /** Whether it comes even while the part is still starting. */
  readonly ruthless: boolean
}

const KEYED = 0.75
const REFUSED = 0.03
const RUTHLESS = 0.1
const KILLS_END_AT = 0.95 // the last one is early enough to be over before the load is

/** Numbers between 0 and 1 that follow from the seed alone. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Arrivals by the clock, `rate` a second, whatever becomes of the ones before. */
export function planPayments(
  seed: number,
  options: {
    readonly rate: number
    readonly seconds: number
    readonly merchants: readonly { readonly cell: string }[]
  },
): PlannedPayment[] {
  const { rate, seconds, merchants } = options
  const random = mulberry32(seed)
  return Array.from({ length: Math.floor(rate * seconds) }, (_, index) => {
    const merchant = Math.floor(random() * merchants.length)
    const [naira, hundredths] = [100 + Math.floor(random() * 99_900), Math.floor(random() * 100)]
    return {
      at: (index * 1000) / rate,
      merchant,
      paymentReference: `cell${merchants[merchant]?.cell}-m${merchant}-${index}`,
      amount: `${naira}.${String(hundredths).padStart(2, '0')}`,
      keyed: random() < KEYED,
      refusesFirst: random() < REFUSED,
    }
  })
}

/** One kill at a random instant of each of `kills` equal stretches, of a random part. */
export function planKills(seed: number, kills: number, seconds: number): PlannedKill[] {
  const random = mulberry32(seed ^ 0x5eed)
  const stretch = (seconds * 1000 * KILLS_END_AT) / kills
  return Array.from({ length: kills }, (_, index) => ({
    at: (index + random()) * stretch,
    part: random() < 0.5 ? 'api' : 'worker',
    ruthless: random() < RUTHLESS,
  }))
}
