// What others are told of bank numbers.
import type { Declarations } from '#core/declarations.ts'

export const declared = {
  notPersonal: {
    number_orders: 'reference',
  },
} satisfies Declarations
