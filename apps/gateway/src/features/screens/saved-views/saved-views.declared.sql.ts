// What others are told of saved views.
import type { Declarations } from '#core/declarations.ts'
import { kept, TEAM } from '#core/personal/judging.ts'

export const declared = {
  personal: {
    saved_views: { columns: kept(TEAM, 'title', 'filter', 'saved_by') },
  },
  notPersonal: {
    saved_views: 'list',
  },
} satisfies Declarations
