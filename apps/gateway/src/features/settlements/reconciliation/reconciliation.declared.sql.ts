// What others are told of statements of banks.
import type { Declarations } from '#core/declarations.ts'

export const declared = {
  leaving: {
    open: {
      "the bank's statement of its last days is not compared": `
      -- all merchants: a month leaves for all of them
      select d.day from statement_days d where d.matched_at is null and d.day <= $3::date`,
    },
  },
} satisfies Declarations
