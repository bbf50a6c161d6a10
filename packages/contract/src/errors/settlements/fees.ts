// How a new fee or limit can be refused, and what a limit refuses.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const FEE_ERRORS = {
  FEE_BEARER: {
    status: 422,
    message: 'Only the merchant can bear this fee',
    hint: 'Leave bearer out or give MERCHANT. A customer can bear the fee of ANY, ACCOUNT_TRANSFER, USSD and CARD: of what a payer chooses and sees the fee of.',
    retry: 'never',
  },
  FEE_DATE: {
    status: 422,
    message: 'Field validFrom must be a day or an instant that is not in the past',
    hint: 'Give a day (2026-11-23), an instant with its offset, or nothing for at once. What was paid already keeps its fee.',
    retry: 'never',
  },
  FEE_DATE_TAKEN: {
    status: 409,
    message: 'A fee schedule of this method begins at that instant already',
    hint: 'Schedules are never edited. Give another instant.',
    retry: 'never',
  },
  LIMIT_WRONG: {
    status: 422,
    message: 'The limit of a day must not be below that of a payment, and payouts need both',
    hint: 'Give amounts above zero. For payouts perPayment and perDay are required.',
    retry: 'never',
  },
  PAYMENT_LIMIT: {
    status: 400,
    message: 'Amount must not be more than {limit}',
    hint: 'The operator limits what you collect in one payment. Ask for less, or ask the operator to raise the limit.',
    retry: 'never',
  },
  PAYMENT_DAY_LIMIT: {
    status: 400,
    message: 'Amount must not be more than {left} today',
    hint: 'The operator limits what you ask for in a day of West Africa Time. What is paid or can still be paid counts; what expires does not.',
    retry: 'later',
  },
} as const satisfies Record<string, ErrorSpec>
