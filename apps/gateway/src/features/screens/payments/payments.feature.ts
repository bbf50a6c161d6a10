import type { Feature } from '#core/feature.ts'
import { paymentViews } from './payments.ts'

export const payments: Feature = {
  name: 'payments',
  views: () => paymentViews,
}
