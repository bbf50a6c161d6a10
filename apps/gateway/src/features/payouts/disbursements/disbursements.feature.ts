import { releasePayout } from '@cowrie/contract/wallets/second-person'
import { bindAct } from '#core/acts/acts.ts'
import type { Feature } from '#core/feature.ts'
import { sharedPayouts } from './bank.ts'
import { sharedBatches } from './batches.ts'
import { disbursementBooks, disbursementTimers } from './disbursements.books.ts'
import { declared } from './disbursements.declared.sql.ts'
import { batchesDue, payoutsDue } from './disbursements.due.ts'
import { createRelease, disbursementRoutes } from './disbursements.routes.ts'
import { listBooks } from './lists.books.ts'

export const disbursements: Feature = {
  name: 'disbursements',
  ...declared,
  routes: (deps, shared) => disbursementRoutes(deps, sharedPayouts(shared), sharedBatches(shared)),
  due: (shared) => ({ ...payoutsDue(sharedPayouts(shared)), ...batchesDue(sharedBatches(shared)) }),
  acts: ({ ctx }) => [bindAct(releasePayout, createRelease(ctx))],
  payoutNotice: (shared) => sharedPayouts(shared).onNotice,
  books: [disbursementBooks, listBooks],
  lostTimers: disbursementTimers,
}
