import { creditNotice, enquireAccount, reversalNotice } from '@cowrie/contract/bank/connector'
import { bindBank, type Desk } from '../../core/bind.ts'
import type { Shared } from '../../core/feature.ts'
import { creditsOf } from './credits.ts'
import { reversalsOf } from './reversals.ts'

export function collectionRoutes(desk: Desk, shared: Shared): void {
  const credits = creditsOf(shared)
  bindBank(desk, enquireAccount, credits.enquire)
  bindBank(desk, creditNotice, credits.credit)
  bindBank(desk, reversalNotice, reversalsOf(shared).onNotice)
}
