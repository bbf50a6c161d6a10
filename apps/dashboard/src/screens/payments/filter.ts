// The filters of the list of payments, as they stand in the address, and what they ask of the public search.
import type { searchTransactions } from '@cowrie/contract/collections/search'
import type { QueryOf, ReplyOf } from '@cowrie/contract/kit/spec'
import { queryOptions } from '@tanstack/react-query'
import type { Filters } from '../../address.ts'
import { call } from '../../api/call.ts'
import { dayNow, daysBefore, endOfDay, startOfDay } from '../../clock.ts'
import { STATES } from './words.ts'

export type Query = Partial<QueryOf<typeof searchTransactions>>
export type Found = ReplyOf<typeof searchTransactions>
export type Row = Found['content'][number]

/** Names in the address, what they are called, and how a value reads. */
export const NAMES: readonly (readonly [name: string, word: string, says?: (value: string) => string])[] = [
  ['state', 'State', (value) => STATES[value]?.[1] ?? value],
  ['from', 'From'],
  ['to', 'Until'],
  ['min', 'At least', (value) => `₦${value}`],
  ['max', 'At most', (value) => `₦${value}`],
  ['name', 'Customer'],
  ['email', 'E-mail'],
  ['reference', 'Reference'],
]
export const activeOf = (filters: Filters) => NAMES.filter(([name]) => (filters[name] ?? '') !== '')

/** Both kinds of reference are looked for in one field: ours begins in one way, the merchant's own in any
 *  other. */
const OURS = /^CWRY\|/
/** What is given, without what is empty. */
const given = (query: Readonly<Record<string, string | undefined>>): Query =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''))

const least = (...moments: (number | null)[]): string => {
  const known = moments.filter((moment) => moment !== null && !Number.isNaN(moment)) as number[]
  return known.length === 0 ? '' : String(Math.min(...known))
}
const day = (text: string | undefined, of: (day: string) => number): number | null => (text ? of(text) : null)

/** `until`: an instant that nothing later is shown of, so that rows stay where they are while somebody
 *  reads. */
export const askedOf = (filters: Filters, until: number | null = null): Query => {
  const reference = filters['reference']?.trim() ?? ''
  return given({
    paymentStatus: filters['state'],
    fromAmount: filters['min'],
    toAmount: filters['max'],
    customerName: filters['name']?.trim(),
    customerEmail: filters['email']?.trim(),
    ...(OURS.test(reference) ? { transactionReference: reference } : { paymentReference: reference }),
    from: least(day(filters['from'], startOfDay)),
    to: least(day(filters['to'], endOfDay), until),
  })
}

export const search = (query: Query) =>
  queryOptions({
    queryKey: ['payments', 'list', query],
    queryFn: () => call<typeof searchTransactions>('transactions.search', { query }),
    staleTime: Number.POSITIVE_INFINITY, // rows do not move under a reader; what is new is offered
    refetchOnWindowFocus: false,
  })
/** How many fit, and no rows. */
export const count = (query: Query) =>
  queryOptions({
    queryKey: ['payments', 'count', query],
    queryFn: async () =>
      (await call<typeof searchTransactions>('transactions.search', { query: { ...query, size: '1' } })).totalElements,
  })

/** The list writes its moments with an offset that not every browser reads. */
export const momentOf = ({ createdOn }: Row): string => createdOn.replace('+0000', 'Z')

export function presets(): readonly (readonly [word: string, from: string, to: string])[] {
  const today = dayNow()
  const lastMonth = daysBefore(`${today.slice(0, 8)}01`, 1)
  return [
    ['All', '', ''],
    ['Today', today, today],
    ['Yesterday', daysBefore(today, 1), daysBefore(today, 1)],
    ['Seven days', daysBefore(today, 6), today],
    ['This month', `${today.slice(0, 8)}01`, today],
    ['Last month', `${lastMonth.slice(0, 8)}01`, lastMonth],
  ]
}
