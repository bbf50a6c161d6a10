import { enquirePaycode, redeemPaycode } from '@cowrie/contract/bank/agent-connector'
import {
  authorisePaycode,
  cancelPaycode,
  createPaycode,
  getPaycode,
  listPaycodes,
} from '@cowrie/contract/payouts/paycodes'
import { bind, bindBank, type RouteDeps } from '#core/bind.ts'
import { createCancel } from './outcome.ts'
import { create, findPaycode, listPaycodeRecords, revealPaycode } from './paycodes.ts'
import { createRedemptions } from './redemption.ts'

export function paycodeRoutes(deps: RouteDeps): void {
  const { ctx } = deps
  const redemptions = createRedemptions(ctx)
  const named = (params: Readonly<Record<string, string>>): string => params['paycodeReference'] ?? ''
  bind(deps, createPaycode, { multiStep: (call, store) => create(ctx, call, store) })
  bind(deps, listPaycodes, { read: ({ merchant, query }) => listPaycodeRecords(ctx, merchant, query) })
  bind(deps, getPaycode, { read: ({ merchant, params }) => findPaycode(ctx, merchant, named(params)) })
  bind(deps, authorisePaycode, { read: ({ merchant, params }) => revealPaycode(ctx, merchant, named(params)) })
  bind(deps, cancelPaycode, { multiStep: createCancel(ctx) })
  bindBank(deps, enquirePaycode, redemptions.enquire)
  bindBank(deps, redeemPaycode, redemptions.redeem)
}
