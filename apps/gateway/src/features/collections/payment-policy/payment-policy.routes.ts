import { getPaymentPolicy, putPaymentPolicy } from '@cowrie/contract/collections/payment-policy'
import { bind, type RouteDeps } from '#core/bind.ts'
import { getPolicy, putPolicy } from './payment-policy.ts'

export function paymentPolicyRoutes(deps: RouteDeps): void {
  const { ctx, merchants } = deps
  bind(deps, getPaymentPolicy, { read: ({ merchant }) => getPolicy(ctx, merchant) })
  bind(deps, putPaymentPolicy, { multiStep: (call, store) => putPolicy(ctx, merchants, call, store) })
}
