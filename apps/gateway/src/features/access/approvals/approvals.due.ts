import { EXPIRE_APPROVAL } from '@cowrie/contract/kit/timers'
import { expireApprovals } from '#core/acts/approvals.ts'
import type { DueHandlers } from '#core/agenda.ts'

export const approvalsDue = (): DueHandlers => ({
  [EXPIRE_APPROVAL]: (ctx, cell, rows) => expireApprovals(ctx, cell, rows),
})
