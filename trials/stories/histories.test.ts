// The model of the histories, without a history: each of its sentences is broken once, and says so. The plan
// is the same for the same seed, and every plant fits the file that it is for.
import { expect, test } from 'vitest'
import { CHECK_NAMES, type Facts, feeOf, findingsOf, merchantAnswers, wished } from '../chaos/histories/checks.ts'
import { planHistory, ROUNDS, STEP_KINDS, STEPS_PER_ROUND } from '../chaos/histories/plan.ts'
import { PLANTS } from '../chaos/histories/plants.ts'
import { planted } from '../chaos/kit/plants.ts'

const NOON = new Date('2026-11-28T11:00:00Z')
const PRICES: Facts['prices'] = [
  { from: new Date(0), basisPoints: 150n, capKobo: 200_000n },
  { from: new Date('2026-11-28T23:00:00Z'), basisPoints: 500n, capKobo: 10_000_000n },
]
const PERFECT: Facts = {
  ...{ index: 0, policy: 'HOLD', problems: [], signedKobo: 0n, lostKobo: 0n, prices: PRICES },
  accounts: { bank: { ours: 985_000n, theirs: 985_000n }, second: { ours: 0n, theirs: 0n } },
  ...{ open: [], unpaid: [], below: [], pastDebt: [] },
  priced: [{ reference: 'MNFY|1', kobo: 1_000_000n, fee: 15_000n, paidAt: NOON }],
}
const OPEN = { id: '1', class: 'AMOUNT', kind: 'CREDIT', session_id: '0', merchant_id: '7', opened_at: NOON }

test('a history without a fault has no findings', () => {
  expect(findingsOf(PERFECT)).toEqual([])
})

test.each<[string, Partial<Facts>, string]>([
  ['a recall that is not posted', { problems: ['a recall is not posted'] }, 'what was wrong when it happened'],
  [
    'a credit that only the bank has',
    { accounts: { ...PERFECT.accounts, second: { ours: 0n, theirs: 400_000n } } },
    'our account at a bank is what the bank has',
  ],
  ['a break without a way out', { open: [OPEN] }, 'every break came to its end'],
  ['a loss that one person signed', { lostKobo: 1n }, 'our own loss is never more than what two people signed'],
  [
    'the price of the night',
    { priced: [{ ...PERFECT.priced[0], fee: 50_000n } as Facts['priced'][number]] },
    'a payment is priced as of when the bank was paid',
  ],
  ['a payer who is told EXPIRED', { unpaid: ['MNFY|2, dayOnly, is EXPIRED'] }, 'who paid in time has paid'],
  ['a debt that nobody owes', { below: ['PENDING -100'] }, 'what an account cannot give is owed'],
  ['a share past a debt', { pastDebt: ['STL-1'] }, 'no share is paid past a debt'],
])('%s is found by its sentence', (_, fault, sentence) => {
  expect(CHECK_NAMES).toContain(sentence)
  expect(findingsOf({ ...PERFECT, ...fault }).map(({ check }) => check)).toEqual([sentence])
})

test('money that only our books have is a loss, unless two people signed for it', () => {
  const accounts = { ...PERFECT.accounts, bank: { ours: 985_001n, theirs: 985_000n } }
  const found = (signedKobo: bigint) => findingsOf({ ...PERFECT, accounts, signedKobo }).map(({ check }) => check)
  expect(found(0n)).toContain('our own loss is never more than what two people signed')
  expect(found(1n)).toEqual(['our account at a bank is what the bank has'])
})

test('a fee is that of the moment, half up, at most the cap', () => {
  expect(feeOf(PRICES, 1_000_000n, NOON)).toBe(15_000n)
  expect(feeOf(PRICES, 33n, NOON)).toBe(0n)
  expect(feeOf(PRICES, 34n, NOON)).toBe(1n)
  expect(feeOf(PRICES, 100_000_000n, NOON)).toBe(200_000n)
  expect(feeOf(PRICES, 1_000_000n, new Date('2026-11-28T23:00:00Z'))).toBe(50_000n)
})

test('who was credited answers for it; what the bank did on its own is signed for by two', () => {
  expect(merchantAnswers({ class: 'MISSING_HERE', kind: 'PAYOUT' })).toBe(true)
  expect(merchantAnswers({ class: 'DUPLICATE', kind: 'PAYOUT' })).toBe(false)
  expect(wished(OPEN, -100n, true)[0]).toBe('FROM_MERCHANT')
  expect(wished(OPEN, -100n, false)).not.toContain('FROM_MERCHANT')
  expect(wished(OPEN, 100n, true)).toContain('TO_MERCHANT')
})

test('the same seed gives the same history, at least sixty steps of every kind', () => {
  expect(planHistory(7, 3)).toEqual(planHistory(7, 3))
  expect(planHistory(7, 3)).not.toEqual(planHistory(7, 4))
  expect(planHistory(8, 3)).not.toEqual(planHistory(7, 3))
  expect(ROUNDS * STEPS_PER_ROUND).toBeGreaterThanOrEqual(60)
  const met = new Set(
    Array.from({ length: 40 }, (_, index) => planHistory(1, index).steps.map(({ kind }) => kind)).flat(),
  )
  expect([...met].toSorted()).toEqual(STEP_KINDS.toSorted())
})

test.each(Object.entries(PLANTS))('the plant %s fits its file', (_, plant) => {
  expect(planted(plant)).toContain(plant.to)
})
