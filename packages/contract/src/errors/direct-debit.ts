// How mandates and the debits on them can be refused.
import type { ErrorSpec } from './error-spec.ts'

export const DEBIT_ERRORS = {
  MANDATE_REFERENCE_USED: {
    status: 422,
    message: 'Mandate with provided mandate reference already exist',
    hint: 'A mandateReference is used once. Read the mandate that has it.',
    retry: 'never',
  },
  MANDATE_START_PAST: {
    status: 422,
    message: 'Mandate start date cannot be in the past',
    hint: 'Dates without an offset are West Africa Time.',
    retry: 'never',
  },
  MANDATE_END_EARLY: {
    status: 422,
    message: 'Mandate end date must be after its start date',
    hint: 'The window of a mandate that renews itself lasts a day at least.',
    retry: 'never',
  },
  MANDATE_ACCOUNT_INVALID: {
    status: 422,
    message: 'Unable to validate account information',
    hint: "The bank knows no such account. Check the customer's account number and bank code.",
    retry: 'never',
  },
  MANDATE_NAME_MISMATCH: {
    status: 422,
    message: 'customerAccountName is {given}, but the bank holds the name {held} for this account',
    hint: 'Names are compared as for single transfers. Correct the name or the account, or leave customerAccountName out.',
    retry: 'never',
  },
  MANDATE_BANK_UNKNOWN: {
    status: 422,
    message: 'Unable to find bank against customerAccountBankCode',
    hint: 'Use a code of the list of banks.',
    retry: 'never',
  },
  MANDATE_NOT_FOUND: {
    status: 404,
    message: 'Mandate not found',
    hint: 'Check the mandate code; in a path its bar is written | or %7C.',
    retry: 'never',
  },
  MANDATE_ENDED: {
    status: 422,
    message: 'Mandate is {state}',
    hint: 'It is over, and nothing can be changed about it.',
    retry: 'never',
  },
  MANDATE_NOT_ACTIVE: {
    status: 422,
    message: 'Mandate is not active: {state}',
    hint: 'Debits are taken between authorisation and end. INITIATED: the customer has not authorised it yet.',
    retry: 'never',
  },
  MANDATE_NOT_STARTED: {
    status: 422,
    message: 'Mandate has not started yet',
    hint: 'Debits are taken from its start date on.',
    retry: 'later',
  },
  DEBIT_AMOUNT_FIXED: {
    status: 422,
    message: 'The mandate allows debits of {amount} only',
    hint: 'Every debit of a mandate with a fixed debitAmount is of exactly that.',
    retry: 'never',
  },
  MANDATE_AMOUNT_SPENT: {
    status: 422,
    message: 'The debit is more than the mandate has left: {left}',
    hint: 'mandateAmount is the most that all debits of the mandate may come to. Those under way count; those that fail do not.',
    retry: 'never',
  },
  DEBIT_NOT_FOUND: {
    status: 404,
    message: 'There is no debit with this payment reference',
    hint: 'Use the paymentReference of a debit request that was accepted.',
    retry: 'never',
  },
  MANDATE_UNKNOWN: {
    status: 404,
    message: 'There is no such mandate',
    hint: 'The scheme names a mandate that this gateway never asked for.',
    retry: 'never',
  },
  DEBIT_UNKNOWN: {
    status: 404,
    message: 'There is no debit with this session',
    hint: 'The bank names a session that this gateway never drew.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
