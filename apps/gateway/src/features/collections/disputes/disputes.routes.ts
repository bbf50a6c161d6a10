import { type DisputeNotice, disputeNotice } from '@cowrie/contract/bank/v2/disputes'
import { bindBank, type RouteDeps } from '#core/bind.ts'
import { fail } from '#kit/fail.ts'
import { onDispute } from './disputes.ts'

export function disputeRoutes(deps: RouteDeps): void {
  const take = async (notice: DisputeNotice, connector: string) =>
    (await onDispute(deps.ctx, notice, connector))
      ? { disputeReference: notice.disputeReference, outcome: 'TAKEN' as const }
      : fail('CHARGE_UNKNOWN')
  bindBank(deps, disputeNotice, take, 'all')
}
