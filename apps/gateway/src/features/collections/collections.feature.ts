import type { Feature } from '../../core/feature.ts'
import { collectionsDue } from './collections.due.ts'
import { collectionRoutes } from './collections.routes.ts'

export const collections: Feature = {
  name: 'collections',
  routes: collectionRoutes,
  due: () => collectionsDue,
}
