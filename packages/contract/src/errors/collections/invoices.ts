// How creating and cancelling an invoice can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const INVOICE_ERRORS = {
  INVOICE_NOT_FOUND: {
    status: 404,
    message: 'Cannot find invoice',
    hint: 'The reference is unknown, or belongs to another merchant.',
    retry: 'never',
  },
  INVOICE_REFERENCE_TAKEN: {
    status: 422,
    message: 'Invoice with this reference already exists.',
    hint: 'Use a new invoiceReference for each invoice. To retry a request safely, send an Idempotency-Key.',
    retry: 'never',
    isThere: true,
  },
  INVOICE_EXPIRY_MALFORMED: {
    status: 400,
    message: 'Invalid invoice expiry date format',
    hint: 'Use the format 2026-05-31 18:00:00 for expiryDate, in West Africa Time.',
    retry: 'never',
  },
  INVOICE_EXPIRY_INVALID: {
    status: 422,
    message: 'Invalid invoice expiry date.',
    hint: 'The expiryDate must be in the future and at most 183 days ahead.',
    retry: 'never',
  },
  INVOICE_NOT_PENDING: {
    status: 422,
    message: 'Invoice cannot be cancelled: it is {state}',
    hint: 'Only an invoice that is awaiting payment can be cancelled.',
    retry: 'never',
  },
  INVOICE_CARD_UNDER_WAY: {
    status: 422,
    message: 'Invoice cannot be cancelled now: a card payment is in progress',
    hint: 'The card issuer has not responded yet. Check the invoice again in a minute.',
    retry: 'later',
  },
  INVOICE_ACCOUNT_UNKNOWN: {
    status: 422,
    message: 'Cannot find reserved account',
    hint: 'The accountReference is unknown, was deallocated, or belongs to another merchant.',
    retry: 'never',
  },
  INVOICE_ACCOUNT_TYPE: {
    status: 422,
    message: 'The reserved account is not of INVOICE type',
    hint: 'A GENERAL account receives payments without an invoice. Reserve an account of INVOICE type for invoices.',
    retry: 'never',
  },
  INVOICE_ACCOUNT_TAKEN: {
    status: 422,
    message: 'The reserved account is attached to an invoice that is still open',
    hint: 'Wait until that invoice is paid, cancelled or expired, or use another account.',
    retry: 'never',
    isThere: true,
  },
  INVOICE_TOTAL_WRONG: {
    status: 422,
    message: 'The line items and vatAmount add up to {sum}, not to the amount of {amount}',
    hint: 'Each line is quantity × unitAmount, rounded to the kobo. Their sum and vatAmount must equal amount.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
