import {
  changeAccountLimit,
  changeAccountLimitV2,
  deallocateAccount,
  getReservedAccount,
  linkAccounts,
  listReservedTransactions,
  reserveAccount,
  reserveInvoiceAccount,
  reserveLimitedAccount,
  reserveLimitedAccountV2,
  updateBvn,
  updateKyc,
  updateSources,
  updateSplit,
} from '@cowrie/contract/collections/reserved-accounts'
import { bind, type RouteDeps } from '#core/bind.ts'
import { changeBvn, changeKyc, changeSources, changeSplit, deallocate, link } from './changes.ts'
import { changeLimit } from './limits.ts'
import { detail, transactions } from './lists.ts'
import { createReservations, reserveForInvoices, reserveGeneral, reserveLimited } from './reserved-accounts.ts'

export function reservedAccountRoutes(deps: RouteDeps): void {
  const { ctx } = deps
  const reservations = createReservations(ctx)
  bind(deps, reserveAccount, { multiStep: (call, store) => reserveGeneral(reservations, call, store) })
  bind(deps, reserveInvoiceAccount, { multiStep: (call, store) => reserveForInvoices(reservations, call, store) })
  bind(deps, reserveLimitedAccount, { multiStep: (call, store) => reserveLimited(reservations, call, store) })
  bind(deps, reserveLimitedAccountV2, { multiStep: (call, store) => reserveLimited(reservations, call, store) })
  bind(deps, changeAccountLimit, { command: changeLimit })
  bind(deps, changeAccountLimitV2, { command: (t, call) => changeLimit(t, call) })
  bind(deps, listReservedTransactions, { read: ({ merchant, query }) => transactions(ctx, merchant, query) })
  bind(deps, getReservedAccount, {
    read: ({ merchant, params }) => detail(ctx, merchant, params['accountReference'] ?? ''),
  })
  bind(deps, linkAccounts, { multiStep: (call, store) => link(ctx, call, store) })
  bind(deps, updateBvn, { multiStep: (call, store) => changeBvn(ctx, call, store) })
  bind(deps, updateKyc, { multiStep: (call, store) => changeKyc(ctx, call, store) })
  bind(deps, updateSources, { multiStep: (call, store) => changeSources(ctx, call, store) })
  bind(deps, updateSplit, { multiStep: (call, store) => changeSplit(ctx, call, store) })
  bind(deps, deallocateAccount, { command: deallocate })
}
