import type { Feature } from '#core/feature.ts'
import { placementActs, placementViews } from './placement.acts.ts'
import { placementBooks } from './placement.books.ts'
import { declared } from './placement.declared.sql.ts'

export const placement: Feature = {
  name: 'placement',
  ...declared,
  acts: () => placementActs,
  views: () => placementViews,
  books: [placementBooks],
}
