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
import { bind, type Desk } from '../../core/bind.ts'
import type { Payouts } from './bank.ts'
import type { Batches } from './batches.ts'
import { createDisbursements, createValidation } from './disbursements.ts'
import { createLists } from './lists.ts'

export function disbursementRoutes(desk: Desk, payouts: Payouts, batches: Batches): void {
  const { ctx } = desk
  const single = createDisbursements(ctx, payouts)
  const lists = createLists(ctx)
  const validate = createValidation(ctx)
  bind(desk, initiateTransfer, { multiStep: single.initiate })
  bind(desk, authoriseTransfer, { multiStep: single.authorise })
  bind(desk, resendTransferCode, { multiStep: single.resend })
  bind(desk, getTransfer, { read: ({ merchant, query }) => lists.summary(merchant, query.reference) })
  bind(desk, listTransfers, { read: ({ merchant, query }) => lists.singles(merchant, query) })
  bind(desk, searchTransfers, { read: ({ merchant, query }) => lists.search(merchant, query) })
  bind(desk, getWalletBalance, { read: ({ merchant, query }) => lists.balance(merchant, query) })
  bind(desk, validateAccount, { read: ({ query }) => validate(query) })
  bind(desk, initiateBatch, { multiStep: batches.initiate })
  bind(desk, authoriseBatch, { multiStep: batches.authorise })
  bind(desk, resendBatchCode, { multiStep: batches.resend })
  bind(desk, getBatch, { read: ({ merchant, query }) => lists.batch(merchant, query.reference) })
  bind(desk, listBatches, { read: ({ merchant, query }) => lists.batches(merchant, query) })
  bind(desk, listBatchesOfWallet, { read: ({ merchant, query }) => lists.batches(merchant, query) })
  bind(desk, listBatchRows, {
    read: ({ merchant, params, query }) => lists.rows(merchant, params['batchReference'] ?? '', query),
  })
}
