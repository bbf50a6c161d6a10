import type { Feature } from '#core/feature.ts'
import { customerWalletBooks } from './customer-wallets.books.ts'
import { customerWalletRoutes } from './customer-wallets.routes.ts'
import { sealedBvns } from './customer-wallets.ts'

export const customerWallets: Feature = {
  name: 'customer-wallets',
  routes: (deps) => customerWalletRoutes(deps),
  books: [customerWalletBooks],
  sealed: [sealedBvns],
}
