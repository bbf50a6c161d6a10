import type { Feature } from '#core/feature.ts'
import { everywhereViews } from './everywhere.ts'
import { findingViews } from './finding.ts'

export const finding: Feature = {
  name: 'finding',
  views: (shared) => [...findingViews(shared), ...everywhereViews(shared)],
}
