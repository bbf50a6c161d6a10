import type { Merchants } from '#core/access/merchants.ts'
import type { DueHandlers } from '#core/agenda.ts'
import { END_OVERLAP, endOverlaps } from './rotation.ts'

export const authDue = (merchants: Merchants): DueHandlers => ({
  [END_OVERLAP]: (ctx, cell, rows) => endOverlaps(ctx, merchants, cell, rows),
})
