import type { Feature } from '#core/feature.ts'
import { statementBooks } from './statements.books.ts'
import { walletBooks } from './wallets.books.ts'
import { declared } from './wallets.declared.sql.ts'
import { walletRoutes } from './wallets.routes.ts'

export const wallets: Feature = {
  name: 'wallets',
  ...declared,
  routes: (deps) => walletRoutes(deps),
  books: [walletBooks, statementBooks],
}
