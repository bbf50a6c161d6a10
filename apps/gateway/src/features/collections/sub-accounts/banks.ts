// Which bank account of a sub account money belongs to, by when it was earned. Another account takes effect a
// day after it was asked for. One that is replaced before it took effect never does: the last word counts,
// and the owner can undo what an intruder asked for. Nothing is ever changed here; what is in force follows
// from the rows.

import { HOUR_MS } from '@cowrie/contract/kit/durations'
import type { Rows } from '#core/rows.ts'

export const CHANGE_WAIT_MS = 24 * HOUR_MS

export type Bank = Readonly<Pick<Rows['sub_account_banks'], 'bank_code' | 'account_number' | 'account_name'>>
export type BankRow = Bank & Readonly<Pick<Rows['sub_account_banks'], 'effective_at' | 'created_at'>>

/** Money earned from `since` until `until`; null is without end. */
export type Period = { readonly since: Date | null; readonly until: Date | null; readonly bank: Bank }

export const isSameBank = (a: Bank, b: Bank): boolean =>
  a.bank_code === b.bank_code && a.account_number === b.account_number

/** The rows in the order they were asked for become periods without gaps. */
export function toPeriods(rows: readonly BankRow[]): Period[] {
  const counted = rows.filter(
    (row, at) => at === 0 || rows.slice(at + 1).every((later) => later.created_at >= row.effective_at),
  )
  const turns = counted.filter((row, at) => {
    const before = counted[at - 1]
    return !before || !isSameBank(before, row)
  })
  return turns.map((bank, at) => ({
    since: at === 0 ? null : bank.effective_at,
    until: turns[at + 1]?.effective_at ?? null,
    bank,
  }))
}

/** The account that money earned at a moment belongs to. */
export const bankAt = (rows: readonly BankRow[], at: Date): Bank | undefined =>
  toPeriods(rows).findLast(({ since }) => since === null || since <= at)?.bank
