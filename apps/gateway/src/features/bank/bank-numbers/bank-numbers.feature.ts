import type { Feature } from '#core/feature.ts'
import { bankNumberBooks } from './bank-numbers.books.ts'
import { declared } from './bank-numbers.declared.sql.ts'
import { bankNumberRoutes } from './bank-numbers.routes.ts'
import { refill } from './bank-numbers.ts'
import { walletNumber } from './reserved.ts'

export const bankNumbers: Feature = {
  name: 'bank-numbers',
  ...declared,
  walletNumber,
  routes: bankNumberRoutes,
  books: [bankNumberBooks],
  housekeeping: ({ ctx }) => ({ 'account numbers of banks': (cell) => refill(ctx, cell) }),
}
