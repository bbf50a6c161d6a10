import { EXPIRE_PAYCODE } from '@cowrie/contract/kit/timers'
import { type DueHandlers, listSubjects } from '#core/agenda.ts'
import type { Shared } from '#core/feature.ts'
import { expirePaycodes } from './outcome.ts'

export const paycodesDue = ({ ctx, merchants }: Shared): DueHandlers => ({
  [EXPIRE_PAYCODE]: (_, cell, rows) => expirePaycodes(ctx, merchants, cell, listSubjects(rows)),
})
