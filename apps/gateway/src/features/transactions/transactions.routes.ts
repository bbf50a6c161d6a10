import { creditNotice, enquireAccount, reversalNotice } from '@cowrie/contract/bank/connector'
import { getPaymentPolicy, putPaymentPolicy } from '@cowrie/contract/collections/payment-policy'
import { searchTransactions } from '@cowrie/contract/collections/search'
import {
  getTransaction,
  initPayment,
  initTransaction,
  queryTransaction,
} from '@cowrie/contract/collections/transactions'
import { bind, bindBank, type Desk } from '../../core/bind.ts'
import { createCredits, type ReservedCredits } from './credits.ts'
import { getPolicy, putPolicy } from './policy.ts'
import { createReversals } from './reversals.ts'
import { search } from './search.ts'
import { getByReference, query } from './status.ts'
import { createDraw, createInit } from './transactions.ts'

export function transactionRoutes(desk: Desk, reserved: ReservedCredits): void {
  const { ctx } = desk
  const credits = createCredits(ctx, desk.merchants, reserved)
  bind(desk, initTransaction, createInit(ctx))
  bind(desk, initPayment, createDraw(ctx))
  bind(desk, getTransaction, {
    read: ({ merchant, params }) => getByReference(ctx, merchant, params['transactionReference'] ?? ''),
  })
  bind(desk, queryTransaction, { read: ({ merchant, query: asked }) => query(ctx, merchant, asked) })
  bind(desk, searchTransactions, { read: ({ merchant, query: asked }) => search(ctx, merchant, asked) })
  bind(desk, getPaymentPolicy, { read: ({ merchant }) => getPolicy(ctx, merchant) })
  bind(desk, putPaymentPolicy, { steps: (call, keep) => putPolicy(ctx, desk.merchants, call, keep) })
  bindBank(desk, enquireAccount, credits.enquire)
  bindBank(desk, creditNotice, credits.credit)
  bindBank(desk, reversalNotice, createReversals(ctx, desk.merchants).hear)
}
