// Every feature of the gateway. A new one is added by one line here.
import type { Feature } from '#core/feature.ts'
import { approvals } from '#features/approvals/approvals.feature.ts'
import { auth } from '#features/auth/auth.feature.ts'
import { bankNumbers } from '#features/bank-numbers/bank-numbers.feature.ts'
import { bankOrders } from '#features/bank-orders/bank-orders.feature.ts'
import { banks } from '#features/banks/banks.feature.ts'
import { bills } from '#features/bills/bills.feature.ts'
import { board } from '#features/board/board.feature.ts'
import { books } from '#features/books/books.feature.ts'
import { branding } from '#features/branding/branding.feature.ts'
import { cards } from '#features/cards/cards.feature.ts'
import { checkout } from '#features/checkout/checkout.feature.ts'
import { collections } from '#features/collections/collections.feature.ts'
import { connectorRoutes } from '#features/connector-routes/connector-routes.feature.ts'
import { corrections } from '#features/corrections/corrections.feature.ts'
import { customerWallets } from '#features/customer-wallets/customer-wallets.feature.ts'
import { customers } from '#features/customers/customers.feature.ts'
import { dashboard } from '#features/dashboard/dashboard.feature.ts'
import { directDebit } from '#features/direct-debit/direct-debit.feature.ts'
import { disbursementSettings } from '#features/disbursement-settings/disbursement-settings.feature.ts'
import { disbursements } from '#features/disbursements/disbursements.feature.ts'
import { disputes } from '#features/disputes/disputes.feature.ts'
import { events } from '#features/events/events.feature.ts'
import { paymentExports } from '#features/exports/exports.feature.ts'
import { fees } from '#features/fees/fees.feature.ts'
import { figures } from '#features/figures/figures.feature.ts'
import { finding } from '#features/finding/finding.feature.ts'
import { heldMoney } from '#features/held-money/held-money.feature.ts'
import { hints } from '#features/hints/hints.feature.ts'
import { home } from '#features/home/home.feature.ts'
import { houseBookings } from '#features/house-bookings/house-bookings.feature.ts'
import { idempotency } from '#features/idempotency/idempotency.feature.ts'
import { invoices } from '#features/invoices/invoices.feature.ts'
import { keys } from '#features/keys/keys.feature.ts'
import { limitProfiles } from '#features/limit-profiles/limit-profiles.feature.ts'
import { limits } from '#features/limits/limits.feature.ts'
import { mails } from '#features/mails/mails.feature.ts'
import { merchants } from '#features/merchants/merchants.feature.ts'
import { ownWallet } from '#features/own-wallet/own-wallet.feature.ts'
import { paycodes } from '#features/paycodes/paycodes.feature.ts'
import { paymentLinks } from '#features/payment-links/payment-links.feature.ts'
import { paymentPolicy } from '#features/payment-policy/payment-policy.feature.ts'
import { payments } from '#features/payments/payments.feature.ts'
import { people } from '#features/people/people.feature.ts'
import { placement } from '#features/placement/placement.feature.ts'
import { receipts } from '#features/receipts/receipts.feature.ts'
import { receivables } from '#features/receivables/receivables.feature.ts'
import { reconciliation } from '#features/reconciliation/reconciliation.feature.ts'
import { reference } from '#features/reference/reference.feature.ts'
import { refunds } from '#features/refunds/refunds.feature.ts'
import { requestLog } from '#features/request-log/request-log.feature.ts'
import { reservedAccounts } from '#features/reserved-accounts/reserved-accounts.feature.ts'
import { sandbox } from '#features/sandbox/sandbox.feature.ts'
import { savedViews } from '#features/saved-views/saved-views.feature.ts'
import { settlements } from '#features/settlements/settlements.feature.ts'
import { subAccounts } from '#features/sub-accounts/sub-accounts.feature.ts'
import { transactions } from '#features/transactions/transactions.feature.ts'
import { ussd } from '#features/ussd/ussd.feature.ts'
import { verification } from '#features/verification/verification.feature.ts'
import { viewing } from '#features/viewing/viewing.feature.ts'
import { wallets } from '#features/wallets/wallets.feature.ts'
import { webhooks } from '#features/webhooks/webhooks.feature.ts'
import { work } from '#features/work/work.feature.ts'

/** In the order in which their routes are made and their housekeeping is done. */
export const FEATURES: readonly Feature[] = [
  auth,
  placement,
  merchants,
  keys,
  transactions,
  banks,
  ussd,
  paymentPolicy,
  collections,
  heldMoney,
  cards,
  disputes,
  subAccounts,
  wallets,
  ownWallet,
  customerWallets,
  disbursements,
  disbursementSettings,
  connectorRoutes,
  bankNumbers,
  refunds,
  payments,
  bankOrders,
  limitProfiles,
  bills,
  paycodes,
  reservedAccounts,
  directDebit,
  webhooks,
  events,
  houseBookings,
  idempotency,
  requestLog,
  settlements,
  receivables,
  reference,
  dashboard,
  sandbox,
  invoices,
  paymentLinks,
  customers,
  checkout,
  branding,
  mails,
  receipts,
  reconciliation,
  corrections,
  work,
  verification,
  fees,
  limits,
  people,
  approvals,
  books,
  board,
  figures,
  finding,
  home,
  paymentExports,
  savedViews,
  hints,
  viewing,
]
