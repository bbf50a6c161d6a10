import type { Feature } from '#core/feature.ts'
import { verificationBooks } from './verification.books.ts'
import { declared } from './verification.declared.sql.ts'
import { verificationRoutes } from './verification.routes.ts'

export const verification: Feature = {
  name: 'verification',
  ...declared,
  routes: verificationRoutes,
  books: [verificationBooks],
}
