import type { Feature } from '#core/feature.ts'
import { placementActs, placementViews } from './placement.acts.ts'
import { placementBooks } from './placement.books.ts'

export const placement: Feature = {
  name: 'placement',
  acts: () => placementActs,
  views: () => placementViews,
  books: [placementBooks],
}
