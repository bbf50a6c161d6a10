import { getCustomer } from '@cowrie/contract/screens/customers'
import { bind, type RouteDeps } from '#core/bind.ts'
import { get } from './customers.ts'

export function customerRoutes(deps: RouteDeps): void {
  bind(deps, getCustomer, { read: ({ merchant, params }) => get(deps.ctx, merchant, params['email'] ?? '') })
}
