import type { Feature } from '#core/feature.ts'
import { createSealing } from './blocks.ts'
import { searchBooks } from './search.books.ts'
import { strangerBooks } from './strangers.books.ts'
import { createCountingDown } from './strangers.ts'
import { transactionBooks, transactionTimers } from './transactions.books.ts'
import { declared } from './transactions.declared.sql.ts'
import { transactionsDue } from './transactions.due.ts'
import { transactionRoutes } from './transactions.routes.ts'

const SEALING_REST_MS = 60_000

export const transactions: Feature = {
  name: 'transactions',
  ...declared,
  routes: transactionRoutes,
  due: () => transactionsDue,
  housekeeping: ({ ctx }) => ({
    'search blocks': createSealing(ctx, { merchants: 50, restMs: SEALING_REST_MS }),
    'payments opened by strangers': createCountingDown(ctx),
  }),
  books: [transactionBooks, searchBooks, strangerBooks],
  lostTimers: transactionTimers,
}
