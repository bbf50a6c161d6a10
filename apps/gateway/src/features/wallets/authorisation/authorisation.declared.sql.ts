// What others are told of codes that were mailed.
import type { Declarations } from '#core/declarations.ts'

export const declared = {
  notPersonal: {
    authorizations: 'digest',
  },
} satisfies Declarations
