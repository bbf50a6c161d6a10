import type { Feature } from '#core/feature.ts'
import { createReservedCredits } from './credits.ts'
import { sealedFor } from './identity.ts'
import { reservedAccountViews } from './lists.ts'
import { reservedAccountBooks } from './reserved-accounts.books.ts'
import { declared } from './reserved-accounts.declared.sql.ts'
import { reservedAccountRoutes } from './reserved-accounts.routes.ts'

export const reservedAccounts: Feature = {
  name: 'reserved-accounts',
  ...declared,
  routes: reservedAccountRoutes,
  views: () => reservedAccountViews,
  customerAccounts: ({ ctx, merchants }) => createReservedCredits(ctx, merchants),
  books: [reservedAccountBooks],
  sealed: [
    {
      table: 'reserved_accounts',
      key: { id: 'bigint' },
      needs: ['merchant_id', 'reference'],
      columns: {
        bvn_sealed: sealedFor('BVN'),
        nin_sealed: sealedFor('NIN'),
        allowed_bvns_sealed: sealedFor('sources'),
      },
    },
  ],
}
