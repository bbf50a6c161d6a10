// What a run will do, decided by its seed before it begins: same seed, same payments. What the machine makes
// of it differs from run to run; what is asked of it does not.
import { mulberry32 } from '../kit/random.ts'

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

const KEYED = 0.75
const REFUSED = 0.03

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
