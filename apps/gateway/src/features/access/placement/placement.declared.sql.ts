// What others are told of placement.
import type { Declarations } from '#core/declarations.ts'

export const declared = {
  notPersonal: {
    cell_intake: 'state',
  },
} satisfies Declarations
