// The checks of the day on rails, without a day: each fault is planted once, and found by its own sentence.
// And that the plan has what the day is about.
import { expect, test } from 'vitest'
import type { CardEvidence } from '../chaos/day/cards.ts'
import { check, type Evidence, falsified, PLANTS } from '../chaos/day/checks.ts'
import { type CardCharge, OUTAGES, outageIn, type Payout, planDay, preferredFor } from '../chaos/day/plan.ts'
import { RAILS } from '../chaos/day/rails.ts'

const isPayout = (one: { readonly kind: string }): one is Payout => one.kind === 'payout'
const PLAN = planDay(7, 600, 5)

const isCard = (one: { readonly kind: string }): one is CardCharge => one.kind === 'card'
function perfectCards(): CardEvidence {
  const charged = PLAN.filter(isCard)
  const rows = charged.map(({ reference: transaction, declined, naira }) => ({
    ...{ reference: `CH-${transaction}`, transaction, connector: 'paystack', kobo: `${naira}00`, paid: !declined },
    status: declined ? 'DECLINED' : 'APPROVED',
  }))
  const theirs = rows.map(({ reference, kobo, paid }) => ({
    ...{ reference, kobo, status: paid ? 'SUCCESS' : 'FAILED', accountNumber: '' },
  }))
  const receivable = rows.filter(({ paid }) => paid).reduce((sum, { kobo }) => sum + BigInt(kobo), 0n)
  return { charged, rows, theirs, receivable }
}

/** A day without a fault: what prefers a bank that fails is paid by another. */
function perfect(): Evidence {
  const accepted = PLAN.filter(isPayout)
  const rows = accepted.map(({ reference, kobo, accountNumber, prefers, hour }) => ({
    ...{ reference, status: 'SUCCESS', session_id: reference, kobo: String(kobo), account_number: accountNumber },
    connector: outageIn(hour) === prefers ? (RAILS.find((rail) => rail !== prefers) ?? prefers) : prefers,
  }))
  const paid = rows.map(({ connector: rail, reference: name, account_number: accountNumber, kobo }) => ({
    ...{ rail, name, accountNumber, kobo: BigInt(kobo) },
  }))
  return {
    ...{ accepted, collected: ['c-1'], rows, paid, others: new Set(), received: new Set(['c-1']), heldKobo: 0n },
    accounts: { providus: { ours: -5n, theirs: -5n }, nibss: { ours: 0n, theirs: 0n }, bank: { ours: 9n, theirs: 9n } },
    days: RAILS.flatMap((connector) => ['2026-11-18', '2026-11-19'].map((day) => ({ connector, day, compared: true }))),
    breaks: [],
    cards: perfectCards(),
  }
}
const found = (evidence: Evidence): string[] => [...check(evidence).keys()]

test('a day without a fault has no findings', () => {
  expect(found(perfect())).toEqual([])
})

test.each([
  ['twice', 'TWICE: a payout was paid more than once'],
  ['unpaid', 'a payout is SUCCESS and no bank has paid it'],
  ['elsewhere', 'a payout was paid by another bank than it went through'],
  ['lost', 'LOST: a payout that was accepted is not there'],
  ['kobo', 'a bank paid another amount'],
  ['charged', 'a charge that nobody asked for'],
] as const)('the control %s is found', (plant, sentence) => {
  expect(PLANTS).toContain(plant)
  expect(found(falsified(perfect(), plant))).toContain(sentence)
})

const changed = (status: string): Evidence => {
  const day = perfect()
  const [first, ...rows] = day.rows
  return { ...day, rows: [{ ...(first as Evidence['rows'][number]), status }, ...rows] }
}
const waiting = (): Evidence => {
  const day = changed('PENDING')
  return { ...day, paid: day.paid.slice(1) }
}
const struckBy = (rail: string): Evidence => {
  const day = perfect()
  const struck = new Set(day.accepted.filter(({ hour }) => outageIn(hour) === rail).map(({ reference }) => reference))
  const rows = day.rows.map((row) => (struck.has(row.reference) ? { ...row, status: 'FAILED' } : row))
  return { ...day, rows, paid: day.paid.filter(({ name }) => !struck.has(name)) }
}

