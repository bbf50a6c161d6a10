import type { Feature } from '#core/feature.ts'
import { houseBookingBooks } from './house-bookings.books.ts'

export const houseBookings: Feature = { name: 'house-bookings', books: [houseBookingBooks] }
