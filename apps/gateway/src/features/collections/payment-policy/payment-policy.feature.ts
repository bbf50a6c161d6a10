import type { Feature } from '#core/feature.ts'
import { paymentPolicyRoutes } from './payment-policy.routes.ts'

export const paymentPolicy: Feature = { name: 'payment-policy', routes: paymentPolicyRoutes }
