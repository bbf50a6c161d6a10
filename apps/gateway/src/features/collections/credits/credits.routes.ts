import { creditNotice, enquireAccount, reversalNotice } from '@cowrie/contract/bank/connector'
import { creditNoticeV2, reversalNoticeV2 } from '@cowrie/contract/bank/v2/notices'
import { bindBank, type RouteDeps } from '#core/bind.ts'
import type { Shared } from '#core/feature.ts'
import { creditsOf } from './credits.ts'
import { reversalsOf } from './reversals.ts'

export function creditRoutes(deps: RouteDeps, shared: Shared): void {
  const [credits, reversals] = [creditsOf(shared), reversalsOf(shared)]
  bindBank(deps, enquireAccount, credits.enquire)
  bindBank(deps, creditNotice, credits.credit)
  bindBank(deps, creditNoticeV2, credits.creditAny, 'all')
  bindBank(deps, reversalNotice, reversals.onNotice)
  bindBank(deps, reversalNoticeV2, reversals.onAnyNotice, 'all')
}
