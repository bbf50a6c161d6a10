import type { Feature } from '#core/feature.ts'
import { receiptBooks } from './receipts.books.ts'
import { receiptsDue } from './receipts.due.ts'
import { followEvents, forgetOld, onJoin } from './receipts.ts'

export const receipts: Feature = {
  name: 'receipts',
  onJoin,
  due: ({ merchants }) => receiptsDue(merchants),
  housekeeping: ({ ctx }) => ({
    receipts: (cell) => followEvents(ctx, cell),
    'old receipts': (cell) => forgetOld(ctx, cell),
  }),
  beforeClockMoves: ({ ctx }, cell) => followEvents(ctx, cell),
  books: [receiptBooks],
}
