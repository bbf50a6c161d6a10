import type { Feature } from '#core/feature.ts'
import { heldActs, heldViews } from './held-money.ts'

export const heldMoney: Feature = {
  name: 'held-money',
  acts: heldActs,
  views: () => heldViews,
}
