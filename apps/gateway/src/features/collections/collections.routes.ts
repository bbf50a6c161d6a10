import { creditNotice, enquireAccount, reversalNotice } from '@cowrie/contract/bank/connector'
import { bindBank, type Desk } from '../../core/bind.ts'
import { createCredits, type ReservedCredits } from './credits.ts'
import { createReversals } from './reversals.ts'

export function collectionRoutes(desk: Desk, reserved: ReservedCredits): void {
  const { ctx, merchants } = desk
  const credits = createCredits(ctx, merchants, reserved)
  bindBank(desk, enquireAccount, credits.enquire)
  bindBank(desk, creditNotice, credits.credit)
  bindBank(desk, reversalNotice, createReversals(ctx, merchants).hear)
}
