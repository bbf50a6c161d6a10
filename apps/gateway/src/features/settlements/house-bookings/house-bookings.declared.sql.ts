// What others are told of house bookings.
import type { Declarations } from '#core/declarations.ts'

export const declared = {
  notPersonal: {
    house_bookings: 'kind session_id',
  },
} satisfies Declarations
