import type { Feature } from '#core/feature.ts'
import { limitActs, limitViews } from './limits.acts.ts'
import { limitBooks } from './limits.books.ts'

export const limits: Feature = { name: 'limits', acts: limitActs, views: limitViews, books: [limitBooks] }
