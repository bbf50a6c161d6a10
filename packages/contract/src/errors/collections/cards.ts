// How charging a card can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const CARD_ERRORS = {
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
} as const satisfies Record<string, ErrorSpec>
