// What others are told of erasures.
import type { Declarations } from '#core/declarations.ts'
import { kept } from '#core/personal/judging.ts'

export const declared = {
  personal: {
    erasures: {
      columns: kept('whoever knows the address can show that it was erased; nobody else can read it', 'digest'),
    },
  },
  notPersonal: {
    erasures: 'counts',
  },
} satisfies Declarations
