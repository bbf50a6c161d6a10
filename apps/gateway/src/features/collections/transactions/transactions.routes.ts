import { searchTransactions } from '@cowrie/contract/collections/search'
import {
  getTransaction,
  initPayment,
  initTransaction,
  queryTransaction,
} from '@cowrie/contract/collections/transactions'
import { bind, type RouteDeps } from '#core/bind.ts'
import { search } from './search.ts'
import { getByReference, query } from './status.ts'
import { createInit, createIssueAccount } from './transactions.ts'

export function transactionRoutes(deps: RouteDeps): void {
  const { ctx } = deps
  bind(deps, initTransaction, createInit(ctx))
  bind(deps, initPayment, createIssueAccount(ctx))
  bind(deps, getTransaction, {
    read: ({ merchant, params }) => getByReference(ctx, merchant, params['transactionReference'] ?? ''),
  })
  bind(deps, queryTransaction, { read: ({ merchant, query: asked }) => query(ctx, merchant, asked) })
  bind(deps, searchTransactions, { read: ({ merchant, query: asked }) => search(ctx, merchant, asked) })
}
