// The protocol's statement of a day, in pages, from the rows that an adapter has read from its bank.
import {
  OTHER_KIND,
  STATEMENT_KINDS,
  STATEMENT_PAGE,
  type Statement,
  type StatementKind,
  type StatementLine,
} from '@cowrie/contract/bank/statement-connector'
import { nairaText } from '@cowrie/contract/kit/money'
import { Unreadable, westAfricanDay } from './amounts.ts'

/** The direction follows from the kind; a row of no kind says it. */
export type StatementRow = Omit<StatementLine, 'line' | 'kind' | 'direction' | 'amount' | 'bookedAt'> & {
  readonly kind: StatementKind | typeof OTHER_KIND
  readonly direction?: 'IN' | 'OUT'
  readonly kobo: bigint
  readonly bookedAt: Date
}
export type Balances = { readonly opening: bigint; readonly closing: bigint }

const directionOf = ({ kind, direction }: StatementRow): 'IN' | 'OUT' => {
  const way = kind === OTHER_KIND ? direction : STATEMENT_KINDS[kind]
  if (way === undefined) throw new Unreadable('A row of no kind does not say whether it comes in or goes out')
  return way
}
const sum = (rows: readonly StatementRow[], direction: 'IN' | 'OUT'): bigint =>
  rows.filter((row) => directionOf(row) === direction).reduce((total, { kobo }) => total + kobo, 0n)

/** Rows of other days are left out. Where the bank gives balances they must agree with the rows, so a page
 *  that is missing is noticed here. */
export function buildStatement(date: string, rows: readonly StatementRow[], balances: Balances | null = null) {
  const { from, until } = westAfricanDay(date)
  const mine = rows
    .filter(({ bookedAt }) => bookedAt >= from && bookedAt < until)
    .toSorted((one, two) => one.bookedAt.getTime() - two.bookedAt.getTime())
  if (mine.some(({ kobo }) => kobo <= 0n)) throw new Unreadable('A row of a statement has no amount above zero')
  const [amountIn, amountOut] = [sum(mine, 'IN'), sum(mine, 'OUT')]
  if (balances !== null && balances.opening + amountIn - amountOut !== balances.closing)
    throw new Unreadable('The rows of a statement do not lead from its opening balance to its closing balance')
  const lines = mine.map(
    ({ kobo, bookedAt, ...row }, at): StatementLine => ({
      ...{ line: at + 1, ...row, direction: directionOf({ kobo, bookedAt, ...row }) },
      ...{ amount: nairaText(kobo), bookedAt: bookedAt.toISOString() },
    }),
  )

  /** `after` is the `next` of the page before; null begins. */
  return (after: string | null): Statement => {
    const skipped = after === null ? 0 : /^\d{1,9}$/.test(after) ? Number(after) : Number.NaN
    if (Number.isNaN(skipped)) throw new Unreadable('A page of a statement does not exist')
    const end = skipped + STATEMENT_PAGE
    return {
      date,
      count: lines.length,
      amountIn: nairaText(amountIn),
      amountOut: nairaText(amountOut),
      ...(balances === null
        ? {}
        : { openingBalance: nairaText(balances.opening), closingBalance: nairaText(balances.closing) }),
      lines: lines.slice(skipped, end),
      next: end < lines.length ? String(end) : null,
    }
  }
}
