import {
  changeSubAccount,
  createSubAccounts,
  deleteSubAccount,
  listSubAccounts,
} from '@cowrie/contract/collections/sub-accounts'
import { bind, type RouteDeps } from '#core/bind.ts'
import { change, create, list, remove } from './sub-accounts.ts'

export function subAccountRoutes(deps: RouteDeps): void {
  const { ctx } = deps
  bind(deps, createSubAccounts, { multiStep: (call, store) => create(ctx, call, store) })
  bind(deps, listSubAccounts, { read: ({ merchant }) => list(ctx, merchant) })
  bind(deps, changeSubAccount, { multiStep: (call, store) => change(ctx, call, store) })
  bind(deps, deleteSubAccount, {
    command: (t, { merchant, params }) => remove(t, merchant, params['subAccountCode'] ?? ''),
  })
}
