import {
  changeSubAccount,
  createSubAccounts,
  deleteSubAccount,
  listSubAccounts,
} from '@cowrie/contract/collections/sub-accounts'
import { bind, type Desk } from '../../core/bind.ts'
import { change, create, list, remove } from './sub-accounts.ts'

export function subAccountRoutes(desk: Desk): void {
  const { ctx } = desk
  bind(desk, createSubAccounts, { multiStep: (call, store) => create(ctx, call, store) })
  bind(desk, listSubAccounts, { read: ({ merchant }) => list(ctx, merchant) })
  bind(desk, changeSubAccount, { multiStep: (call, store) => change(ctx, call, store) })
  bind(desk, deleteSubAccount, {
    command: (t, { merchant, params }) => remove(t, merchant, params['subAccountCode'] ?? ''),
  })
}
