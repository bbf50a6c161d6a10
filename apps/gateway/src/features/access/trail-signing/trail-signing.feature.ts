import type { Feature } from '#core/feature.ts'
import { signing } from './trail-signing.ts'

export const trailSigning: Feature = {
  name: 'trail-signing',
  notPersonal: { trail_signatures: 'document' },
  housekeeping: signing,
  peopleHousekeeping: (shared) => (shared.ctx.cells.has(shared.ctx.identities.id) ? {} : signing(shared)),
}
