import { creditNotice, enquireAccount, reversalNotice } from '@cowrie/contract/bank/connector'
import { creditNoticeV2, reversalNoticeV2 } from '@cowrie/contract/bank/v2/notices'
import { bindBank, type RouteDeps } from '#core/bind.ts'
import type { Shared } from '#core/feature.ts'
import { findHolder, sharedCredits, takeCredit, takeCreditV2 } from './credits.ts'
import { takeReversal, takeReversalV2 } from './reversals.ts'

export function creditRoutes(deps: RouteDeps, shared: Shared): void {
  const credits = sharedCredits(shared)
  const { ctx, merchants } = shared
  bindBank(deps, enquireAccount, (account) => findHolder(credits, account))
  bindBank(deps, creditNotice, (notice) => takeCredit(credits, notice))
  bindBank(deps, creditNoticeV2, (notice, from) => takeCreditV2(credits, notice, from), 'all')
  bindBank(deps, reversalNotice, (notice) => takeReversal(ctx, merchants, notice))
  bindBank(deps, reversalNoticeV2, (notice, from) => takeReversalV2(ctx, merchants, notice, from), 'all')
}
