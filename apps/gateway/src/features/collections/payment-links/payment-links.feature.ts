import type { Feature } from '#core/feature.ts'
import { paymentLinkBooks } from './payment-links.books.ts'
import { declared } from './payment-links.declared.sql.ts'
import { paymentLinkRoutes } from './payment-links.routes.ts'
import { paymentLinkViews } from './payment-links.ts'

export const paymentLinks: Feature = {
  name: 'payment-links',
  ...declared,
  routes: (deps, { sandbox }) => paymentLinkRoutes(deps, sandbox !== null),
  views: () => paymentLinkViews,
  books: [paymentLinkBooks],
}
