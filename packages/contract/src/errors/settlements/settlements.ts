// How questions about settlements can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const SETTLEMENT_ERRORS = {
  SETTLEMENT_NOT_FOUND: {
    status: 404,
    message: 'There was an error processing the request, Please try again later...',
    hint: 'The reference is unknown or belongs to another merchant, or the transaction has not been settled yet.',
    retry: 'never',
  },
  SETTLEMENT_ACCOUNT_REQUIRED: {
    status: 400,
    message: 'Field {field} is required when the destination is BANK',
    hint: 'Give the accountNumber and the bankCode of the account to settle to.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
