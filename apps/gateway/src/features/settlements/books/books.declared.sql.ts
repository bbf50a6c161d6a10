// What others are told of books.
import type { Declarations } from '#core/declarations.ts'

export const declared = {
  notPersonal: {
    books_results: 'invariant state position examples',
  },
} satisfies Declarations
