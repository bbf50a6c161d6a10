import {
  authoriseBatch,
  getBatch,
  initiateBatch,
  listBatches,
  listBatchesOfWallet,
  listBatchRows,
  resendBatchCode,
} from '@cowrie/contract/payouts/batches'
import {
  authoriseTransfer,
  getTransfer,
  getWalletBalance,
  initiateTransfer,
  listTransfers,
  resendTransferCode,
  searchTransfers,
  validateAccount,
} from '@cowrie/contract/payouts/disbursements'
import { releasePayout } from '@cowrie/contract/wallets/second-person'
import type { ActHandler } from '#core/acts/acts.ts'
import { bind, type RouteDeps } from '#core/bind.ts'
import { onlyQueued } from '#features/wallets/second-person/second-person.ts'
import type { Ctx } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import { refuseTransfer, releaseTransfer } from './approval.ts'
import type { Payouts } from './bank.ts'
import { type Batches, expire as expireBatch, releaseBatch } from './batches.ts'
import { createDisbursements, createValidation } from './disbursements.ts'
import { createLists } from './lists.ts'

export function disbursementRoutes(deps: RouteDeps, payouts: Payouts, batches: Batches): void {
  const { ctx } = deps
  const single = createDisbursements(ctx, payouts)
  const lists = createLists(ctx)
  const validate = createValidation(ctx)
  bind(deps, initiateTransfer, { multiStep: single.initiate })
  bind(deps, authoriseTransfer, { multiStep: single.authorise })
  bind(deps, resendTransferCode, { multiStep: single.resend })
  bind(deps, getTransfer, { read: ({ merchant, query }) => lists.summary(merchant, query.reference) })
  bind(deps, listTransfers, { read: ({ merchant, query }) => lists.singles(merchant, query) })
  bind(deps, searchTransfers, { read: ({ merchant, query }) => lists.search(merchant, query) })
  bind(deps, getWalletBalance, { read: ({ merchant, query }) => lists.balance(merchant, query) })
  bind(deps, validateAccount, { read: ({ query }) => validate(query) })
  bind(deps, initiateBatch, { multiStep: batches.initiate })
  bind(deps, authoriseBatch, { multiStep: batches.authorise })
  bind(deps, resendBatchCode, { multiStep: batches.resend })
  bind(deps, getBatch, { read: ({ merchant, query }) => lists.batch(merchant, query.reference) })
  bind(deps, listBatches, { read: ({ merchant, query }) => lists.batches(merchant, query) })
  bind(deps, listBatchesOfWallet, { read: ({ merchant, query }) => lists.batches(merchant, query) })
  bind(deps, listBatchRows, {
    read: ({ merchant, params, query }) => lists.rows(merchant, params['batchReference'] ?? '', query),
  })
}

export const createRelease = (ctx: Ctx): ActHandler<typeof releasePayout> => ({
  prepare: onlyQueued(releasePayout),
  run: async (t, { merchant, input: { kind, reference } }) => {
    const owner = merchant ?? fail('INTERNAL', {}, 'a payout of no merchant')
    const status =
      kind === 'BATCH' ? (await releaseBatch(t, owner, reference)).status : await releaseTransfer(t, owner, reference)
    return {
      reply: { reference, status },
      before: { status: 'PENDING_AUTHORIZATION' },
      after: { kind, reference, status },
    }
  },
  refused: async (t, { merchant, input: { kind, reference } }) => {
    const owner = merchant ?? fail('INTERNAL', {}, 'a payout of no merchant')
    if (kind === 'BATCH') await expireBatch(ctx, t, owner, reference)
    else await refuseTransfer(ctx, t, owner, reference)
  },
  after: (_, { cell }) => ctx.wake(cell),
})
