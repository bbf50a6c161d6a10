import type { Feature } from '#core/feature.ts'
import { keyActs, keyViews } from './keys.acts.ts'
import { keyRoutes } from './keys.routes.ts'

export const keys: Feature = {
  name: 'keys',
  routes: keyRoutes,
  acts: keyActs,
  views: keyViews,
}
