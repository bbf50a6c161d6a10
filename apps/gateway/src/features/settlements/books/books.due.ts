import { type DueHandlers, subjectsOf } from '#core/agenda.ts'
import { booksOf, type Feature, sweepOf } from '#core/feature.ts'
import { type Limits, NIGHT_TIMER, runNights } from './books.ts'

export function booksDue(features: readonly Feature[], limits?: Limits): DueHandlers {
  const checks = { books: booksOf(features), sweep: sweepOf(features) }
  return {
    // Payments, payouts and deliveries do not wait for it.
    [NIGHT_TIMER]: {
      background: true,
      run: (ctx, cell, rows) => runNights(ctx, cell, subjectsOf(rows), checks, limits),
    },
  }
}
