import { type NumberNotice, numberNotice } from '@cowrie/contract/bank/v2/numbers'
import { bindBank, type RouteDeps } from '#core/bind.ts'
import { fail } from '#kit/fail.ts'
import { onNumber } from './withdrawn.ts'

export function bankNumberRoutes(deps: RouteDeps): void {
  const take = async (notice: NumberNotice, connector: string) =>
    (await onNumber(deps.ctx, notice, connector))
      ? { accountNumber: notice.accountNumber, outcome: 'TAKEN' as const }
      : fail('NUMBER_UNKNOWN')
  bindBank(deps, numberNotice, take, 'all')
}
