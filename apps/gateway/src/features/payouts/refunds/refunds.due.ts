import { APPROVE_REFUND, EXPIRE_REFUND } from '@cowrie/contract/kit/timers'
import { type DueHandlers, inBackground, listSubjects } from '#core/agenda.ts'
import type { Shared } from '#core/feature.ts'
import { approveRefunds, expireRefunds } from './authorise.ts'

export const refundsDue = ({ ctx, merchants }: Shared): DueHandlers => ({
  [EXPIRE_REFUND]: (_, cell, rows) => expireRefunds(ctx, merchants, cell, listSubjects(rows)),
  // A silent server takes its ten seconds; nobody else waits for it.
  [APPROVE_REFUND]: inBackground((cell, ids) => approveRefunds(ctx, merchants, cell, ids)),
})
