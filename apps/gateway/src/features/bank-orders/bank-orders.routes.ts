import { payoutNotice } from '@cowrie/contract/bank/connector'
import { bindBank, type RouteDeps } from '../../core/bind.ts'
import type { NoticeHandler } from '../../core/outgoing.ts'
import { fail } from '../../kit/fail.ts'

/** The bank's word about a payout, whoever it is for: a session belongs to one of the handlers. */
export function payoutNoticeRoute(deps: RouteDeps, handlers: readonly NoticeHandler[]): void {
  bindBank(deps, payoutNotice, async (notice) => {
    for (const handle of handlers)
      if (await handle(notice)) return { sessionId: notice.sessionId, outcome: 'TAKEN' as const }
    return fail('PAYOUT_UNKNOWN')
  })
}
