// How a merchant's life, documents and features are said on the screen.

import type { showMerchant } from '@cowrie/contract/access/merchant-acts'
import type { MerchantState } from '@cowrie/contract/access/merchants'
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type { StateTone } from '../../../parts/figures.tsx'

export type Merchant = ViewReplyOf<typeof showMerchant>
export type DocumentRow = Merchant['documents'][number]

export const STATES: Readonly<Record<MerchantState, readonly [tone: StateTone, word: string]>> = {
  APPLIED: ['wait', 'Applied'],
  IN_SANDBOX: ['wait', 'In the sandbox'],
  IN_REVIEW: ['care', 'In review'],
  LIVE: ['good', 'Live'],
  SUSPENDED: ['bad', 'Suspended'],
  CLOSED: ['off', 'Closed'],
  REJECTED: ['off', 'Turned down'],
}
export const PAPERS: Readonly<Record<DocumentRow['kind'], string>> = {
  REGISTRATION: 'Certificate of registration',
  OWNER_IDENTITY: 'Identity of the owner or directors',
  ADDRESS: 'Proof of the address',
  TAX: 'Tax identification',
  LICENCE: 'Licence for a regulated business',
  WEBHOOK_EXAM: 'Exam of its webhook handler',
  OTHER: 'Anything else',
}
export const PAPER_STATES: Readonly<Record<DocumentRow['state'], readonly [tone: StateTone, word: string]>> = {
  MISSING: ['off', 'Missing'],
  RECEIVED: ['wait', 'Received'],
  ACCEPTED: ['good', 'Accepted'],
  REFUSED: ['bad', 'Refused'],
}
export const FEATURE_WORDS: Readonly<Record<Merchant['features'][number]['feature'], string>> = {
  TRANSFERS: 'Transfers out of the wallet',
  SUB_ACCOUNTS: 'Sub accounts and splits',
  WALLETS: 'Wallets for customers',
  BILLS: 'Bill payments',
  VERIFICATION: 'Verification of identities',
  INSTANT_SETTLEMENT: 'Instant settlement',
  PAYCODE: 'Paycodes',
}
/** By which it is named in an address: the API key, or the application until there is one. */
export const whichOf = ({ apiKey, application }: Pick<Merchant, 'apiKey' | 'application'>): string =>
  apiKey ?? application
