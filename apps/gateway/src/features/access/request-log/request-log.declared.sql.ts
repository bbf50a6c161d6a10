// What others are told of request log.
import type { Declarations } from '#core/declarations.ts'
import { kept } from '#core/personal/judging.ts'

export const declared = {
  personal: {
    request_log: {
      columns: kept('of a machine or of somebody in a team, not of a payer; deleted after some days', 'caller', 'key'),
    },
  },
  notPersonal: {
    request_log: 'method path route code',
  },
} satisfies Declarations
