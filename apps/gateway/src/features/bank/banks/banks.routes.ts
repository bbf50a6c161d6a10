import { listBanks, listUssdBanks } from '@cowrie/contract/collections/ussd'
import { bind, type RouteDeps } from '#core/bind.ts'
import { ALL, WITH_USSD } from './banks.ts'

export function bankRoutes(deps: RouteDeps): void {
  bind(deps, listBanks, { read: async () => ALL })
  bind(deps, listUssdBanks, { read: async () => WITH_USSD })
}
