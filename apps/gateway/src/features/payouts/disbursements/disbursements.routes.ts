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
import { needMerchant } from '#core/acts/acts.ts'
import { bind, type RouteDeps } from '#core/bind.ts'
import { onlyQueued } from '#features/wallets/second-person/second-person.ts'
import type { Ctx } from '#kit/ctx.ts'
import { refuseTransfer, releaseTransfer } from './approval.ts'
import type { Payouts } from './bank.ts'
import * as batches from './batches.ts'
import * as single from './disbursements.ts'
import * as lists from './lists.ts'

export function disbursementRoutes(deps: RouteDeps, payouts: Payouts, batchDeps: batches.Batches): void {
  const { ctx } = deps
  const sending = single.createDisbursements(payouts)
  bind(deps, initiateTransfer, { multiStep: (call, store) => single.initiate(sending, call, store) })
  bind(deps, authoriseTransfer, { multiStep: (call, store) => single.authorise(sending, call, store) })
  bind(deps, resendTransferCode, { multiStep: (call, store) => single.resendCode(ctx, call, store) })
  bind(deps, getTransfer, { read: ({ merchant, query }) => lists.findSummary(ctx, merchant, query.reference) })
  bind(deps, listTransfers, { read: ({ merchant, query }) => lists.listSingles(ctx, merchant, query) })
  bind(deps, searchTransfers, { read: ({ merchant, query }) => lists.searchSent(ctx, merchant, query) })
  bind(deps, getWalletBalance, { read: ({ merchant, query }) => lists.findBalance(ctx, merchant, query) })
  bind(deps, validateAccount, { read: ({ query }) => single.validate(ctx, query) })
  bind(deps, initiateBatch, { multiStep: (call, store) => batches.initiate(batchDeps, call, store) })
  bind(deps, authoriseBatch, { multiStep: (call, store) => batches.authorise(batchDeps, call, store) })
  bind(deps, resendBatchCode, { multiStep: (call, store) => batches.resendCode(batchDeps, call, store) })
  bind(deps, getBatch, { read: ({ merchant, query }) => lists.findBatch(ctx, merchant, query.reference) })
  bind(deps, listBatches, { read: ({ merchant, query }) => lists.searchBatches(ctx, merchant, query) })
  bind(deps, listBatchesOfWallet, { read: ({ merchant, query }) => lists.searchBatches(ctx, merchant, query) })
  bind(deps, listBatchRows, {
    read: ({ merchant, params, query }) => lists.listRows(ctx, merchant, params['batchReference'] ?? '', query),
  })
}

export const createRelease = (ctx: Ctx): ActHandler<typeof releasePayout> => ({
  prepare: onlyQueued(releasePayout),
  run: async (t, { merchant, input: { kind, reference } }) => {
    const owner = needMerchant({ merchant }, `${kind} ${reference}`)
    const status =
      kind === 'BATCH'
        ? (await batches.releaseBatch(t, owner, reference)).status
        : await releaseTransfer(t, owner, reference)
    return {
      reply: { reference, status },
      before: { status: 'PENDING_AUTHORIZATION' },
      after: { kind, reference, status },
    }
  },
  refused: async (t, { merchant, input: { kind, reference } }) => {
    const owner = needMerchant({ merchant }, `${kind} ${reference}`)
    if (kind === 'BATCH') await batches.expire(ctx, t, owner, reference)
    else await refuseTransfer(ctx, t, owner, reference)
  },
  after: (_, { cell }) => ctx.wake(cell),
})
