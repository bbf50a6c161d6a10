import type { Feature } from '../../core/feature.ts'
import { booksDue, ensureNights } from './books.ts'

export const books: Feature = { name: 'books', due: () => booksDue, ensureTimers: ensureNights }
