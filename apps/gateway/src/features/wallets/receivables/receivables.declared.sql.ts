// What others are told of receivables.
import type { Declarations } from '#core/declarations.ts'

export const declared = {
  notPersonal: {
    receivable_moves: 'reversal_reference',
  },
} satisfies Declarations
