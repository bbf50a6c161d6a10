import type { Feature } from '#core/feature.ts'
import { houseBookingBooks } from './house-bookings.books.ts'
import { declared } from './house-bookings.declared.sql.ts'

export const houseBookings: Feature = { name: 'house-bookings', ...declared, books: [houseBookingBooks] }
