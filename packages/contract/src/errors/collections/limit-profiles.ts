// How limit profiles, and putting an account under one, can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const LIMIT_PROFILE_ERRORS = {
  LIMIT_PROFILE_NAME_TAKEN: {
    status: 422,
    message: 'Scheme Name Already Exists',
    hint: 'Another of your limit profiles has this limitProfileName.',
    retry: 'never',
    isThere: true,
  },
  LIMIT_NEGATIVE: {
    status: 400,
    message: '{field} must not be negative',
    hint: 'A limit is an amount in naira, zero or more.',
    retry: 'never',
  },
  LIMIT_VOLUME_INVALID: {
    status: 400,
    message: 'Invalid daily transaction volume supplied',
    hint: 'dailyTransactionVolume is how many transfers a day may have: a whole number from 1 to 1,000,000.',
    retry: 'never',
  },
  LIMIT_DAY_BELOW_SINGLE: {
    status: 400,
    message: 'Daily transaction Value is less than single transaction value',
    hint: 'A transfer of singleTransactionValue must fit into dailyTransactionValue.',
    retry: 'never',
  },
  LIMIT_PROFILE_NOT_FOUND: {
    status: 404,
    message: 'Cannot find limit profile',
    hint: 'The code is unknown, or belongs to another merchant.',
    retry: 'never',
  },
  LIMIT_PROFILE_UNKNOWN: {
    status: 422,
    message: 'Unknown limit profile code supplied.',
    hint: 'limitProfileCode is the one that creating a limit profile answered; it may belong to another merchant.',
    retry: 'never',
  },
  LIMIT_NOT_FOR_INVOICES: {
    status: 422,
    message: 'An account for invoices has no limit profile',
    hint: 'An account of INVOICE type takes only what its open invoice asks for. Use an account of GENERAL type.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
