import {
  deallocateAccount,
  getReservedAccount,
  linkAccounts,
  listReservedTransactions,
  reserveAccount,
  reserveInvoiceAccount,
  updateBvn,
  updateKyc,
  updateSources,
  updateSplit,
} from '@cowrie/contract/collections/reserved-accounts'
import { bind, type Desk } from '../../core/bind.ts'
import { changeBvn, changeKyc, changeSources, changeSplit, deallocate, link } from './changes.ts'
import { detail, transactions } from './lists.ts'
import { createReserve } from './reserved-accounts.ts'

export function reservedAccountRoutes(desk: Desk): void {
  const { ctx } = desk
  const reserve = createReserve(ctx)
  bind(desk, reserveAccount, { steps: reserve.general })
  bind(desk, reserveInvoiceAccount, { steps: reserve.forInvoices })
  bind(desk, listReservedTransactions, { read: ({ merchant, query }) => transactions(ctx, merchant, query) })
  bind(desk, getReservedAccount, {
    read: ({ merchant, params }) => detail(ctx, merchant, params['accountReference'] ?? ''),
  })
  bind(desk, linkAccounts, { command: (t, call) => link(ctx, t, call) })
  bind(desk, updateBvn, { steps: (call, keep) => changeBvn(ctx, call, keep) })
  bind(desk, updateKyc, { steps: (call, keep) => changeKyc(ctx, call, keep) })
  bind(desk, updateSources, { steps: (call, keep) => changeSources(ctx, call, keep) })
  bind(desk, updateSplit, { steps: (call, keep) => changeSplit(ctx, call, keep) })
  bind(desk, deallocateAccount, { command: deallocate })
}
