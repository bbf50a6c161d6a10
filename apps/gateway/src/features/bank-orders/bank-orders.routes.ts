import { cardRefundNotice } from '@cowrie/contract/bank/card-refund-connector'
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

/** The issuer's word about a refund to a card. */
export function cardRefundNoticeRoute(deps: RouteDeps, handle: NoticeHandler): void {
  bindBank(deps, cardRefundNotice, async (notice) =>
    (await handle(notice)) ? { sessionId: notice.sessionId, outcome: 'TAKEN' as const } : fail('PAYOUT_UNKNOWN'),
  )
}
