import { creditNotice, enquireAccount, reversalNotice } from '@cowrie/contract/bank/connector'
import { bindBank, type RouteDeps } from '../../core/bind.ts'
import type { Shared } from '../../core/feature.ts'
import { creditsOf } from './credits.ts'
import { reversalsOf } from './reversals.ts'

export function collectionRoutes(deps: RouteDeps, shared: Shared): void {
  const credits = creditsOf(shared)
  bindBank(deps, enquireAccount, credits.enquire)
  bindBank(deps, creditNotice, credits.credit)
  bindBank(deps, reversalNotice, reversalsOf(shared).onNotice)
}
