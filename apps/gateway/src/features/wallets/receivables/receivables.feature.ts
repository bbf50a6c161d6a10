import type { Feature } from '#core/feature.ts'
import { receivableBooks } from './receivables.books.ts'
import { declared } from './receivables.declared.sql.ts'
import { sweep } from './receivables.ts'

export const receivables: Feature = {
  name: 'receivables',
  ...declared,
  housekeeping: ({ ctx, merchants }) => ({ receivables: (cell) => sweep(ctx, cell, merchants) }),
  beforeClockMoves: ({ ctx, merchants }, cell) => sweep(ctx, cell, merchants),
  books: [receivableBooks],
}
