// Every way a request can be refused: one table, read by the server, the reference page and the tests.
// `retry` tells a client what to do: never (change the request), later (the same request again, after a pause).
import { DIRECT_DEBIT_ERRORS } from './direct-debit.ts'
import { DISBURSEMENT_ERRORS } from './disbursements.ts'
import type { ErrorSpec } from './error-spec.ts'
import { INVOICE_ERRORS } from './invoices.ts'
import { REFUND_ERRORS } from './refunds.ts'
import { REQUEST_ERRORS } from './requests.ts'
import { RESERVED_ACCOUNT_ERRORS } from './reserved-accounts.ts'
import { SETTLEMENT_ERRORS } from './settlements.ts'
import { WEBHOOK_ERRORS } from './webhooks.ts'

export type { ErrorSpec } from './error-spec.ts'

export const ERRORS = {
  ...REQUEST_ERRORS,

  // who is asking
  AUTHORIZATION_MISSING: {
    status: 401,
    message: 'Unauthorized, supply authorization header',
    hint: 'Log in with Authorization: Basic base64(apiKey:secretKey).',
    retry: 'never',
    oauth: 'unauthorized',
  },
  CREDENTIALS_INVALID: {
    status: 401,
    message: 'Invalid credentials',
    hint: 'The secret key must be the one issued with this API key, for this environment.',
    retry: 'never',
    oauth: 'unauthorized',
  },
  TOKEN_MISSING: {
    status: 401,
    message: 'Full authentication is required to access this resource',
    hint: 'Log in and send the accessToken as Authorization: Bearer.',
    retry: 'never',
    oauth: 'unauthorized',
  },
  TOKEN_INVALID: {
    status: 401,
    message: 'Cannot convert access token to JSON',
    hint: 'The token was not issued by this gateway, was altered, or its secret key was revoked. Log in again.',
    retry: 'never',
    oauth: 'invalid_token',
  },
  TOKEN_EXPIRED: {
    status: 401,
    message: 'Access token expired',
    hint: 'Tokens are valid for one hour. Log in again.',
    retry: 'never',
    oauth: 'invalid_token',
  },
  ADDRESS_NOT_ALLOWED: {
    status: 403,
    message: 'Could not Authorize merchant',
    hint: "The request came from an IP address that is not on the merchant's allow list.",
    retry: 'never',
  },
  RATE_LIMITED: {
    status: 429,
    message: 'Too many requests',
    hint: 'The headers RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset describe the limit; Retry-After says when to retry.',
    retry: 'later',
  },
  SIGNATURE_INVALID: {
    status: 401,
    message: 'The signature does not match the message',
    hint: 'See the bank connector protocol for how a message is signed.',
    retry: 'never',
    oauth: 'unauthorized',
  },

  // collections
  DUPLICATE_PAYMENT_REFERENCE: {
    status: 422,
    message: 'Duplicate payment reference',
    hint: 'Use a new paymentReference for each transaction. To retry a request safely, send an Idempotency-Key.',
    retry: 'never',
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
    hint: 'Use a bankCode from the list of banks.',
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

  // cards
  CARD_NUMBER_INVALID: {
    status: 400,
    message: 'Invalid card number',
    hint: 'A card number has 12 to 19 digits and a valid check digit.',
    retry: 'never',
  },
  CARD_EXPIRED: {
    status: 400,
    message: 'The card has expired',
    hint: 'expiryMonth and expiryYear are in the past.',
    retry: 'never',
  },
  CHARGE_UNDER_WAY: {
    status: 422,
    message: 'Payment already exists: a charge for this transaction is in progress',
    hint: 'The card issuer has not responded yet. Check the status of the transaction.',
    retry: 'never',
  },
  CARD_ATTEMPTS_SPENT: {
    status: 400,
    message: 'Too many card attempts for this transaction',
    hint: 'The limit is five charges or six wrong codes. The transaction is now FAILED: initialise a new one. An invoice stays open and can be paid by bank transfer.',
    retry: 'never',
  },
  CARD_TRIED_TOO_OFTEN: {
    status: 400,
    message: 'Too many attempts with this card or from this address',
    hint: 'Unsuccessful attempts count for one hour. Use another card, or try again later.',
    retry: 'later',
  },
  CARD_PAYMENT_NOT_FOUND: {
    status: 422,
    message: 'No Card Payment found for this transaction.',
    hint: 'tokenId must be the otpData.id of a charge of this transaction that is still awaiting its OTP.',
    retry: 'never',
  },
  OTP_WRONG: {
    status: 400,
    message: 'Wrong OTP; {left} tries left',
    hint: 'Ask the customer for the code in the latest message from the bank.',
    retry: 'never',
  },
  OTP_TRIES_SPENT: {
    status: 400,
    message: 'Wrong OTP; no tries left',
    hint: 'The issuer declined the charge. Initialise a new transaction.',
    retry: 'never',
  },
  OTP_EXPIRED: {
    status: 422,
    message: 'The OTP has expired',
    hint: 'Charge the card again while the transaction is open; the issuer sends a new code.',
    retry: 'never',
  },
  API_KEY_FOREIGN: {
    status: 422,
    message: 'Invalid API key supplied',
    hint: 'apiKey must belong to the merchant that the access token was issued to.',
    retry: 'never',
  },
  CARD_TOKEN_INVALID: {
    status: 400,
    message: 'Invalid card token',
    hint: 'Use the cardDetails.cardToken of one of your own card payments.',
    retry: 'never',
  },
  CARD_TOKEN_EXPIRED: {
    status: 400,
    message: 'Card token has expired.',
    hint: 'The stored card has expired. Ask the customer to pay once with the new card.',
    retry: 'never',
  },
  CARD_TOKEN_EMAIL_DIFFERS: {
    status: 400,
    message: 'The card token belongs to another customerEmail',
    hint: 'customerEmail must be the one used when the card was first charged.',
    retry: 'never',
  },

  // money that does not fit
  TOLERANCE_TOO_LARGE: {
    status: 422,
    message: 'The tolerance must not exceed 1,000.00',
    hint: 'A tolerance is meant for rounding and for charges deducted by a bank. For larger differences, set `less` and `more`.',
    retry: 'never',
  },

  // Idempotency-Key
  IDEMPOTENCY_KEY_INVALID: {
    status: 400,
    message: 'The Idempotency-Key header must have 1 to 255 printable characters',
    hint: 'Use a UUID, for example.',
    retry: 'never',
  },
  IDEMPOTENCY_IN_FLIGHT: {
    status: 409,
    message: 'A request with this Idempotency-Key is still in progress',
    hint: 'Retry in a moment; the stored response will be replayed.',
    retry: 'later',
  },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    message: 'This Idempotency-Key was used for a different request; it differs in: {fields}',
    hint: 'Send the original request unchanged, or use a new key.',
    retry: 'never',
  },
  IDEMPOTENCY_KEY_UNKNOWN: {
    status: 404,
    message: 'No request found for this Idempotency-Key',
    hint: 'Keys are kept for 30 days.',
    retry: 'never',
  },

  // the bank connector
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
  CREDIT_UNKNOWN: {
    status: 404,
    message: 'No such credit',
    hint: 'No credit was reported with this sessionId for this account. Report the credit first, or retry later.',
    retry: 'later',
  },

  // the sandbox
  CLOCK_BACKWARDS: {
    status: 400,
    message: 'The clock can only move forward',
    hint: 'Send {"seconds": n} with n of 0 or more, or {"to": "<ISO time>"} with a time later than the clock.',
    retry: 'never',
  },

  // money and states
  INSUFFICIENT_FUNDS: {
    status: 400,
    responseCode: 'D04',
    message: 'You do not have sufficient balance to process this request. Please fund your account and try again.',
    hint: 'The wallet must cover the amount and the fee.',
    retry: 'later',
  },
  WRONG_STATE: {
    status: 409,
    message: 'The current state does not allow this action',
    hint: 'The state has changed. Fetch the object again.',
    retry: 'never',
  },

  ...WEBHOOK_ERRORS,
  ...DISBURSEMENT_ERRORS,
  ...RESERVED_ACCOUNT_ERRORS,
  ...INVOICE_ERRORS,
  ...REFUND_ERRORS,
  ...DIRECT_DEBIT_ERRORS,
  ...SETTLEMENT_ERRORS,

  // us
  UNAVAILABLE: {
    status: 503,
    message: 'The service is temporarily unavailable',
    hint: 'The outcome is unknown. Check the status by the same reference, then retry.',
    retry: 'later',
  },
  INTERNAL: {
    status: 500,
    message: 'Something went wrong on our side',
    hint: 'Quote the requestId to support. Check the status by the same reference before you retry.',
    retry: 'later',
  },
} as const satisfies Record<string, ErrorSpec>

export type ErrorCode = keyof typeof ERRORS
export const errorSpec = (code: ErrorCode): ErrorSpec => ERRORS[code]
/** The status a route answers a code with; some routes list no 422 and answer 400 in its place. */
export const statusOf = (code: ErrorCode, status422As?: 400): number => {
  const { status } = errorSpec(code)
  return status === 422 ? (status422As ?? status) : status
}
