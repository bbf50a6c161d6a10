import { setApprovalAbove } from '@cowrie/contract/wallets/second-person'
import { bindAct } from '#core/acts/acts.ts'
import type { Feature } from '#core/feature.ts'
import { disbursementSettingsRoutes } from './disbursement-settings.routes.ts'
import { createSetAbove } from './disbursement-settings.ts'

export const disbursementSettings: Feature = {
  name: 'disbursement-settings',
  routes: disbursementSettingsRoutes,
  acts: ({ merchants }) => [bindAct(setApprovalAbove, createSetAbove(merchants))],
}
