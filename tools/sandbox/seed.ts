// The sandbox's merchants: the same seed gives the same keys and numbers.
import { createHmac } from 'node:crypto'
import type { NewMerchant } from '../../apps/gateway/src/features/access/merchants/merchants.ts'
import { nuban } from '../../packages/contract/src/bank/nuban.ts'
import { FEATURE_NAMES, type FeatureName } from '../../packages/contract/src/kit/features.ts'

const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const DIGITS = '0123456789'
const WALLET_BANK = '50515'

/** Text that follows from seed and label alone. Bytes past the last whole multiple are skipped, so no letter
 *  is likelier. */
function derive(seed: string, label: string, alphabet: string, length: number): string {
  const limit = 256 - (256 % alphabet.length)
  let text = ''
  for (let block = 0; text.length < length; block += 1) {
    for (const byte of createHmac('sha256', seed).update(`${label}/${block}`).digest()) {
      if (byte < limit && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}

export type SeededMerchant = NewMerchant & { readonly password: string }

export type SeedOptions = {
  readonly seed: string
  readonly cell: string
  readonly label: string
  readonly name: string
  readonly email: string
  readonly transferOtp: boolean
  readonly requestsPerSecond?: number
  readonly walletKobo?: bigint
  /** All of them if not given. */
  readonly features?: readonly FeatureName[]
}

export function seedMerchant(options: SeedOptions): SeededMerchant {
  const { seed, cell, label, name, email, transferOtp, requestsPerSecond = 500, walletKobo = 500_000_000n } = options
  const { features = FEATURE_NAMES } = options
  const text = (what: string, alphabet: string, length: number) =>
    derive(seed, `${cell}/${label}/${what}`, alphabet, length)
  return {
    name,
    email,
    apiKey: `MK_TEST_${cell}${text('api key', ALPHANUMERICS, 8)}`,
    secretKey: text('secret key', ALPHANUMERICS, 32),
    contractCode: cell + text('contract', DIGITS, 8),
    walletNumber: nuban(WALLET_BANK, cell + text('wallet', DIGITS, 7)),
    walletBankCode: WALLET_BANK,
    transferOtp,
    features,
    allowedAddresses: ['127.0.0.0/8', '::1/128'],
    requestsPerSecond,
    walletKobo,
    newSubAccountWaitHours: 0,
    password: text('password', ALPHANUMERICS, 16),
  }
}

/** The three of the sandbox's handle. */
export const sandboxMerchants = (seed: string, cell: string): Record<'main' | 'direct' | 'other', SeededMerchant> => ({
  main: seedMerchant({
    seed,
    cell,
    label: 'main',
    name: 'Adire Stores',
    email: 'owner@adire.example',
    transferOtp: true,
  }),
  direct: seedMerchant({
    seed,
    cell,
    label: 'direct',
    name: 'Kano Leatherworks',
    email: 'owner@kano.example',
    transferOtp: false,
  }),
  other: seedMerchant({
    seed,
    cell,
    label: 'other',
    name: 'Calabar Books',
    email: 'owner@calabar.example',
    transferOtp: true,
  }),
})

export const operatorOf = (seed: string): { email: string; password: string } => ({
  email: 'operator@cowrie.example',
  password: derive(seed, 'operator/password', ALPHANUMERICS, 16),
})

export const masterKeyOf = (seed: string): string => createHmac('sha256', seed).update('master key').digest('base64')
export const bankKeyOf = (seed: string): string => createHmac('sha256', seed).update('bank key').digest('base64url')
