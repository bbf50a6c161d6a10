import type { Feature } from '#core/feature.ts'
import { gather, gatherNews } from './lines/lines.ts'
import { settlementEnds } from './paying.ts'
import { settlementActs, settlementViews } from './settlements.acts.ts'
import { settlementBooks } from './settlements.books.ts'
import { declared } from './settlements.declared.sql.ts'
import { settlementsDue } from './settlements.due.ts'
import { settlementRoutes } from './settlements.routes.ts'
import { sharedSettlements } from './settlements.ts'

export const settlements: Feature = {
  name: 'settlements',
  ...declared,
  routes: (deps, shared) => settlementRoutes(deps, sharedSettlements(shared), shared.sandbox !== null),
  acts: settlementActs,
  views: () => settlementViews,
  due: (shared) => settlementsDue(sharedSettlements(shared)),
  housekeeping: (shared) => ({
    'settlement lines': (cell) => gather(shared.ctx, cell),
    'instant settlements': (cell) => sharedSettlements(shared).runInstant(cell),
  }),
  beforeClockMoves: async (shared, cell) => {
    if ((await gatherNews(shared.ctx, cell)) > 0) await sharedSettlements(shared).runInstant(cell)
  },
  orderEnds: { SETTLEMENT: settlementEnds },
  books: [settlementBooks],
}
