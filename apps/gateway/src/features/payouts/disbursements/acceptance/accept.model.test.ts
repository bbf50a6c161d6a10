// decide() against a model that takes one request at a time out of plain lists.

import { payoutFee } from '@cowrie/contract/payouts/disbursements'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accountId } from '#core/ledger/chart.ts'
import { Failure } from '#kit/fail.ts'
import { decide, type PayoutRequest } from './accept.ts'

/** `source`: the merchant's own wallet, or the one of its customer, whose fees the merchant bears or not. */
type Small = { merchant: number; source: Source; reference: string; account: string; bank: string; kobo: bigint }
type Source = 'OWN' | 'SELF' | 'CUSTOM'
type World = {
  requests: Small[]
  /** What is there already: transfers of each merchant, and whether they are recent and alive. */
  past: (Small & { recent: boolean })[]
  balances: bigint[]
  /** What the customer of each merchant holds. */
  customers: bigint[]
  /** What each merchant owes after reversals. */
  owed: bigint[]
  spent: bigint[]
  limits: bigint[]
}

const MERCHANTS = 3
const small = fc.record({
  merchant: fc.nat(MERCHANTS - 1),
  source: fc.constantFrom<Source>('OWN', 'OWN', 'SELF', 'CUSTOM'),
  reference: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'),
  account: fc.constantFrom('1', '2', '3', '4'),
  bank: fc.constantFrom('044', '058'),
  kobo: fc.constantFrom(1n, 2n, 499_999n, 500_000n, 500_001n, 5_000_000n, 5_000_001n),
})
const perMerchant = (max: bigint) =>
  fc.array(fc.bigInt({ min: 0n, max }), { minLength: MERCHANTS, maxLength: MERCHANTS })
const world: fc.Arbitrary<World> = fc.record({
  requests: fc.array(small, { maxLength: 30 }),
  past: fc.array(
    fc.tuple(small, fc.boolean()).map(([one, recent]) => ({ ...one, recent })),
    { maxLength: 4 },
  ),
  balances: perMerchant(20_000_000n),
  customers: perMerchant(10_000_000n),
  owed: fc.array(fc.constantFrom(0n, 0n, 0n, 1n), { minLength: MERCHANTS, maxLength: MERCHANTS }),
  spent: perMerchant(5_000_000n),
  limits: perMerchant(20_000_000n),
})

const requestOf = (one: Small, limits: readonly bigint[]): PayoutRequest =>
  ({
    ...{ reference: one.reference, bankCode: one.bank, accountNumber: one.account, kobo: one.kobo },
    merchant: { id: BigInt(one.merchant + 7), transfers: { perDayKobo: limits[one.merchant] }, fees: new Map() },
    wallet: {
      owner: BigInt(one.merchant + (one.source === 'OWN' ? 7 : 70)),
      feeOwner: BigInt(one.merchant + (one.source === 'SELF' ? 70 : 7)),
    },
  }) as unknown as PayoutRequest

const account = (merchant: number, kind: 'WALLET' | 'RECEIVABLE'): bigint => accountId(BigInt(merchant + 7), kind)
const isDuplicate = (a: Small, b: Small): boolean =>
  a.merchant === b.merchant && a.account === b.account && a.bank === b.bank && a.kobo === b.kobo
const sameName = (a: Small, b: Small): boolean => a.merchant === b.merchant && a.reference === b.reference

function decided({ requests, past, balances, customers, owed, spent, limits }: World): string[] {
  const known = requests.map((one) => ({
    used: past.some((old) => sameName(old, one)),
    likely_duplicate: past.some((old) => old.recent && isDuplicate(old, one)),
  }))
  const verdicts = decide(
    requests.map((one) => requestOf(one, limits)),
    known,
    new Map([
      ...balances.map((kobo, merchant) => [account(merchant, 'WALLET'), kobo] as const),
      ...customers.map((kobo, merchant) => [accountId(BigInt(merchant + 70), 'WALLET'), kobo] as const),
      ...owed.map((kobo, merchant) => [account(merchant, 'RECEIVABLE'), -kobo] as const),
    ]),
    new Map(spent.map((kobo, merchant) => [BigInt(merchant + 7), kobo])),
    new Date(0),
  )
  return verdicts.map((verdict) => (verdict instanceof Failure ? verdict.code : `${verdict.before} → ${verdict.after}`))
}

/** One at a time: a list of what was taken, and everything else counted from it anew. */
function model({ requests, past, balances, customers, owed, spent, limits }: World): string[] {
  const taken: Small[] = []
  const sum = (values: bigint[]): bigint => values.reduce((total, value) => total + value, 0n)
  return requests.map((one) => {
    const own = taken.filter(({ merchant }) => merchant === one.merchant)
    if ([...past, ...own].some((old) => sameName(old, one))) return 'TRANSFER_REFERENCE_USED'
    if ((owed[one.merchant] as bigint) > 0n) return 'RECEIVABLE_OPEN'
    if (past.some((old) => old.recent && isDuplicate(old, one)) || own.some((old) => isDuplicate(old, one)))
      return 'TRANSFER_DUPLICATE'
    const today = (spent[one.merchant] as bigint) + sum(own.map(({ kobo }) => kobo)) + one.kobo
    if (today > (limits[one.merchant] as bigint)) return 'DAILY_LIMIT'
    const fromOwn = ({ source, kobo }: Small) =>
      (source === 'OWN' ? kobo : 0n) + (source === 'SELF' ? 0n : payoutFee(kobo))
    const fromCustomer = (other: Small) => other.kobo + payoutFee(other.kobo) - fromOwn(other)
    const [ownBefore, customerBefore] = [
      (balances[one.merchant] as bigint) - sum(own.map(fromOwn)),
      (customers[one.merchant] as bigint) - sum(own.map(fromCustomer)),
    ]
    const [ownAfter, customerAfter] = [ownBefore - fromOwn(one), customerBefore - fromCustomer(one)]
    if (ownAfter < 0n || customerAfter < 0n) return 'INSUFFICIENT_FUNDS'
    const [before, after] = one.source === 'OWN' ? [ownBefore, ownAfter] : [customerBefore, customerAfter]
    taken.push(one)
    return `${before} → ${after}`
  })
}

test('decide() says of every request what one at a time would have said', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(world, (one) => {
      const verdicts = decided(one)
      for (const verdict of verdicts) seen.add(verdict.includes('→') ? 'taken' : verdict)
      expect(verdicts).toEqual(model(one))
    }),
    { numRuns: 3_000 },
  )
  expect([...seen].toSorted()).toEqual([
    ...[
      'DAILY_LIMIT',
      'INSUFFICIENT_FUNDS',
      'RECEIVABLE_OPEN',
      'TRANSFER_DUPLICATE',
      'TRANSFER_REFERENCE_USED',
      'taken',
    ],
  ])
})

test('decide() gives a merchant the same verdicts whoever else is in the batch', () => {
  fc.assert(
    fc.property(world, (one) => {
      const together = decided(one)
      for (let merchant = 0; merchant < MERCHANTS; merchant += 1) {
        const own = (at: number): boolean => one.requests[at]?.merchant === merchant
        const alone = decided({ ...one, requests: one.requests.filter((_, at) => own(at)) })
        expect(together.filter((_, at) => own(at))).toEqual(alone)
      }
    }),
    { numRuns: 1_000 },
  )
})
