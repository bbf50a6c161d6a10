// What others are told of destinations.
import type { Declarations } from '#core/declarations.ts'

export const declared = {
  notPersonal: {
    destinations: 'kind bank_code account_number account_name added_by confirmed_by digest stopped_by',
  },
} satisfies Declarations
