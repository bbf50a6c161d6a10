// What others are told of limit profiles.
import type { Declarations } from '#core/declarations.ts'

export const declared = {
  notPersonal: {
    limit_profiles: 'code name',
  },
} satisfies Declarations
