// The chart of accounts. Rows carry the ids that follow from it, so a code that changes would give the money
// of one account to another.
import { expect, test } from 'vitest'
import {
  type AccountKind,
  accountId,
  accountOwner,
  accountsOfConnector,
  bankAccount,
  CHART,
  cardReceivable,
  HOUSE,
  houseAccount,
  isBankAccount,
  isOfKind,
  isOurs,
  keepsBalance,
} from './chart.ts'

const KINDS = Object.keys(CHART) as AccountKind[]

test('the code of each kind is the one that rows have, and it is known which of them keep a balance', () => {
  const shown = KINDS.map((kind) => [kind, CHART[kind].code, keepsBalance(accountId(37n, kind))])
  expect(shown).toEqual([
    ['BANK', 0n, false],
    ['CARD_RECEIVABLE', 1n, false],
    ['FEE_INCOME', 2n, false],
    ['SUSPENSE', 3n, false],
    ['BILLERS', 4n, false],
    ['DIFFERENCES', 5n, false],
    ['BANK_COSTS', 6n, false],
    ['AGENTS', 7n, false],
    ['PENDING', 8n, false],
    ['WALLET', 9n, true],
    ['PAYOUT_HOLD', 10n, true],
    ['SHARE', 11n, false],
    ['CLEARING', 12n, true],
    ['RECEIVABLE', 13n, true],
    ['SWEEPS', 14n, false],
  ])
})

test('an account tells its owner and its kind, and no other; the house is owner 0', () => {
  expect(HOUSE).toBe(0n)
  expect([accountId(5n, 'WALLET'), accountId(5n, 'BANK'), houseAccount('SWEEPS')]).toEqual([89n, 80n, 14n])
  for (const owner of [0n, 1n, 2_611_000_000_123n])
    for (const kind of KINDS) {
      const account = accountId(owner, kind)
      expect(accountOwner(account)).toBe(owner)
      expect(KINDS.filter((one) => isOfKind(account, one))).toEqual([kind])
      expect(isBankAccount(account)).toBe(kind === 'BANK')
    }
})

test("what the first connector's bank holds and owes is the house's, what another's does its own", () => {
  expect([bankAccount(1), cardReceivable(1)]).toEqual([0n, 1n])
  expect([bankAccount(2), cardReceivable(2), bankAccount(7)]).toEqual([32n, 33n, 112n])
  expect(accountsOfConnector(2)).toEqual([
    { id: 32n, merchantId: 0n, kind: 'BANK' },
    { id: 33n, merchantId: 0n, kind: 'CARD_RECEIVABLE' },
  ])
})

test("ours is the house's and every connector's, never a merchant's", () => {
  for (const kind of KINDS) expect(isOurs(houseAccount(kind)), kind).toBe(true)
  expect([isOurs(bankAccount(2)), isOurs(cardReceivable(2))]).toEqual([true, true])
  for (const kind of ['PENDING', 'WALLET', 'PAYOUT_HOLD', 'SHARE', 'CLEARING', 'RECEIVABLE'] as const)
    expect(isOurs(accountId(2_611_000_000_123n, kind)), kind).toBe(false)
})
