import { payoutNotice } from '@cowrie/contract/bank/connector'
import { bindBank, type Desk } from '../../core/bind.ts'
import type { NoticeHandler } from '../../core/outgoing.ts'
import { fail } from '../../kit/fail.ts'

/** The bank's word about a payout, whoever it is for: a session belongs to one of those who hear. */
export function payoutNoticeRoute(desk: Desk, handlers: readonly NoticeHandler[]): void {
  bindBank(desk, payoutNotice, async (notice) => {
    for (const handle of handlers)
      if (await handle(notice)) return { sessionId: notice.sessionId, outcome: 'TAKEN' as const }
    return fail('PAYOUT_UNKNOWN')
  })
}
