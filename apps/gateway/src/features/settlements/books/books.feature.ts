import type { Feature } from '#core/feature.ts'
import { booksViews } from './books.acts.ts'
import { runBooks } from './books.books.ts'
import { declared } from './books.declared.sql.ts'
import { booksDue } from './books.due.ts'
import { ensureNights } from './books.ts'

export const books: Feature = {
  name: 'books',
  ...declared,
  views: () => booksViews,
  due: ({ features }) => booksDue(features),
  ensureTimers: ensureNights,
  books: [runBooks],
}
