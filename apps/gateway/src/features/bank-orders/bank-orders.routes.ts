import { payoutNotice } from '@cowrie/contract/bank/connector'
import { bindBank, type Desk } from '../../core/bind.ts'
import type { Hear } from '../../core/outgoing.ts'
import { fail } from '../../kit/fail.ts'

/** The bank's word about a payout, whoever it is for: a session belongs to one of those who hear. */
export function payoutNoticeRoute(desk: Desk, hearers: readonly Hear[]): void {
  bindBank(desk, payoutNotice, async (notice) => {
    for (const hear of hearers)
      if (await hear(notice)) return { sessionId: notice.sessionId, outcome: 'TAKEN' as const }
    return fail('PAYOUT_UNKNOWN')
  })
}
