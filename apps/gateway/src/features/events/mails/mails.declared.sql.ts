// What others are told of mails.
import type { Declarations } from '#core/declarations.ts'
import { address, becomes, words } from '#core/personal/judging.ts'

export const declared = {
  personal: {
    mails: {
      by: ['id', 'mails'],
      columns: { ...address('recipient'), ...words('subject', 'text'), sheet: becomes('null::text') },
    },
  },
} satisfies Declarations
