// Random lives of mandates against a naive model: a list of what was accepted and what failed. The model says
// what may be accepted; the bank's books say at the end what was taken.
import { expect, test } from 'vitest'
import {
  active,
  atBank,
  cancel,
  DAY,
  debit,
  debitStatus,
  decide,
  type Mandate,
  takenAtBank,
} from '#test/features/collections/direct-debit.ts'
import { advance, type Harness, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

/** The same seed, the same numbers. */
function chance(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Known = { readonly paymentReference: string; readonly naira: number }
type Model = {
  readonly limit: number
  readonly fixed: number | null
  /** Every debit of this account fails as soon as the bank receives it. */
  readonly fails: boolean
  over: boolean
  /** Accepted, and not known to have failed. */
  counted: Known[]
  readonly all: Known[]
}
const sum = (debits: readonly Known[]): number => debits.reduce((total, { naira }) => total + naira, 0)
const allows = (model: Model, naira: number): boolean =>
  !model.over && (model.fixed === null || naira === model.fixed) && sum(model.counted) + naira <= model.limit

const ENDINGS = ['7788', '0001', '0002', '0004', '0005', '0006'] as const
const FAILING: ReadonlySet<string> = new Set(['0001', '0005'])

/** One life; answers what was otherwise than the model or the bank says. */
async function live(h: Harness, seed: number): Promise<string[]> {
  const wrong: string[] = []
  const same = (what: string, found: unknown, wanted: unknown): void => {
    if (found !== wanted) wrong.push(`${what}: ${String(found)}, not ${String(wanted)}`)
  }
  const any = chance(seed * 7_919)
  const ending = ENDINGS[seed % ENDINGS.length] as string
  const fixed = any(3) === 0 ? 40 : null
  const limit = 200 + 20 * any(10)
  const over = { mandateAmount: limit, ...(fixed === null ? {} : { debitAmount: fixed }), customerCancellation: true }
  const made: Mandate = await active(h, h.merchants.main, over, ending)
  const model: Model = { limit, fixed, fails: FAILING.has(ending), over: false, counted: [], all: [] }
  const amount = (): number => (fixed !== null && any(4) > 0 ? fixed : 20 + 10 * any(6))
  const ask = async (naira: number): Promise<boolean> => {
    const answer = await debit(h, made, { debitAmount: String(naira) })
    if (answer.status !== 200) return false
    const { paymentReference } = answer.json.responseBody
    model.counted.push({ paymentReference, naira })
    model.all.push({ paymentReference, naira })
    return true
  }
  for (let step = 0; step < 14; step += 1) {
    const what = any(20)
    if (what < 12) {
      const naira = amount()
      const allowed = allows(model, naira)
      same(`step ${step}, a debit of ${naira}`, await ask(naira), allowed)
    } else if (what < 15) {
      // Several at once: whichever come first, they are never more together than the mandate allows.
      const naira = amount()
      const fitting = allows(model, naira) ? Math.floor((limit - sum(model.counted)) / naira) : 0
      const taken = await Promise.all(Array.from({ length: 6 }, () => ask(naira)))
      same(`step ${step}, six debits of ${naira}`, taken.filter(Boolean).length, Math.min(6, fitting))
    } else if (what < 19) {
      await advance(h, 60)
      if (model.fails) model.counted = []
    } else {
      await (any(2) === 0 ? cancel(h, made) : decide(h, made, 'cancel'))
      model.over = true
    }
    if (sum(model.counted) > limit) wrong.push(`step ${step}: ${sum(model.counted)} of ${limit}`)
  }
  await advance(h, DAY)
  let paid = 0
  for (const { paymentReference, naira } of model.all) {
    const { transactionStatus } = await debitStatus(h, made, paymentReference)
    if (transactionStatus === 'PAID') paid += naira
    else same(paymentReference, transactionStatus, 'FAILED')
  }
  same('what the bank has taken', await takenAtBank(h, made), paid)
  same('orders that came twice', (await atBank(h, made)).filter(({ asked }) => asked !== 1).length, 0)
  if (model.fails) same('paid', paid, 0)
  else if (!model.over) same('paid', paid, sum(model.all))
  return wrong
}

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
  'life %i: accepted as the model says, taken as the bank says',
  async (seed) => expect(await live(harness(), seed)).toEqual([]),
)
