import type { Feature } from '#core/feature.ts'
import { limitProfileBooks } from './limit-profiles.books.ts'
import { declared } from './limit-profiles.declared.sql.ts'
import { limitProfileRoutes } from './limit-profiles.routes.ts'

export const limitProfiles: Feature = {
  name: 'limit-profiles',
  ...declared,
  routes: limitProfileRoutes,
  books: [limitProfileBooks],
}
