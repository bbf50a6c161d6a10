// Every way a request can be refused: one table, read by the server, the reference page and the tests. Each
// part of it has a file below this folder; the reference lists the codes in this order.
// `retry` tells a client what to do: never (change the request), later (the same request again, after a
// pause).
import { ACT_ERRORS } from './access/acts.ts'
import { API_KEY_ERRORS } from './access/api-keys.ts'
import { AUTH_ERRORS } from './access/auth.ts'
import { IDEMPOTENCY_ERRORS } from './access/idempotency.ts'
import { MERCHANT_ERRORS } from './access/merchants.ts'
import { PASSKEY_ERRORS } from './access/passkeys.ts'
import { PEOPLE_ERRORS } from './access/people.ts'
import { REQUEST_ERRORS } from './access/requests.ts'
import { SECRET_KEY_ERRORS } from './access/secret-keys.ts'
import { BANK_CONNECTOR_ERRORS } from './bank/bank-connector.ts'
import { CARD_ERRORS } from './collections/cards.ts'
import { DIRECT_DEBIT_ERRORS } from './collections/direct-debit.ts'
import { IN_PAGE_ERRORS } from './collections/in-page.ts'
import { INVOICE_ERRORS } from './collections/invoices.ts'
import { LIMIT_PROFILE_ERRORS } from './collections/limit-profiles.ts'
import { PAYMENT_LINK_ERRORS } from './collections/payment-links.ts'
import { PAYMENT_POLICY_ERRORS } from './collections/payment-policy.ts'
import { RESERVED_ACCOUNT_ERRORS } from './collections/reserved-accounts.ts'
import { TRANSACTION_ERRORS } from './collections/transactions.ts'
import { VERIFICATION_ERRORS } from './collections/verification.ts'
import { WEBHOOK_ERRORS } from './events/webhooks.ts'
import type { ErrorSpec } from './kit/error-spec.ts'
import { MOVE_ERRORS } from './moves.ts'
import { OPERATION_ERRORS } from './operations.ts'
import { BILL_ERRORS } from './payouts/bills.ts'
import { DISBURSEMENT_ERRORS } from './payouts/disbursements.ts'
import { PAYCODE_ERRORS } from './payouts/paycodes.ts'
import { REFUND_ERRORS } from './payouts/refunds.ts'
import { CUSTOMER_ERRORS } from './screens/customers.ts'
import { SANDBOX_ERRORS } from './screens/sandbox.ts'
import { SCREEN_ERRORS } from './screens/screens.ts'
import { SERVICE_ERRORS } from './service.ts'
import { FEE_ERRORS } from './settlements/fees.ts'
import { SETTLEMENT_ERRORS } from './settlements/settlements.ts'
import { WALLET_ERRORS } from './wallets/wallets.ts'

export type { ErrorSpec } from './kit/error-spec.ts'

export const ERRORS = {
  ...REQUEST_ERRORS,
  ...AUTH_ERRORS,
  ...MERCHANT_ERRORS,
  ...API_KEY_ERRORS,
  ...TRANSACTION_ERRORS,
  ...CARD_ERRORS,
  ...PAYMENT_POLICY_ERRORS,
  ...IDEMPOTENCY_ERRORS,
  ...BANK_CONNECTOR_ERRORS,
  ...SANDBOX_ERRORS,
  ...MOVE_ERRORS,
  ...WEBHOOK_ERRORS,
  ...SECRET_KEY_ERRORS,
  ...PEOPLE_ERRORS,
  ...SCREEN_ERRORS,
  ...PASSKEY_ERRORS,
  ...DISBURSEMENT_ERRORS,
  ...WALLET_ERRORS,
  ...RESERVED_ACCOUNT_ERRORS,
  ...LIMIT_PROFILE_ERRORS,
  ...INVOICE_ERRORS,
  ...PAYMENT_LINK_ERRORS,
  ...IN_PAGE_ERRORS,
  ...CUSTOMER_ERRORS,
  ...REFUND_ERRORS,
  ...PAYCODE_ERRORS,
  ...DIRECT_DEBIT_ERRORS,
  ...SETTLEMENT_ERRORS,
  ...FEE_ERRORS,
  ...VERIFICATION_ERRORS,
  ...BILL_ERRORS,
  ...OPERATION_ERRORS,
  ...ACT_ERRORS,
  ...SERVICE_ERRORS,
} as const satisfies Record<string, ErrorSpec>

export type ErrorCode = keyof typeof ERRORS
export const errorSpec = (code: ErrorCode): ErrorSpec => ERRORS[code]
/** The status a route answers a code with; some routes list no 422 and answer 400 in its place. */
export const httpStatus = (code: ErrorCode, status422As?: 400): number => {
  const { status } = errorSpec(code)
  return status === 422 ? (status422As ?? status) : status
}
