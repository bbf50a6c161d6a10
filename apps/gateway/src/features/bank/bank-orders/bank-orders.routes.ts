import { type CardRefundNotice, cardRefundNotice } from '@cowrie/contract/bank/card-refund-connector'
import { type PayoutNotice, payoutNotice } from '@cowrie/contract/bank/connector'
import { payoutNoticeV2 } from '@cowrie/contract/bank/v2/payouts'
import { bindBank, type RouteDeps } from '#core/bind.ts'
import type { BankNotice, NoticeHandler } from '#core/outgoing.ts'
import { fail } from '#kit/fail.ts'

/** The bank's word about a payout, whoever it is for: a session belongs to one of the handlers. */
export function payoutNoticeRoute(deps: RouteDeps, handlers: readonly NoticeHandler[]): void {
  const take = async (notice: BankNotice, connector: string) => {
    for (const handle of handlers)
      if (await handle(notice, connector)) return { sessionId: notice.sessionId, outcome: 'TAKEN' as const }
    return fail('PAYOUT_UNKNOWN')
  }
  // What else a message of version 1 has was never read, and is not now.
  const takeV1 = ({ sessionId, status, message }: PayoutNotice, connector: string) =>
    take({ sessionId, status, message }, connector)
  bindBank(deps, payoutNotice, takeV1, 'all')
  bindBank(deps, payoutNoticeV2, take, 'all')
}

/** The issuer's word about a refund to a card. */
export function cardRefundNoticeRoute(deps: RouteDeps, handle: NoticeHandler): void {
  const take = async (notice: CardRefundNotice, connector: string) =>
    (await handle(notice, connector))
      ? { sessionId: notice.sessionId, outcome: 'TAKEN' as const }
      : fail('PAYOUT_UNKNOWN')
  bindBank(deps, cardRefundNotice, take, 'all')
}
