// Where a settlement goes, and which accounts may be paid at all.
import { expect, test } from 'vitest'
import { accountId } from '#core/ledger/chart.ts'
import { chooseDestination, mayBePaid, type Shares, shareNow } from './destinations.ts'

const OWNER = 2_611_000_000_123n
const NOW = new Date('2026-05-12T12:00:00Z')
const later = (ms: number): Date => new Date(NOW.getTime() + ms)
const bank = (account_number: string) => ({ bank_code: '058', account_number, account_name: 'A' })
const merchant = {
  name: 'Ada Stores',
  wallet: { bankCode: '999', accountNumber: '9000000001' },
} as Parameters<typeof chooseDestination>[0]

type SubAccount = Shares['subAccounts'] extends ReadonlyMap<bigint, infer Row> ? Row : never
/** A sub account of OWNER as its row says, and the bank accounts it had. */
const sharesOf = (over: Partial<SubAccount>, histories: Shares['histories'] = new Map()): Shares => ({
  subAccounts: new Map([[OWNER, { id: OWNER, code: 'SUB', ...bank('1'), ...over } as SubAccount]]),
  histories,
})
const share = accountId(OWNER, 'SHARE')

test('a share goes to its own bank account, the rest where the rule says, and without a rule into the wallet', () => {
  const rule = (destination: 'BANK' | 'WALLET') =>
    ({ destination, ...bank('2') }) as NonNullable<Parameters<typeof chooseDestination>[1]>
  const wallet = {
    ...{ destination: 'WALLET', bank_code: '999', account_number: '9000000001' },
    account_name: 'Ada Stores',
  }
  expect(chooseDestination(merchant, rule('BANK'), bank('1'))).toEqual({ destination: 'BANK', ...bank('1') })
  expect(chooseDestination(merchant, rule('BANK'), undefined)).toEqual({ destination: 'BANK', ...bank('2') })
  expect(chooseDestination(merchant, rule('WALLET'), undefined)).toEqual(wallet)
  expect(chooseDestination(merchant, undefined, undefined)).toEqual(wallet)
})

test('a share waits while its sub account is barred and until its waiting time is over, to the instant; nothing else does', () => {
  const paid = (over: Partial<SubAccount>, account_id = share) => mayBePaid(sharesOf(over), NOW)({ account_id })
  expect(paid({ barred: false, settled_from: null })).toBe(true)
  expect(paid({ barred: false, settled_from: NOW })).toBe(true)
  expect(paid({ barred: false, settled_from: later(1) })).toBe(false)
  expect(paid({ barred: true, settled_from: null })).toBe(false)
  expect(paid({ barred: true, settled_from: NOW })).toBe(false)
  expect(paid({ barred: true, settled_from: null }, accountId(OWNER, 'PENDING'))).toBe(true)
  expect(paid({ barred: true, settled_from: null }, accountId(OWNER + 1n, 'SHARE'))).toBe(true)
})

test('the dry run shows the account that money earned now would go to; only a share has one of its own', () => {
  const since = (account_number: string, effective_at: Date) => ({
    ...{ ...bank(account_number), sub_account_id: OWNER },
    ...{ created_at: later(-2_000_000), effective_at },
  })
  const rows = [since('5', later(-1_000_000)), since('6', later(1_000))]
  const shares = sharesOf({}, new Map([[OWNER, rows]]))
  const shown = (account: bigint, of = shares) => shareNow(of, account, NOW)
  expect([shown(share)?.code, shown(share)?.bank.account_number]).toEqual(['SUB', '5'])
  expect(shown(share, sharesOf({}))?.bank.account_number).toBe('1')
  expect(shown(accountId(OWNER, 'PENDING'))).toBeUndefined()
  expect(shown(accountId(OWNER + 1n, 'SHARE'))).toBeUndefined()
})
