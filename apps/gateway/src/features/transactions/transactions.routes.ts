import { searchTransactions } from '@cowrie/contract/collections/search'
import {
  getTransaction,
  initPayment,
  initTransaction,
  queryTransaction,
} from '@cowrie/contract/collections/transactions'
import { bind, type Desk } from '../../core/bind.ts'
import { search } from './search.ts'
import { getByReference, query } from './status.ts'
import { createDraw, createInit } from './transactions.ts'

export function transactionRoutes(desk: Desk): void {
  const { ctx } = desk
  bind(desk, initTransaction, createInit(ctx))
  bind(desk, initPayment, createDraw(ctx))
  bind(desk, getTransaction, {
    read: ({ merchant, params }) => getByReference(ctx, merchant, params['transactionReference'] ?? ''),
  })
  bind(desk, queryTransaction, { read: ({ merchant, query: asked }) => query(ctx, merchant, asked) })
  bind(desk, searchTransactions, { read: ({ merchant, query: asked }) => search(ctx, merchant, asked) })
}
