import type { Feature } from '#core/feature.ts'
import { verificationBooks } from './verification.books.ts'
import { verificationRoutes } from './verification.routes.ts'

export const verification: Feature = {
  name: 'verification',
  routes: verificationRoutes,
  books: [verificationBooks],
}
