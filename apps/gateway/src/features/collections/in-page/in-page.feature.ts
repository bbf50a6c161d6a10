import type { Feature } from '#core/feature.ts'
import { inPageBooks } from './in-page.books.ts'
import { declared } from './in-page.declared.sql.ts'
import { inPageRoutes } from './in-page.routes.ts'

export const inPage: Feature = {
  name: 'in-page',
  ...declared,
  routes: inPageRoutes,
  books: [inPageBooks],
}
