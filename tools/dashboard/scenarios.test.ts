// The scenarios on the dashboard's screen are the simulator's: what it no longer does, or does anew, is found
// here.
import { expect, test } from 'vitest'
import { SANDBOX_ACTIONS } from '../../apps/checkout/src/page.ts'
import {
  accountWith,
  CARD_AMOUNTS,
  CARDS,
  PAYMENTS,
  PAYOUTS,
  REFUND_AMOUNTS,
} from '../../apps/dashboard/src/screens/sandbox/scenario-list.ts'
import { ALL_SCENARIOS } from '../../apps/simulator/src/scenarios.ts'
import { SANDBOX_CARDS } from '../../packages/contract/src/collections/cards.ts'

const endingsOf = (kind: string): string[] =>
  ALL_SCENARIOS.flatMap(({ name }) => new RegExp(`^${kind}-([\\d.]+)$`).exec(name)?.[1] ?? [])

test('every outcome of a payout, every card and every amount that the simulator knows is on the screen, and no other', () => {
  expect(PAYOUTS.map(({ ending }) => ending)).toEqual(endingsOf('payout'))
  for (const { ending } of PAYOUTS)
    expect(accountWith(ending)).toMatch(new RegExp(`^\\d{${10 - ending.length}}${ending}$`))
  expect(CARDS.map(([number]) => number)).toEqual(Object.values(SANDBOX_CARDS).map(({ number }) => number))
  const amounts = (kind: string) => endingsOf(kind).filter((amount) => !amount.endsWith('.39'))
  expect(CARD_AMOUNTS.slice(1).map(([amount]) => amount)).toEqual(amounts('card-amount'))
  expect(REFUND_AMOUNTS.slice(1).map(([amount]) => amount)).toEqual(amounts('card-refund'))
})

test('every play on a payment is one that the checkout takes', () => {
  const ofTheClock = ['nearly', 'past']
  expect(PAYMENTS.map(({ action }) => action).toSorted()).toEqual(
    SANDBOX_ACTIONS.filter((action) => !ofTheClock.includes(action)).toSorted(),
  )
})
