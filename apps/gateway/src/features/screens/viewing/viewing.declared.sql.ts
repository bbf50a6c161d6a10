// What others are told of viewing.
import type { Declarations } from '#core/declarations.ts'

export const declared = {
  notPersonal: {
    view_grants: 'role',
  },
} satisfies Declarations
