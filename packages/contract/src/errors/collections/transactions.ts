// How requests for money, and questions about them, can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const TRANSACTION_ERRORS = {
  DUPLICATE_PAYMENT_REFERENCE: {
    status: 422,
    message: 'Duplicate payment reference',
    hint: 'Use a new paymentReference for each transaction. To retry a request safely, send an Idempotency-Key.',
    retry: 'never',
    isThere: true,
  },
  TOO_MANY_OPEN_PAYMENTS: {
    status: 429,
    message: 'Too many payments have been opened and not paid',
    hint: 'Payments that are opened without a credential are capped while they wait to be paid. Try again in some minutes; Retry-After says when.',
    retry: 'later',
  },
  CONTRACT_UNKNOWN: {
    status: 422,
    message: 'Could not find specified contract',
    hint: 'Use the contractCode of one of your own contracts.',
    retry: 'never',
  },
  CURRENCY_UNKNOWN: {
    status: 422,
    message: 'Unknown currency code supplied',
    hint: 'NGN is the only supported currency.',
    retry: 'never',
  },
  SUB_ACCOUNT_UNKNOWN: {
    status: 422,
    message: 'Unknown sub account code {code}.',
    hint: 'Use the code of one of your own sub accounts that has not been deleted.',
    retry: 'never',
  },
  SPLIT_INVALID: {
    status: 422,
    message: 'The income split is not valid: {why}',
    hint: 'Name at most five sub accounts, each once, with splitPercentage or splitAmount, and in total no more than the amount.',
    retry: 'never',
  },
  BANK_ACCOUNT_UNKNOWN: {
    status: 422,
    message: 'Account number {accountNumber} could not be validated at that bank',
    hint: 'The bank has no account with this number. Check accountNumber and bankCode.',
    retry: 'never',
  },
  METHODS_NOT_OFFERED: {
    status: 422,
    message: 'paymentMethods must include CARD, ACCOUNT_TRANSFER or USSD',
    hint: 'None of the given methods can be used to pay. Leave the list empty to offer all methods.',
    retry: 'never',
  },
  BANK_UNKNOWN: {
    status: 422,
    message: 'could not find specified bank',
    hint: 'Use a bankCode from the list of banks, GET /api/v1/banks.',
    retry: 'never',
  },
  USSD_BANK_UNKNOWN: {
    status: 422,
    message: 'could not find a bank with this USSD code',
    hint: 'Use the digits of a baseUssdCode of GET /api/v1/sdk/transactions/banks, 737 for example.',
    retry: 'never',
  },
  TRANSACTION_REFERENCE_INVALID: {
    status: 422,
    message: 'Invalid transaction reference supplied',
    hint: 'Use the transactionReference returned by init-transaction.',
    retry: 'never',
  },
  TRANSACTION_CLOSED: {
    status: 422,
    message: 'The transaction no longer accepts payments: it is {state}',
    hint: 'Initialise a new transaction.',
    retry: 'never',
  },
  METHOD_NOT_ENABLED: {
    status: 422,
    message: 'The transaction does not accept payments by {method}',
    hint: 'Include the method in paymentMethods when you initialise the transaction, or omit paymentMethods.',
    retry: 'never',
  },
  REFERENCE_REQUIRED: {
    status: 400,
    message: 'Supply transactionReference or paymentReference',
    hint: 'Either identifies the transaction.',
    retry: 'never',
  },
  TRANSACTION_NOT_FOUND: {
    status: 404,
    message: 'Could not find transaction with the specified transaction reference',
    hint: 'The reference is unknown, or belongs to another merchant.',
    retry: 'never',
  },
  PAYMENT_NOT_FOUND: {
    status: 404,
    message: "There's no transaction matching supplied reference. Please confirm the supplied reference and try again.",
    hint: 'The reference is unknown, or belongs to another merchant.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
