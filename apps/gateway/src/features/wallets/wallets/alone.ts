// What leaves the wallets without a second person: so much on a day, and so much to an account that is new to
// the merchant, where it set such amounts. Above them everything waits for a second person, however small and
// by whatever way it goes: small payouts are no way around the amount for one.
//   an account is new for three days after it was first paid, or until a second person let money go there
// Whoever asks has the lock of the merchant's wallet, so that two that fit alone do not pass together.
// Counted with what is accepted; what fails later still counts, as for the limit of a day.
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import { NEW_ACCOUNT_HOURS } from '@cowrie/contract/wallets/second-person'
import type { Merchant } from '#core/access/merchants.ts'
import type { Read, Tx } from '#kit/ctx.ts'
import { Failure, fail } from '#kit/fail.ts'
import { localDay } from '#kit/times.ts'
import * as sql from './alone.sql.ts'

/** Where a part of it goes. CASH: to whoever has a code. Null: where the money came from, or to a biller. */
export type Goal = { readonly bankCode: string; readonly accountNumber: string } | 'CASH' | null
export type Going = {
  readonly merchant: Merchant
  readonly parts: readonly { readonly kobo: bigint; readonly to: Goal }[]
}
export type Alone = {
  /** Whether it may go without a second person, beside what was taken before it. */
  readonly fits: (going: Going) => boolean
  readonly take: (going: Going) => void
  /** Writes what was taken. */
  readonly keep: (t: Tx) => Promise<void>
}

/** Whether the merchant set such an amount: for all others nothing is read or written. */
export const counts = ({ transfers: { aboveDayKobo, aboveNewKobo } }: Merchant): boolean =>
  (aboveDayKobo ?? null) !== null || (aboveNewKobo ?? null) !== null

export const NOBODY_COUNTS: Alone = { fits: () => true, take: () => undefined, keep: async () => undefined }

const sumOf = ({ parts }: Going): bigint => parts.reduce((sum, { kobo }) => sum + kobo, 0n)
const keyOf = ({ merchant_id, bank_code, account_number }: sql.Account): string =>
  `${merchant_id}/${bank_code}/${account_number}`
/** What goes to each account, by its key, where new accounts are counted. */
function goalsOf({ merchant, parts }: Going): Map<string, sql.Account & { readonly kobo: bigint }> {
  const goals = new Map<string, sql.Account & { readonly kobo: bigint }>()
  if ((merchant.transfers.aboveNewKobo ?? null) === null) return goals
  for (const { kobo, to } of parts) {
    if (to === null || to === 'CASH') continue
    const account = { merchant_id: merchant.id, bank_code: to.bankCode, account_number: to.accountNumber }
    const key = keyOf(account)
    goals.set(key, { ...account, kobo: kobo + (goals.get(key)?.kobo ?? 0n) })
  }
  return goals
}

/** What these would need to know, read under the locks of their wallets. */
export async function readAlone(read: Read, all: readonly Going[]): Promise<Alone> {
  const asked = all.filter(({ merchant }) => counts(merchant))
  if (asked.length === 0) return NOBODY_COUNTS
  const ids = [...new Set(asked.map(({ merchant }) => merchant.id))]
  const accounts = new Map(asked.flatMap((going) => [...goalsOf(going)]))
  const days = new Map(await sql.readDays(read, ids, localDay(read.now)))
  const youngest = read.now.getTime() - NEW_ACCOUNT_HOURS * HOUR_MS
  const trusted = new Set<string>()
  const paid = new Map<string, bigint>()
  for (const row of await sql.readPayees(read, [...accounts.values()])) {
    paid.set(keyOf(row), row.alone_kobo)
    if (row.confirmed_at !== null || row.first_at.getTime() <= youngest) trusted.add(keyOf(row))
  }
  const sums = new Map<bigint, bigint>()
  const goals = new Map<string, sql.Account & { readonly kobo: bigint }>()
  return {
    fits: (going) => {
      const { id, transfers } = going.merchant
      const { aboveDayKobo = null, aboveNewKobo = null } = transfers
      if (aboveDayKobo !== null && (days.get(id) ?? 0n) + sumOf(going) > aboveDayKobo) return false
      if (aboveNewKobo === null) return true
      if (going.parts.some(({ to, kobo }) => to === 'CASH' && kobo > aboveNewKobo)) return false
      return [...goalsOf(going)].every(
        ([key, { kobo }]) => trusted.has(key) || (paid.get(key) ?? 0n) + kobo <= aboveNewKobo,
      )
    },
    take: (going) => {
      const { id } = going.merchant
      if (!counts(going.merchant)) return
      const sum = sumOf(going)
      days.set(id, (days.get(id) ?? 0n) + sum)
      sums.set(id, (sums.get(id) ?? 0n) + sum)
      for (const [key, goal] of goalsOf(going)) {
        paid.set(key, (paid.get(key) ?? 0n) + goal.kobo)
        goals.set(key, { ...goal, kobo: goal.kobo + (goals.get(key)?.kobo ?? 0n) })
      }
    },
    keep: async (t) => {
      if (sums.size > 0) await sql.addDays(t, sums, localDay(t.now))
      if (goals.size > 0) await sql.addPayees(t, [...goals.values()])
    },
  }
}

/** Counts what goes without a second person, if it may; under the lock of the wallet. */
export async function countAlone(t: Tx, going: Going, field = 'amount'): Promise<void> {
  const alone = await readAlone(t, [going])
  if (!alone.fits(going)) fail('SECOND_PERSON_NEEDED', { field })
  alone.take(going)
  await alone.keep(t)
}

/** A second person let money go there: from now on these accounts are not new. */
export async function confirmGoals(t: Tx, merchant: Merchant, all: readonly Exclude<Goal, 'CASH' | null>[]) {
  if ((merchant.transfers.aboveNewKobo ?? null) === null || all.length === 0) return
  await sql.confirmPayees(
    t,
    all.map((to) => ({ merchant_id: merchant.id, bank_code: to.bankCode, account_number: to.accountNumber })),
  )
}

/** Does the work without a second person where its amount needs none, and with one where the day or the
 *  account does: only under the lock of the wallet that is known, and then nothing was done. */
export async function askingWhereNeeded<T>(person: boolean, work: (person: boolean) => Promise<T>): Promise<T> {
  if (person) return work(true)
  try {
    return await work(false)
  } catch (error) {
    if (error instanceof Failure && error.code === 'SECOND_PERSON_NEEDED') return work(true)
    throw error
  }
}
