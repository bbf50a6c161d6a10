import { listOwnSecurity, listSecurity } from '@cowrie/contract/access/security'
import { bindView } from '#core/acts/acts.ts'
import type { Feature } from '#core/feature.ts'
import { securityRoutes } from './security-events.routes.ts'
import { showAll, showOwn } from './security-events.ts'
import { telling } from './telling.ts'

export const securityEvents: Feature = {
  name: 'security-events',
  routes: securityRoutes('merchant'),
  operatorRoutes: securityRoutes('operator'),
  views: (shared) => [
    bindView(listOwnSecurity, (_, call) => showOwn(shared, call)),
    bindView(listSecurity, (_, call) => showAll(shared, call)),
  ],
  housekeeping: telling,
  peopleHousekeeping: (shared) => (shared.ctx.cells.has(shared.ctx.identities.id) ? {} : telling(shared)),
}
