import { releasePayout } from '@cowrie/contract/wallets/second-person'
import { bindAct } from '#core/acts/acts.ts'
import type { Feature } from '#core/feature.ts'
import { payoutsOf } from './bank.ts'
import { batchesOf } from './batches.ts'
import { disbursementBooks, disbursementTimers } from './disbursements.books.ts'
import { declared } from './disbursements.declared.sql.ts'
import { batchesDue, payoutsDue } from './disbursements.due.ts'
import { createRelease, disbursementRoutes } from './disbursements.routes.ts'
import { listBooks } from './lists.books.ts'

export const disbursements: Feature = {
  name: 'disbursements',
  ...declared,
  routes: (deps, shared) => disbursementRoutes(deps, payoutsOf(shared), batchesOf(shared)),
  due: (shared) => ({ ...payoutsDue(payoutsOf(shared)), ...batchesDue(batchesOf(shared)) }),
  acts: ({ ctx }) => [bindAct(releasePayout, createRelease(ctx))],
  payoutNotice: (shared) => payoutsOf(shared).onNotice,
  books: [disbursementBooks, listBooks],
  lostTimers: disbursementTimers,
}
