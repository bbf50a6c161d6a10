import { EXPIRE_REFUND } from '@cowrie/contract/kit/timers'
import { type DueHandlers, subjectsOf } from '../../core/agenda.ts'
import type { Shared } from '../../core/feature.ts'
import { expireRefunds } from './authorise.ts'

export const refundsDue = ({ ctx, merchants }: Shared): DueHandlers => ({
  [EXPIRE_REFUND]: (_, cell, rows) => expireRefunds(ctx, merchants, cell, subjectsOf(rows)),
})
