// How mandates and the debits on them can be refused.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const DIRECT_DEBIT_ERRORS = {
  MANDATE_REFERENCE_USED: {
    status: 422,
    message: 'Mandate with provided mandate reference already exist',
    hint: 'Use a new mandateReference for each mandate. Look up the existing mandate by this reference.',
    retry: 'never',
    isThere: true,
  },
  MANDATE_START_PAST: {
    status: 422,
    message: 'Mandate start date cannot be in the past',
    hint: 'Dates without an offset are in West Africa Time.',
    retry: 'never',
  },
  MANDATE_END_EARLY: {
    status: 422,
    message: 'Mandate end date must be after its start date',
    hint: 'A mandate with autoRenew must run for at least one day.',
    retry: 'never',
  },
  MANDATE_ACCOUNT_INVALID: {
    status: 422,
    message: 'Unable to validate account information',
    hint: "The bank has no such account. Check the customer's account number and bank code.",
    retry: 'never',
  },
  MANDATE_NAME_MISMATCH: {
    status: 422,
    message: 'customerAccountName is {given}, but the bank has the name {held} for this account',
    hint: 'Names are compared as for single transfers. Correct the name or the account, or omit customerAccountName.',
    retry: 'never',
  },
  MANDATE_BANK_UNKNOWN: {
    status: 422,
    message: 'Unable to find bank against customerAccountBankCode',
    hint: 'Use a code from the list of banks.',
    retry: 'never',
  },
  MANDATE_NOT_FOUND: {
    status: 404,
    message: 'Mandate not found',
    hint: 'Check the mandate code. In a path, its vertical bar may be written | or %7C.',
    retry: 'never',
  },
  MANDATE_ENDED: {
    status: 422,
    message: 'Mandate is {state}',
    hint: 'The mandate has ended and can no longer be changed.',
    retry: 'never',
  },
  MANDATE_NOT_ACTIVE: {
    status: 422,
    message: 'Mandate is not active: {state}',
    hint: 'Debits are possible from authorisation until the end date. INITIATED: the customer has not authorised the mandate yet.',
    retry: 'never',
  },
  MANDATE_NOT_STARTED: {
    status: 422,
    message: 'Mandate has not started yet',
    hint: 'Debits are possible from the start date on.',
    retry: 'later',
  },
  DEBIT_AMOUNT_FIXED: {
    status: 422,
    message: 'The mandate allows debits of {amount} only',
    hint: 'With a fixed debitAmount, every debit must be for exactly that amount.',
    retry: 'never',
  },
  MANDATE_AMOUNT_SPENT: {
    status: 422,
    message: 'The debit exceeds what is left of the mandate amount: {left}',
    hint: 'mandateAmount limits the total of all debits of the mandate. Pending debits count; failed ones do not.',
    retry: 'never',
  },
  DEBIT_NOT_FOUND: {
    status: 404,
    message: 'There is no debit with this payment reference',
    hint: 'Use the paymentReference of an accepted debit.',
    retry: 'never',
  },
  MANDATE_UNKNOWN: {
    status: 404,
    message: 'There is no such mandate',
    hint: 'This gateway never requested a mandate with this code.',
    retry: 'never',
  },
  DEBIT_UNKNOWN: {
    status: 404,
    message: 'There is no debit with this session',
    hint: 'This gateway never issued this sessionId.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
