// Random histories over HTTP: transfers, codes, words of the bank, reversals and time in any order. After
// every step all that was ever funded is in the wallet, held, paid or earned; in the end the ledger and the
// bank's books agree.

import { parseNaira } from '@cowrie/contract/kit/money'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  account,
  ask,
  atBank,
  codeOf,
  money,
  newMerchant,
  notify,
  otherThan,
  payoutFaults,
  resend,
  summary,
  validate,
} from '#test/features/payouts/disbursements.ts'
import { advance, type Harness, type TestMerchant, useHarness } from '#test/kit/harness.ts'

const harness = useHarness()

type Sent = { merchant: TestMerchant; reference: string }
type Step = { readonly weight: number; readonly says: string; run(h: Harness, play: Play): Promise<unknown> }
type Play = { merchants: TestMerchant[]; sent: Sent[]; pick: (count: number) => number }

const transfer = async (h: Harness, { merchants, sent, pick }: Play, over: Record<string, unknown> = {}) => {
  const merchant = merchants[pick(merchants.length)] as TestMerchant
  const amount = ['0.01', 250, '4999.99', 60_000][pick(4)]
  const answer = await ask(h, merchant, { amount, ...over })
  expect([200, 400], answer.text).toContain(answer.status)
  if (answer.status === 200) sent.push({ merchant, reference: answer.json.responseBody.reference })
}
const toEnding =
  (ending: string) =>
  (h: Harness, play: Play): Promise<unknown> =>
    transfer(h, play, { destinationAccountNumber: account(ending) })

/** A notice of what the bank's books say, twice at once: true, late and repeated. */
async function hear(h: Harness, { sent, pick }: Play): Promise<void> {
  const one = sent[pick(sent.length)]
  const { sessionId } = one ? await summary(h, one.merchant, one.reference) : {}
  const status = sessionId && (await atBank(h, sessionId))?.status
  if (!status || status === 'PENDING') return
  const words = status === 'REVERSED' ? (['SUCCESS', 'REVERSED', 'SUCCESS'] as const) : ([status, status] as const)
  const answers = await Promise.all(words.map((word) => notify(h, sessionId, word)))
  expect(answers.map((answer) => answer.status)).toEqual(words.map(() => 200))
}

async function authorise(h: Harness, { sent, pick }: Play): Promise<void> {
  const open = await h.sql<{ reference: string }>(
    '01',
    `select reference from disbursements where reference = any($1) and status = 'PENDING_AUTHORIZATION' order by id`,
    [sent.map(({ reference }) => reference)],
  )
  const chosen = open[pick(open.length)]?.reference
  const one = sent.find(({ reference }) => reference === chosen)
  if (!one) return
  const code = await codeOf(h, one.merchant, one.reference)
  const tries = [[code], [otherThan(code), code], [code, code, code], [otherThan(code)]][pick(4)] as string[]
  if (pick(4) === 0) await resend(h, one.merchant, one.reference)
  await Promise.all(tries.map((attempt) => validate(h, one.merchant, one.reference, attempt)))
}

const STEPS: readonly Step[] = [
  { weight: 12, says: 'transfer', run: transfer },
  { weight: 4, says: 'later', run: (h, play) => transfer(h, play, { async: true }) },
  { weight: 3, says: 'three at once', run: (h, play) => Promise.all([1, 2, 3].map(() => transfer(h, play))) },
  { weight: 3, says: 'dormant', run: toEnding('0001') },
  { weight: 3, says: 'pending', run: toEnding('0002') },
  { weight: 4, says: 'reversed', run: toEnding('0003') },
  { weight: 2, says: 'told twice', run: toEnding('0006') },
  { weight: 8, says: 'authorise', run: authorise },
  { weight: 8, says: 'hear', run: hear },
  { weight: 4, says: 'seconds', run: (h, { pick }) => advance(h, 1 + pick(30)) },
  { weight: 2, says: 'two hours', run: (h) => advance(h, 7_200) },
  { weight: 1, says: 'a day', run: (h) => advance(h, 86_400) },
]
const step = fc.oneof(...STEPS.map((one) => ({ weight: one.weight, arbitrary: fc.constant(one) })))

async function balanced(h: Harness, merchants: readonly TestMerchant[]): Promise<void> {
  const all = await Promise.all(merchants.map((merchant) => money(h, merchant)))
  for (const { funded, wallet, hold, paid, fees } of all) {
    expect(wallet + hold + paid + fees).toBe(funded)
    for (const part of [wallet, hold, paid, fees]) expect(part).toBeGreaterThanOrEqual(0n)
  }
}

const RUNS = 10
test(`${RUNS} random histories: not a kobo is made or lost at any step, and the bank agrees in the end`, async () => {
  const h = harness()
  const merchants = [await newMerchant(h), await newMerchant(h, { otp: true }), await newMerchant(h, { naira: 2_000 })]
  const all: Sent[] = []
  await payoutFaults(h, { seed: 7, lost: 0.05, late: 0.2, doubled: 0.2, reversed: 0.2 })
  const seeds = fc.array(fc.nat(1_000_000), { minLength: 60, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 20 }), seeds, async (steps, chances) => {
      let picked = 0
      const pick = (count: number): number => {
        picked += 1
        return count === 0 ? 0 : (chances[picked % chances.length] as number) % count
      }
      const play: Play = { merchants, sent: [], pick }
      for (const one of steps) {
        await one.run(h, play)
        await balanced(h, merchants)
      }
      all.push(...play.sent)
    }),
    // Every run goes on where the last one ended, so a failing one cannot be made smaller.
    { numRuns: RUNS, endOnFailure: true },
  )
  await payoutFaults(h, {})
  await advance(h, 3 * 86_400)
  const rows = await h.sql<{ status: string; session_id: string | null; kobo: string }>(
    '01',
    'select status, session_id, kobo from disbursements where reference = any($1)',
    [all.map(({ reference }) => reference)],
  )
  expect(rows).toHaveLength(all.length)
  const { payouts } = (await (await fetch(`${h.simulatorUrl}/api/payouts/statement`)).json()) as { payouts: any[] }
  const booked = new Map(payouts.map((payout) => [payout.sessionId, payout]))
  for (const { status, session_id, kobo } of rows) {
    const { paid = '0.00', returned = '0.00', asked = 0 } = booked.get(session_id) ?? {}
    const net = (parseNaira(paid) ?? 0n) - (parseNaira(returned) ?? 0n)
    expect([status, net]).toEqual([status, status === 'SUCCESS' ? BigInt(kobo) : 0n])
    expect(asked).toBeLessThanOrEqual(1)
  }
  const ends = new Set(rows.map(({ status }) => status))
  expect([...ends].toSorted()).toEqual(['EXPIRED', 'FAILED', 'REVERSED', 'SUCCESS'])
  for (const merchant of merchants) expect((await money(h, merchant)).hold).toBe(0n)
}, 240_000)
