import type { Feature } from '#core/feature.ts'
import { correctionActs, correctionViews } from './corrections.acts.ts'
import { correctionBooks } from './corrections.books.ts'

export const corrections: Feature = {
  name: 'corrections',
  acts: correctionActs,
  views: () => correctionViews,
  books: [correctionBooks],
}
