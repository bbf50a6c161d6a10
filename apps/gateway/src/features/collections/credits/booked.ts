// Money that no notice told of and a statement of the bank shows: it is judged, priced and dated as of when
// it was paid, whenever it is found. Where the bank says only the day, it was paid at whichever moment of
// that day is best for the payer, as nobody can say that it was not.
import type { Booked } from '#core/feature.ts'
import { dayEnd, dayStart } from '#core/routing/statement-days.ts'
import { localDay } from '#kit/times.ts'
import type { PayableRow } from './credits.sql.ts'

type Open = Pick<PayableRow, 'opened_at' | 'expires_at'>

/** When money for a number was paid; undefined: the bank has told of it, and it is paid now. Of a day without
 *  a time it is the moment nearest to the one that is given for it at which the number took money. */
export function paidWhen({ opened_at, expires_at }: Open, booked: Booked, now: Date): Date | undefined {
  const { bookedAt, dayOnly } = booked
  if (!bookedAt || !dayOnly) return bookedAt
  const day = localDay(bookedAt)
  const first = Math.max(dayStart(day).getTime(), opened_at.getTime())
  const last = Math.min(dayEnd(day).getTime() - 1, expires_at.getTime() - 1, now.getTime())
  return first > last ? bookedAt : new Date(Math.min(Math.max(bookedAt.getTime(), first), last))
}

/** A transaction as it stood when money was paid, if our clock alone has closed it since. Null: the number
 *  was somebody else's then. */
export function asPaid(row: PayableRow, paidAt: Date | undefined): PayableRow | null {
  if (!paidAt) return row
  if (row.opened_at > paidAt) return null
  if (paidAt >= row.expires_at || row.flagged) return row
  if (row.status === 'EXPIRED') return { ...row, status: 'PENDING', closed_at: null }
  const ranOut = row.status === 'PARTIALLY_PAID' && row.closed_at !== null && row.closed_at >= row.expires_at
  return ranOut ? { ...row, closed_at: null } : row
}

/** Whether the bank says of money that it was paid before the number had its present holder: then it was
 *  meant for the one before. */
export const isForFormer = (row: PayableRow, notice: Booked & { readonly paidAt: string }, now: Date): boolean =>
  row.reissued && (paidWhen(row, notice, now) ?? new Date(notice.paidAt)) < row.opened_at

/** The transaction of a former holder takes nothing any more: its number has been in quarantine since it
 *  closed. */
export const asFormer = (row: PayableRow): PayableRow => ({
  ...row,
  status: row.status === 'PENDING' ? 'EXPIRED' : row.status,
  closed_at: row.closed_at ?? row.expires_at,
})
