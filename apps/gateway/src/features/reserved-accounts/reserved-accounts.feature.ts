import type { Feature } from '../../core/feature.ts'
import { createReservedCredits } from './credits.ts'
import { reservedAccountBooks } from './reserved-accounts.books.ts'
import { reservedAccountRoutes } from './reserved-accounts.routes.ts'

export const reservedAccounts: Feature = {
  name: 'reserved-accounts',
  routes: reservedAccountRoutes,
  customerAccounts: ({ ctx, merchants }) => createReservedCredits(ctx, merchants),
  books: [reservedAccountBooks],
}
