// The merchant's own wallet: its number, which the public routes ask for, its balances, and what an amount
// would take from it.
import type { listBanks } from '@cowrie/contract/collections/ussd'
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import type { showOwnWallet } from '@cowrie/contract/payouts/own-wallet'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call, view } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'

export function useWallet() {
  const allowed = may(useMe(), 'wallets.read')
  const wallet = useQuery({
    queryKey: ['wallet'],
    queryFn: () => view<typeof showOwnWallet>('wallets.own'),
    enabled: allowed,
  })
  return { ...wallet, allowed }
}

/** What would leave; null: no amount yet. */
export function useQuote(amount: string | null, of: 'PAYOUT' | 'REFUND') {
  return useQuery({
    queryKey: ['wallet', of, amount],
    queryFn: () => view<typeof showOwnWallet>('wallets.own', { amount: amount ?? '', of }),
    enabled: amount !== null,
    placeholderData: keepPreviousData,
  })
}

export const useBanks = () =>
  useQuery({ queryKey: ['banks'], queryFn: () => call<typeof listBanks>('banks.list'), staleTime: 12 * HOUR_MS })
