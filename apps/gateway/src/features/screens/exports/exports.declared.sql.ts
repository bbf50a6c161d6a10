// What others are told of exports.
import type { Declarations } from '#core/declarations.ts'
import { kept, TEAM } from '#core/personal/judging.ts'

export const declared = {
  personal: {
    exports: {
      columns: { ...kept(TEAM, 'asked_by'), ...kept('what a file was asked for by; deleted after a week', 'query') },
    },
    export_pieces: { columns: kept('a file that somebody of the team asked for; deleted after a week', 'bytes') },
  },
  notPersonal: {
    exports: 'file_name',
  },
} satisfies Declarations
