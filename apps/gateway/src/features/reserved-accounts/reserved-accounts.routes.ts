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
  bind(desk, reserveAccount, { multiStep: reserve.general })
  bind(desk, reserveInvoiceAccount, { multiStep: reserve.forInvoices })
  bind(desk, listReservedTransactions, { read: ({ merchant, query }) => transactions(ctx, merchant, query) })
  bind(desk, getReservedAccount, {
    read: ({ merchant, params }) => detail(ctx, merchant, params['accountReference'] ?? ''),
  })
  bind(desk, linkAccounts, { command: (t, call) => link(ctx, t, call) })
  bind(desk, updateBvn, { multiStep: (call, store) => changeBvn(ctx, call, store) })
  bind(desk, updateKyc, { multiStep: (call, store) => changeKyc(ctx, call, store) })
  bind(desk, updateSources, { multiStep: (call, store) => changeSources(ctx, call, store) })
  bind(desk, updateSplit, { multiStep: (call, store) => changeSplit(ctx, call, store) })
  bind(desk, deallocateAccount, { command: deallocate })
}
