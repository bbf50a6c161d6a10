// How refunds can be refused; the response codes are those of the interface.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const REFUND_ERRORS = {
  REFUND_TRANSACTION_UNKNOWN: {
    status: 404,
    responseCode: 'R1',
    message: 'Could not find transaction with the specified transaction reference',
    hint: 'The reference is unknown, or belongs to another merchant.',
    retry: 'never',
  },
  REFUND_NOT_PERMITTED: {
    status: 422,
    responseCode: 'R2',
    message: 'The transaction cannot be refunded: {why}',
    hint: 'Only a closed transaction that was paid by bank transfer can be refunded.',
    retry: 'never',
  },
  REFUND_TOO_LARGE: {
    status: 422,
    responseCode: 'R3',
    message: 'The refund exceeds the amount that can still be refunded: {left}',
    hint: 'You can refund what was paid, less refunds that are pending or completed.',
    retry: 'never',
  },
  REFUND_TOO_SMALL: {
    status: 400,
    responseCode: 'R4',
    message: 'Field refundAmount must not be less than 100.00',
    hint: 'The smallest refund is 100 naira.',
    retry: 'never',
  },
  REFUND_FUNDS: {
    status: 422,
    responseCode: 'R5',
    message: 'You do not have sufficient balance to process this refund. Please fund your account and try again.',
    hint: 'The wallet must cover the amount and the fee of 10 naira.',
    retry: 'later',
  },
  REFUND_ACCOUNT_INVALID: {
    status: 422,
    responseCode: 'R6',
    message: "The customer's account is not valid: {why}",
    hint: 'Give the account to refund to in destinationAccountNumber and destinationAccountBankCode.',
    retry: 'never',
  },
  REFUND_NOT_FOUND: {
    status: 404,
    responseCode: 'R7',
    message: 'Could not find refund with the specified refund reference',
    hint: 'The reference is unknown, or belongs to another merchant.',
    retry: 'never',
  },
  REFUND_TEXT_TOO_LONG: {
    status: 400,
    responseCode: 'R8',
    message: 'Field {field} must not have more than {most} characters',
    hint: 'refundReason may have at most 64 characters, customerNote at most 16.',
    retry: 'never',
  },
  REFUND_REFERENCE_USED: {
    status: 422,
    responseCode: 'R9',
    message: 'Duplicate refund reference',
    hint: 'After a timeout, check the refund by the same reference. For a new refund, use a new reference.',
    retry: 'never',
  },
  REFUND_BALANCE_UNAVAILABLE: {
    status: 503,
    responseCode: 'R10',
    message: 'The wallet balance is temporarily unavailable',
    hint: 'Nothing was refunded. Retry with the same reference.',
    retry: 'later',
  },
  REFUND_ENQUIRY_UNANSWERED: {
    status: 503,
    responseCode: 'R11',
    message: 'The bank did not confirm the account holder; nothing was refunded',
    hint: 'Retry with the same reference in a moment.',
    retry: 'later',
  },
  REFUND_ALL_DONE: {
    status: 422,
    responseCode: 'R12',
    message: 'The transaction has already been refunded in full',
    hint: 'Pending refunds count. If one fails, its amount can be refunded again.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
