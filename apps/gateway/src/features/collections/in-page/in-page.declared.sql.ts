// What others are told of pages and what they opened.
import type { Declarations } from '#core/declarations.ts'

export const declared = {
  notPersonal: {
    page_settings: 'origins',
    page_openings: 'origin path',
  },
} satisfies Declarations
