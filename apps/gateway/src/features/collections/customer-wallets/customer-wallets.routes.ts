import { createWallet, getBalance, listWallets } from '@cowrie/contract/wallets/wallets'
import { bind, type RouteDeps } from '#core/bind.ts'
import { balance, createCreate, list } from './customer-wallets.ts'

export function customerWalletRoutes(deps: RouteDeps): void {
  const { ctx } = deps
  bind(deps, createWallet, { multiStep: createCreate(ctx) })
  bind(deps, listWallets, { read: ({ merchant, query }) => list(ctx, merchant, query) })
  bind(deps, getBalance, { read: ({ merchant, query }) => balance(ctx, merchant, query) })
}
