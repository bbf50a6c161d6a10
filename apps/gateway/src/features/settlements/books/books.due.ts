import { type DueHandlers, listSubjects } from '#core/agenda.ts'
import { type Feature, mergeBooks, mergeSweeps } from '#core/feature.ts'
import { type Limits, NIGHT_TIMER, runNights } from './books.ts'

export function booksDue(features: readonly Feature[], limits?: Limits): DueHandlers {
  const checks = { books: mergeBooks(features), sweep: mergeSweeps(features) }
  return {
    // Payments, payouts and deliveries do not wait for it.
    [NIGHT_TIMER]: {
      background: true,
      run: (ctx, cell, rows) => runNights(ctx, cell, listSubjects(rows), checks, limits),
    },
  }
}
