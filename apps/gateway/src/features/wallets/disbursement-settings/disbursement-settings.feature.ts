import { setApprovalAbove } from '@cowrie/contract/wallets/second-person'
import { bindAct } from '#core/acts/acts.ts'
import type { Feature } from '#core/feature.ts'
import { disbursementSettingsRoutes } from './disbursement-settings.routes.ts'
import { createSetAbove, onJoin } from './disbursement-settings.ts'

export const disbursementSettings: Feature = {
  name: 'disbursement-settings',
  onJoin,
  routes: disbursementSettingsRoutes,
  acts: ({ merchants }) => [bindAct(setApprovalAbove, createSetAbove(merchants))],
}
