// Every way a request can be refused: one table, read by the server, the reference page and the tests.
// `retry` tells a client what to do: never (change the request), later (the same request again, after a pause).
import { DEBIT_ERRORS } from './direct-debit.ts'
import { TRANSFER_ERRORS } from './disbursements.ts'
import type { ErrorSpec } from './error-spec.ts'
import { INVOICE_ERRORS } from './invoices.ts'
import { REFUND_ERRORS } from './refunds.ts'
import { REQUEST_ERRORS } from './requests.ts'
import { RESERVED_ERRORS } from './reserved-accounts.ts'
import { SETTLEMENT_ERRORS } from './settlements.ts'
import { NOTIFICATION_ERRORS } from './webhooks.ts'

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
    hint: 'API key and secret key must belong together and to this environment.',
    retry: 'never',
    oauth: 'unauthorized',
  },
  TOKEN_MISSING: {
    status: 401,
    message: 'Full authentication is required to access this resource',
    hint: 'Send Authorization: Bearer with the accessToken of a login.',
    retry: 'never',
    oauth: 'unauthorized',
  },
  TOKEN_INVALID: {
    status: 401,
    message: 'Cannot convert access token to JSON',
    hint: 'The token was not issued here, was changed, or its key was revoked. Log in again.',
    retry: 'never',
    oauth: 'invalid_token',
  },
  TOKEN_EXPIRED: {
    status: 401,
    message: 'Access token expired',
    hint: 'Tokens last an hour. Log in again.',
    retry: 'never',
    oauth: 'invalid_token',
  },
  ADDRESS_NOT_ALLOWED: {
    status: 403,
    message: 'Could not Authorize merchant',
    hint: "The call came from an address that is not on the merchant's list of allowed addresses.",
    retry: 'never',
  },
  RATE_LIMITED: {
    status: 429,
    message: 'Too many requests',
    hint: 'The headers RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset tell the limit; Retry-After tells when to go on.',
    retry: 'later',
  },
  SIGNATURE_INVALID: {
    status: 401,
    message: 'The signature does not match the message',
    hint: 'See the bank connector protocol for what is signed.',
    retry: 'never',
    oauth: 'unauthorized',
  },

  // collections
  DUPLICATE_PAYMENT_REFERENCE: {
    status: 422,
    message: 'Duplicate payment reference',
    hint: 'Each transaction needs a paymentReference of its own. To repeat a request safely, send Idempotency-Key.',
    retry: 'never',
  },
  CONTRACT_UNKNOWN: {
    status: 422,
    message: 'Could not find specified contract',
    hint: "contractCode must be one of the merchant's own contracts.",
    retry: 'never',
  },
  CURRENCY_UNKNOWN: {
    status: 422,
    message: 'Unknown currency code supplied',
    hint: 'NGN is the only currency.',
    retry: 'never',
  },
  SUB_ACCOUNT_UNKNOWN: {
    status: 422,
    message: 'Unknown sub account code {code}.',
    hint: "The code must be that of one of the merchant's own sub accounts; deleted ones do not count.",
    retry: 'never',
  },
  SPLIT_INVALID: {
    status: 422,
    message: 'The income split is not possible: {why}',
    hint: 'At most five sub accounts, each once, with splitPercentage or splitAmount; together no more than the amount.',
    retry: 'never',
  },
  BANK_ACCOUNT_UNKNOWN: {
    status: 422,
    message: 'Account number {accountNumber} could not be validated at that bank',
    hint: 'The bank knows no account with this number. Check accountNumber and bankCode.',
    retry: 'never',
  },
  METHODS_NOT_OFFERED: {
    status: 422,
    message: 'paymentMethods must name CARD, ACCOUNT_TRANSFER or USSD',
    hint: 'Nobody could pay by the methods that were given. Leave the list empty to offer all.',
    retry: 'never',
  },
  BANK_UNKNOWN: {
    status: 422,
    message: 'could not find specified bank',
    hint: 'bankCode must be the code of a bank in the list of banks.',
    retry: 'never',
  },
  TRANSACTION_REFERENCE_INVALID: {
    status: 422,
    message: 'Invalid transaction reference supplied',
    hint: 'Use the transactionReference that init-transaction answered.',
    retry: 'never',
  },
  TRANSACTION_CLOSED: {
    status: 422,
    message: 'The transaction no longer takes payments: it is {state}',
    hint: 'Initialise a new transaction.',
    retry: 'never',
  },
  METHOD_NOT_ENABLED: {
    status: 422,
    message: 'The transaction does not take payments by {method}',
    hint: 'Name the method in paymentMethods when initialising, or leave paymentMethods out.',
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
    hint: 'Digits only, 12 to 19 of them, with a right check digit.',
    retry: 'never',
  },
  CARD_EXPIRED: {
    status: 400,
    message: 'The card has expired',
    hint: 'expiryMonth and expiryYear lie in the past.',
    retry: 'never',
  },
  CHARGE_UNDER_WAY: {
    status: 422,
    message: 'Payment already exists: a charge of this transaction is under way',
    hint: 'Ask for the status of the transaction; the issuer has not answered yet.',
    retry: 'never',
  },
  CARD_ATTEMPTS_SPENT: {
    status: 400,
    message: 'Too many attempts with a card for this transaction',
    hint: 'Five charges or six wrong codes are the limit, and the transaction is FAILED: initialise a new one. An invoice stays open and can be paid by transfer.',
    retry: 'never',
  },
  CARD_TRIED_TOO_OFTEN: {
    status: 400,
    message: 'Too many attempts with this card or from this address',
    hint: 'Attempts that did not end with a payment are counted for an hour. Use another card, or wait.',
    retry: 'later',
  },
  CARD_PAYMENT_NOT_FOUND: {
    status: 422,
    message: 'No Card Payment found for this transaction.',
    hint: 'tokenId must be otpData.id of a charge of this transaction that still waits for its OTP.',
    retry: 'never',
  },
  OTP_WRONG: {
    status: 400,
    message: 'Wrong OTP; {left} tries left',
    hint: 'Ask the customer for the code of the latest message of the bank.',
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
    hint: 'apiKey must be that of the merchant whose access token was sent.',
    retry: 'never',
  },
  CARD_TOKEN_INVALID: {
    status: 400,
    message: 'Invalid card token',
    hint: 'Use cardDetails.cardToken of a card payment of your own.',
    retry: 'never',
  },
  CARD_TOKEN_EXPIRED: {
    status: 400,
    message: 'Card token has expired.',
    hint: 'The card behind the token has expired. Ask the customer to pay once with the new card.',
    retry: 'never',
  },
  CARD_TOKEN_EMAIL_DIFFERS: {
    status: 400,
    message: 'The card token belongs to another customerEmail',
    hint: 'customerEmail must be that of the first charge of the card.',
    retry: 'never',
  },

  // money that does not fit
  TOLERANCE_TOO_LARGE: {
    status: 422,
    message: 'The tolerance must not be more than 1,000.00',
    hint: 'A tolerance is for the odd kobo and for fees a bank took off; for more, choose what is done with less and more.',
    retry: 'never',
  },

  // Idempotency-Key
  IDEMPOTENCY_KEY_INVALID: {
    status: 400,
    message: 'The header Idempotency-Key must hold 1 to 255 printable characters',
    hint: 'A UUID is a good key.',
    retry: 'never',
  },
  IDEMPOTENCY_IN_FLIGHT: {
    status: 409,
    message: 'A request with this Idempotency-Key is still being worked on',
    hint: 'Ask again in a moment; the finished answer will be replayed.',
    retry: 'later',
  },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    message: 'This Idempotency-Key was used for a different request; it differs in: {fields}',
    hint: 'Repeat the first request unchanged, or use a new key.',
    retry: 'never',
  },
  IDEMPOTENCY_KEY_UNKNOWN: {
    status: 404,
    message: 'No request with this Idempotency-Key is known',
    hint: 'Keys are kept for 30 days.',
    retry: 'never',
  },

  // the bank connector
  ACCOUNT_UNKNOWN: {
    status: 404,
    message: 'No such account',
    hint: 'The number was never given out at that bank.',
    retry: 'never',
  },
  PAYOUT_UNKNOWN: {
    status: 404,
    message: 'No such payout',
    hint: 'No payout was ever ordered under this sessionId.',
    retry: 'never',
  },
  CREDIT_UNKNOWN: {
    status: 404,
    message: 'No such credit',
    hint: 'No credit was ever reported under this sessionId for this account. Report the credit, or repeat this later.',
    retry: 'later',
  },

  // the sandbox
  CLOCK_BACKWARDS: {
    status: 400,
    message: 'The clock moves forward only',
    hint: 'Send {"seconds": n} with n of 0 or more, or {"to": "<ISO time>"} ahead of the clock.',
    retry: 'never',
  },

  // money and states
  INSUFFICIENT_FUNDS: {
    status: 400,
    responseCode: 'D04',
    message: 'You do not have sufficient balance to process this request. Please fund your account and try again.',
    hint: 'The wallet must cover amount and fee.',
    retry: 'later',
  },
  WRONG_STATE: {
    status: 409,
    message: 'The state of the object does not allow this',
    hint: 'Read the object again; its state has changed.',
    retry: 'never',
  },

  ...NOTIFICATION_ERRORS,
  ...TRANSFER_ERRORS,
  ...RESERVED_ERRORS,
  ...INVOICE_ERRORS,
  ...REFUND_ERRORS,
  ...DEBIT_ERRORS,
  ...SETTLEMENT_ERRORS,

  // us
  UNAVAILABLE: {
    status: 503,
    message: 'The service cannot answer at the moment',
    hint: 'Nothing is known to have happened. Ask for the status under the same reference, then repeat.',
    retry: 'later',
  },
  INTERNAL: {
    status: 500,
    message: 'Something went wrong on our side',
    hint: 'Quote requestId to support. Ask for the status under the same reference before repeating.',
    retry: 'later',
  },
} as const satisfies Record<string, ErrorSpec>

export type ErrorCode = keyof typeof ERRORS
export const errorSpec = (code: ErrorCode): ErrorSpec => ERRORS[code]
/** The status a route answers a code with; some routes list no 422 and answer 400 in its place. */
export const statusOf = (code: ErrorCode, unprocessable?: 400): number => {
  const { status } = errorSpec(code)
  return status === 422 ? (unprocessable ?? status) : status
}