test.each([
  ['a payout that waits', waiting(), 'a payout has no end'],
  ['a FAILED that was paid', changed('FAILED'), 'a payout is not SUCCESS and a bank has paid it'],
  ['money that is held', { ...perfect(), heldKobo: 1n }, 'money is still held'],
  [
    'a payer without a transaction',
    { ...perfect(), received: new Set<string>() },
    'LOST: a payer paid, and the transaction is not PAID',
  ],
  ['a break', { ...perfect(), breaks: ['bank TIMING'] }, 'a break is not explained'],
  ['no statement', { ...perfect(), days: [] }, 'days of statements were not compared'],
  [
    'a day of an acquirer without statements',
    { ...perfect(), days: [...perfect().days, { connector: 'paystack', day: '2026-11-18', compared: false }] },
    'a statement is waited for that nobody gives',
  ],
  [
    'another balance',
    { ...perfect(), accounts: { ...perfect().accounts, nibss: { ours: 1n, theirs: 0n } } },
    'our account at a bank is not what the bank has',
  ],
  ['an hour in which payouts stopped', struckBy('nibss'), 'payouts did not go on by another bank'],
] as const)('%s is found', (_, evidence, sentence) => {
  expect(found(evidence)).toEqual([sentence])
})

const withCard = (change: (row: CardEvidence['rows'][number]) => object): Evidence => {
  const cards = perfectCards()
  const at = cards.rows.findIndex(({ paid }) => paid)
  return {
    ...perfect(),
    cards: { ...cards, rows: cards.rows.map((row, n) => (n === at ? { ...row, ...change(row) } : row)) },
  }
}
test.each([
  [
    'a charge that the acquirer has and we reversed',
    withCard(() => ({ status: 'REVERSED' })),
    'a charge is not what the acquirer has',
  ],
  ['a charge without an end', withCard(() => ({ status: 'INPUT' })), 'a charge has no end'],
  ['another amount', withCard(() => ({ kobo: '1' })), 'a charge has another amount at the acquirer'],
  ['another connector', withCard(() => ({ connector: 'bank' })), 'a card was charged elsewhere'],
  ['a good card that has not paid', withCard(() => ({ paid: false })), 'LOST: a good card has not paid'],
  [
    'a receivable that is not owed',
    { ...perfect(), cards: { ...perfectCards(), receivable: 1n } },
    'what the acquirer owes us is not in our books',
  ],
] as const)('%s is found', (_, evidence, sentence) => {
  expect(found(evidence)).toContain(sentence)
})

test('in the hour of each outage most payouts prefer the bank that fails; each has an account of its own', () => {
  for (const { hour, rail } of OUTAGES) {
    if (rail === 'paystack') continue // below
    const own = PLAN.filter(isPayout).filter((one) => one.hour === hour)
    expect(own.filter(({ prefers }) => prefers === rail).length, rail).toBeGreaterThan(own.length / 2)
  }
  expect(new Set(PLAN.filter(isPayout).map(({ accountNumber }) => accountNumber)).size).toBe(
    PLAN.filter(isPayout).length,
  )
  const last = PLAN.filter(({ hour }) => outageIn(hour) === 'paystack')
  expect(last.filter(isCard).length).toBeGreaterThan(last.length / 8)
  expect(planDay(7, 600, 5)).toEqual(PLAN)
})

test('the preferred connector is that of the closest route', () => {
  expect(preferredFor('058', 100n)).toBe('providus')
  expect(preferredFor('044', 100n)).toBe('nibss')
  expect([preferredFor('057', 200_000n), preferredFor('057', 200_001n)]).toEqual(['bank', 'nibss'])
  expect(preferredFor('033', 100n)).toBe('bank')
})
