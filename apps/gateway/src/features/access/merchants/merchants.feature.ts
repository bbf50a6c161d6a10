import type { Feature } from '#core/feature.ts'
import { merchantActs } from './merchants.acts.ts'
import { merchantBooks } from './merchants.books.ts'
import { declared } from './merchants.declared.sql.ts'
import { merchantsDue } from './merchants.due.ts'
import { keyRoutes } from './merchants.routes.ts'
import { merchantViews } from './merchants.views.ts'

export const merchants: Feature = {
  name: 'merchants',
  ...declared,
  routes: keyRoutes,
  acts: merchantActs,
  views: merchantViews,
  due: ({ ctx, merchants: known }) => merchantsDue(ctx, known),
  books: [merchantBooks],
  sealed: [
    {
      table: 'merchants',
      key: { id: 'bigint' },
      needs: ['api_key'],
      columns: {
        secret_sealed: ({ api_key: apiKey }) => String(apiKey),
        next_secret_sealed: ({ api_key: apiKey }) => String(apiKey),
      },
    },
  ],
}
