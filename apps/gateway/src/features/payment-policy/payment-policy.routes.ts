import { getPaymentPolicy, putPaymentPolicy } from '@cowrie/contract/collections/payment-policy'
import { bind, type Desk } from '../../core/bind.ts'
import { getPolicy, putPolicy } from './payment-policy.ts'

export function paymentPolicyRoutes(desk: Desk): void {
  const { ctx, merchants } = desk
  bind(desk, getPaymentPolicy, { read: ({ merchant }) => getPolicy(ctx, merchant) })
  bind(desk, putPaymentPolicy, { multiStep: (call, store) => putPolicy(ctx, merchants, call, store) })
}
