import type { Feature } from '../../core/feature.ts'
import { runBooks } from './books.books.ts'
import { booksDue } from './books.due.ts'
import { ensureNights } from './books.ts'

export const books: Feature = {
  name: 'books',
  due: ({ features }) => booksDue(features),
  ensureTimers: ensureNights,
  books: [runBooks],
}
