// Random lives of mandates against a naive model: a list of what was accepted and what failed. The model says what may be
// accepted; the bank's books say at the end what was taken.
import { expect, test } from 'vitest'
import {
  accepted,
  active,
  atBank,
  cancel,
  DAY,
  debit,
  debitStatus,
  decide,
  type Mandate,
  takenAtBank,
} from '../../../test/direct-debit.ts'
import { advance, useHarness } from '../../../test/harness.ts'

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
  /** Every debit of this account fails as soon as the bank hears of it. */
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

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
  'life %i: accepted as the model says, taken as the bank says',
  async (seed) => {
    const h = harness()
    const any = chance(seed * 7_919)
    const ending = ENDINGS[seed % ENDINGS.length] as string
    const fixed = any(3) === 0 ? 40 : null
    const limit = 200 + 20 * any(10)
    const over = { mandateAmount: limit, ...(fixed === null ? {} : { debitAmount: fixed }), customerCancellation: true }
    const made: Mandate = await active(h, h.merchants.main, over, ending)
    const model: Model = { limit, fixed, fails: FAILING.has(ending), over: false, counted: [], all: [] }
    const amount = (): number => (fixed !== null && any(4) > 0 ? fixed : 20 + 10 * any(6))
    const take = (answer: Awaited<ReturnType<typeof debit>>, naira: number): void => {
      if (answer.status !== 200) return
      const { paymentReference } = answer.json.responseBody
      model.counted.push({ paymentReference, naira })
      model.all.push({ paymentReference, naira })
    }
    for (let step = 0; step < 14; step += 1) {
      const what = any(20)
      if (what < 12) {
        const naira = amount()
        const expected = allows(model, naira)
        const answer = await debit(h, made, { debitAmount: String(naira) })
        expect(answer.status === 200, `step ${step}: ${naira} of ${JSON.stringify(model)}: ${answer.text}`).toBe(
          expected,
        )
        take(answer, naira)
      } else if (what < 15) {
        // Several at once: whichever come first, they are never more together than the mandate allows.
        const naira = amount()
        const fitting =
          model.over || (fixed !== null && naira !== fixed) ? 0 : Math.floor((limit - sum(model.counted)) / naira)
        const answers = await Promise.all(
          Array.from({ length: 6 }, () => debit(h, made, { debitAmount: String(naira) })),
        )
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(Math.min(6, fitting))
        for (const answer of answers) take(answer, naira)
      } else if (what < 19) {
        await advance(h, 60)
        if (model.fails) model.counted = []
      } else {
        if (any(2) === 0) await cancel(h, made)
        else await decide(h, made, 'cancel')
        model.over = true
      }
      expect(sum(model.counted)).toBeLessThanOrEqual(limit)
    }
    await advance(h, DAY)
    let paid = 0
    for (const { paymentReference, naira } of model.all) {
      const { transactionStatus } = await debitStatus(h, made, paymentReference)
      expect(['PAID', 'FAILED']).toContain(transactionStatus)
      if (transactionStatus === 'PAID') paid += naira
    }
    expect(paid).toBe(await takenAtBank(h, made))
    expect(paid).toBeLessThanOrEqual(limit)
    expect((await atBank(h, made)).every(({ asked }) => asked === 1)).toBe(true)
    if (model.fails) expect(paid).toBe(0)
    else if (!model.over) {
      expect(paid).toBe(sum(model.all))
      if (fixed === null && limit - paid >= 20) await accepted(h, made, { debitAmount: String(limit - paid) })
    }
  },
)
