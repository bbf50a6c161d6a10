import { getWalletStatement, listMovements } from '@cowrie/contract/wallets/wallets'
import { bind, type RouteDeps } from '#core/bind.ts'
import { movements, statement } from './statements.ts'

export function walletRoutes(deps: RouteDeps): void {
  const { ctx } = deps
  bind(deps, listMovements, { read: ({ merchant, query }) => movements(ctx, merchant, query) })
  bind(deps, getWalletStatement, {
    read: ({ merchant, params, query }) => statement(ctx, merchant, params['accountNumber'] ?? '', query),
  })
}
