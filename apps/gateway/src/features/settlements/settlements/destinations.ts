// Where a settlement goes, and which lines it is made of: the merchant's wallet or bank, or the account of a
// sub account that was in force when the money was earned. A sub account that got another account may be paid
// twice in one run, once to each.
import { cellById } from '#core/cells/cells.ts'
import { accountOwner, isOfKind } from '#core/ledger/chart.ts'
import { balances } from '#core/ledger/ledger.ts'
import { type Bank, bankAt, type Period, toPeriods } from '#features/collections/sub-accounts/banks.ts'
import type { Ctx, Read, Tx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import * as lines from './lines/lines.sql.ts'
import * as sql from './settlements.sql.ts'

export type Destination = Pick<sql.NewRow, 'destination' | 'bank_code' | 'account_number' | 'account_name'>

export const isShare = (account: bigint): boolean => isOfKind(account, 'SHARE')

export function chooseDestination(
  merchant: sql.Payee,
  rule: sql.RuleRow | undefined,
  share: Bank | undefined,
): Destination {
  const bank = share ?? (rule?.destination === 'BANK' ? rule : undefined)
  if (bank)
    return {
      destination: 'BANK',
      bank_code: bank.bank_code ?? '',
      account_number: bank.account_number ?? '',
      account_name: bank.account_name ?? '',
    }
  return {
    destination: 'WALLET',
    bank_code: merchant.wallet.bankCode,
    account_number: merchant.wallet.accountNumber,
    account_name: merchant.name,
  }
}

export type Shares = {
  readonly subAccounts: ReadonlyMap<bigint, sql.SubAccountRow>
  readonly histories: ReadonlyMap<bigint, readonly sql.BankRow[]>
}

/** The sub accounts behind accounts of the ledger, with the bank accounts they had. */
export async function sharesBehind(read: Read, accounts: readonly bigint[]): Promise<Shares> {
  const ids = accounts.filter(isShare).map(accountOwner)
  if (ids.length === 0) return { subAccounts: new Map(), histories: new Map() }
  // In this order: of an account that is changed between the two statements the history then says that it is
  // not in force yet.
  const subAccounts = await sql.findSubAccounts(read, ids)
  const banks = await sql.listBanks(read, ids)
  return { subAccounts, histories: Map.groupBy(banks, (bank) => bank.sub_account_id) }
}

/** What a sub account earned waits until its waiting time is over, and while its account is barred;
 *  everything else does not. */
export const mayBePaid =
  ({ subAccounts }: Shares, now: Date) =>
  ({ account_id }: { readonly account_id: bigint }): boolean => {
    const row = isShare(account_id) ? subAccounts.get(accountOwner(account_id)) : undefined
    return !row || (!row.barred && (row.settled_from === null || row.settled_from <= now))
  }

/** For the dry run: the account that money earned now would go to. */
export function shareNow(
  { subAccounts, histories }: Shares,
  account: bigint,
  now: Date,
): { readonly code: string; readonly bank: Bank } | undefined {
  const row = isShare(account) ? subAccounts.get(accountOwner(account)) : undefined
  return row && { code: row.code, bank: bankAt(histories.get(row.id) ?? [], now) ?? row }
}

/** One settlement to be: the lines it claims, and for a sub account the bank account it goes to. */
export type Wanted = lines.Claim & { readonly share: { readonly row: sql.SubAccountRow; readonly bank: Bank } | null }

type Group = { readonly since: Date | null; readonly until: Date | null; readonly bank: Bank; readonly kobo: bigint }

/** Periods that are paid, oldest first. What is below zero is deducted from the oldest; a period that it eats
 *  up is paid together with the next, to which nothing of it is left. */
export function groupPeriods(periods: readonly Period[], sums: readonly bigint[], below: bigint): Group[] {
  const groups: Group[] = []
  let kobo = below
  let since: Date | null = null
  for (const [at, { until, bank }] of periods.entries()) {
    kobo += sums[at] ?? 0n
    if (kobo <= 0n) continue
    groups.push({ since, until, bank, kobo })
    since = until
    kobo = 0n
  }
  return groups
}

type Owed = Pick<lines.OwedRow, 'merchant_id' | 'account_id'>

/** The groups of the accounts that have more than one period, by account. */
async function groupsByAccount(
  t: Tx,
  payable: readonly Owed[],
  cutoffs: ReadonlyMap<bigint, Date>,
  { histories }: Shares,
): Promise<Map<bigint, Group[]>> {
  const several = payable.flatMap(({ merchant_id, account_id }) => {
    const periods = isShare(account_id) ? toPeriods(histories.get(accountOwner(account_id)) ?? []) : []
    return periods.length > 1 ? [{ merchant_id, account_id, periods }] : []
  })
  if (several.length === 0) return new Map()
  const asked = several.flatMap(({ merchant_id: merchantId, account_id: account, periods }) => {
    const cutoff = cutoffs.get(merchantId) as Date
    return periods.map(({ since, until }, place) => ({ merchantId, account, cutoff, place, since, until }))
  })
  const sums = await lines.owedByPeriod(t, asked)
  return new Map(
    several.map(({ account_id: account, periods }) => {
      const sumOf = (place: number) => sums.get(`${account}/${place}`) ?? 0n
      return [
        account,
        groupPeriods(
          periods,
          periods.map((_, place) => sumOf(place)),
          sumOf(lines.BELOW_ZERO),
        ),
      ]
    }),
  )
}

/** What each settlement of a run may claim: one for each account, or for each of its groups. */
export async function planClaims(
  ctx: Ctx,
  t: Tx,
  payable: readonly Owed[],
  cutoffs: ReadonlyMap<bigint, Date>,
  shares: Shares,
): Promise<Wanted[]> {
  const groups = await groupsByAccount(t, payable, cutoffs, shares)
  const held = await balances(
    t,
    payable.map((one) => one.account_id),
  )
  const wanted = payable.flatMap(({ merchant_id: merchantId, account_id: account }): Omit<Wanted, 'id'>[] => {
    const holds = held(account)
    const cutoff = cutoffs.get(merchantId) as Date
    const row = isShare(account) ? shares.subAccounts.get(accountOwner(account)) : undefined
    if (isShare(account) && row?.merchant_id !== merchantId)
      fail('INTERNAL', {}, `ledger account ${account} is not a share account of merchant ${merchantId}`)
    const claim = { merchantId, account, cutoff, holds, since: null, until: null, below: true }
    if (!row) return [{ ...claim, share: null }]
    const parts = groups.get(account)
    if (!parts) {
      const [only] = toPeriods(shares.histories.get(row.id) ?? [])
      return [{ ...claim, share: { row, bank: only?.bank ?? row } }]
    }
    // Together no more than the account holds: none of them may take more than was counted here.
    const enough = parts.reduce((sum, part) => sum + part.kobo, 0n) <= holds
    return parts.map(({ since, until, bank, kobo }, at) => ({
      ...claim,
      since,
      until,
      holds: enough ? kobo : 0n,
      below: at === 0,
      share: { row, bank },
    }))
  })
  const ids = (await cellById(ctx, t.cell).takeIds(wanted.length)).toSorted((a, b) => (a < b ? -1 : 1))
  return wanted.map((one, at) => ({ ...one, id: ids[at] as bigint }))
}
