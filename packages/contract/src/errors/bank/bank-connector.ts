// How messages of the bank can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const BANK_CONNECTOR_ERRORS = {
  ACCOUNT_UNKNOWN: {
    status: 404,
    message: 'No such account',
    hint: 'This account number was never issued at that bank.',
    retry: 'never',
  },
  PAYOUT_UNKNOWN: {
    status: 404,
    message: 'No such payout',
    hint: 'The gateway never sent a payout with this sessionId.',
    retry: 'never',
  },
  CHARGE_UNKNOWN: {
    status: 404,
    message: 'No such charge',
    hint: 'The gateway never asked this connector for a charge with this chargeReference.',
    retry: 'never',
  },
  NUMBER_UNKNOWN: {
    status: 404,
    message: 'No such account number',
    hint: 'This connector never gave the gateway this account number.',
    retry: 'never',
  },
  CREDIT_UNKNOWN: {
    status: 404,
    message: 'No such credit',
    hint: 'No credit was reported with this sessionId for this account. Report the credit first, or retry later.',
    retry: 'later',
  },
} as const satisfies Record<string, ErrorSpec>
