// How requests about limited API keys can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const API_KEY_ERRORS = {
  API_KEY_UNKNOWN: {
    status: 404,
    message: 'No limited API key found with this value',
    hint: 'List your keys to see which are in force. The key pair that you were given when you joined cannot be ended; rotate its secret key.',
    retry: 'never',
  },
  API_KEYS_TOO_MANY: {
    status: 409,
    message: 'There are already 50 limited API keys',
    hint: 'End those that are no longer used.',
    retry: 'never',
  },
  API_KEY_LIMITS_CONFLICT: {
    status: 400,
    message: 'Only a key with the scope COLLECTIONS can be limited to contracts',
    hint: 'Wallets, payouts and settlements belong to the merchant, not to a contract.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
