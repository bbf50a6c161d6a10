// What a merchant may use only after the operator has granted it. A route names its feature; in the sandbox
// all are on.
import type { ErrorCode } from '../errors/errors.ts'

export const FEATURES = {
  TRANSFERS: 'Transfers out of the wallet',
  SUB_ACCOUNTS: 'Sub accounts and splits',
  WALLETS: 'Wallets for customers',
  BILLS: 'Bill payments',
  VERIFICATION: 'Verification of identities',
  INSTANT_SETTLEMENT: 'Instant settlement',
  PAYCODE: 'Paycodes',
} as const

export type FeatureName = keyof typeof FEATURES
export const FEATURE_NAMES = Object.keys(FEATURES) as readonly FeatureName[]
export const isFeature = (name: string): name is FeatureName => Object.hasOwn(FEATURES, name)

/** How a merchant without it is refused. Of transfers the interface lists 400 and no 403. */
export const featureError = (feature: FeatureName): ErrorCode =>
  feature === 'TRANSFERS' ? 'TRANSFERS_NOT_APPROVED' : 'FEATURE_NOT_GRANTED'
