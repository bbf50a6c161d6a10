import type { Feature } from '../../core/feature.ts'
import { payoutsOf } from './bank.ts'
import { batchesOf } from './batches.ts'
import { disbursementRoutes } from './disbursements.routes.ts'

export const disbursements: Feature = {
  name: 'disbursements',
  routes: (desk, shared) => disbursementRoutes(desk, payoutsOf(shared), batchesOf(shared)),
  due: (shared) => ({ ...payoutsOf(shared).due, ...batchesOf(shared).due }),
  payoutNotice: (shared) => payoutsOf(shared).hear,
}
