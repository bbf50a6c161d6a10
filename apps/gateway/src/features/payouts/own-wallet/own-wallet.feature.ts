import { showOwnWallet } from '@cowrie/contract/payouts/own-wallet'
import { bindView } from '#core/acts/acts.ts'
import type { Feature } from '#core/feature.ts'
import { presentOwnWallet } from './own-wallet.ts'

export const ownWallet: Feature = {
  name: 'own-wallet',
  views: () => [bindView(showOwnWallet, presentOwnWallet)],
}
