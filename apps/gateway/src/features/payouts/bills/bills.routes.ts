import {
  listBillerCategories,
  listBillerProducts,
  listBillers,
  requeryBill,
  validateBillCustomer,
  vendBill,
} from '@cowrie/contract/payouts/bills'
import { bind, type RouteDeps } from '#core/bind.ts'
import type { Biller } from './biller.ts'
import { requery, vend } from './bills.ts'
import { createCatalogue } from './catalogue.ts'

export function billRoutes(deps: RouteDeps, biller: Biller): void {
  const catalogue = createCatalogue(deps.ctx)
  bind(deps, listBillerCategories, { read: ({ query }) => catalogue.categories(query) })
  bind(deps, listBillers, { read: ({ query }) => catalogue.billers(query) })
  bind(deps, listBillerProducts, { read: ({ query }) => catalogue.products(query) })
  bind(deps, validateBillCustomer, { read: ({ body }) => catalogue.validate(body) })
  bind(deps, vendBill, { multiStep: (call, store) => vend(deps.ctx, { catalogue, biller }, call, store) })
  bind(deps, requeryBill, { read: ({ merchant, query }) => requery(deps.ctx, merchant, query.reference) })
}
