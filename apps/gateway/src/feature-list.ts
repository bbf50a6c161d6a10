// Every feature of the gateway, by room, from the ground up. A new one is added by one line here.
import type { Feature } from '#core/feature.ts'
import { approvals } from '#features/access/approvals/approvals.feature.ts'
import { auth } from '#features/access/auth/auth.feature.ts'
import { idempotency } from '#features/access/idempotency/idempotency.feature.ts'
import { keys } from '#features/access/keys/keys.feature.ts'
import { limits } from '#features/access/limits/limits.feature.ts'
import { merchants } from '#features/access/merchants/merchants.feature.ts'
import { people } from '#features/access/people/people.feature.ts'
import { placement } from '#features/access/placement/placement.feature.ts'
import { requestLog } from '#features/access/request-log/request-log.feature.ts'
import { securityEvents } from '#features/access/security-events/security-events.feature.ts'
import { trailSigning } from '#features/access/trail-signing/trail-signing.feature.ts'
import { bankNumbers } from '#features/bank/bank-numbers/bank-numbers.feature.ts'
import { bankOrders } from '#features/bank/bank-orders/bank-orders.feature.ts'
import { banks } from '#features/bank/banks/banks.feature.ts'
import { breaks } from '#features/bank/breaks/breaks.feature.ts'
import { connectorRoutes } from '#features/bank/connector-routes/connector-routes.feature.ts'
import { cards } from '#features/collections/cards/cards.feature.ts'
import { checkout } from '#features/collections/checkout/checkout.feature.ts'
import { credits } from '#features/collections/credits/credits.feature.ts'
import { customerWallets } from '#features/collections/customer-wallets/customer-wallets.feature.ts'
import { directDebit } from '#features/collections/direct-debit/direct-debit.feature.ts'
import { disputes } from '#features/collections/disputes/disputes.feature.ts'
import { heldMoney } from '#features/collections/held-money/held-money.feature.ts'
import { inPage } from '#features/collections/in-page/in-page.feature.ts'
import { invoices } from '#features/collections/invoices/invoices.feature.ts'
import { limitProfiles } from '#features/collections/limit-profiles/limit-profiles.feature.ts'
import { paymentLinks } from '#features/collections/payment-links/payment-links.feature.ts'
import { paymentPolicy } from '#features/collections/payment-policy/payment-policy.feature.ts'
import { reservedAccounts } from '#features/collections/reserved-accounts/reserved-accounts.feature.ts'
import { subAccounts } from '#features/collections/sub-accounts/sub-accounts.feature.ts'
import { transactions } from '#features/collections/transactions/transactions.feature.ts'
import { ussd } from '#features/collections/ussd/ussd.feature.ts'
import { verification } from '#features/collections/verification/verification.feature.ts'
import { events } from '#features/events/events/events.feature.ts'
import { hints } from '#features/events/hints/hints.feature.ts'
import { mails } from '#features/events/mails/mails.feature.ts'
import { webhooks } from '#features/events/webhooks/webhooks.feature.ts'
import { bills } from '#features/payouts/bills/bills.feature.ts'
import { disbursements } from '#features/payouts/disbursements/disbursements.feature.ts'
import { ownWallet } from '#features/payouts/own-wallet/own-wallet.feature.ts'
import { paycodes } from '#features/payouts/paycodes/paycodes.feature.ts'
import { refunds } from '#features/payouts/refunds/refunds.feature.ts'
import { board } from '#features/screens/board/board.feature.ts'
import { branding } from '#features/screens/branding/branding.feature.ts'
import { customers } from '#features/screens/customers/customers.feature.ts'
import { dashboard } from '#features/screens/dashboard/dashboard.feature.ts'
import { paymentExports } from '#features/screens/exports/exports.feature.ts'
import { figures } from '#features/screens/figures/figures.feature.ts'
import { finding } from '#features/screens/finding/finding.feature.ts'
import { home } from '#features/screens/home/home.feature.ts'
import { payments } from '#features/screens/payments/payments.feature.ts'
import { persons } from '#features/screens/persons/persons.feature.ts'
import { receipts } from '#features/screens/receipts/receipts.feature.ts'
import { reference } from '#features/screens/reference/reference.feature.ts'
import { sandbox } from '#features/screens/sandbox/sandbox.feature.ts'
import { savedViews } from '#features/screens/saved-views/saved-views.feature.ts'
import { viewing } from '#features/screens/viewing/viewing.feature.ts'
import { work } from '#features/screens/work/work.feature.ts'
import { books } from '#features/settlements/books/books.feature.ts'
import { corrections } from '#features/settlements/corrections/corrections.feature.ts'
import { fees } from '#features/settlements/fees/fees.feature.ts'
import { houseBookings } from '#features/settlements/house-bookings/house-bookings.feature.ts'
import { reconciliation } from '#features/settlements/reconciliation/reconciliation.feature.ts'
import { settlements } from '#features/settlements/settlements/settlements.feature.ts'
import { authorisation } from '#features/wallets/authorisation/authorisation.feature.ts'
import { destinations } from '#features/wallets/destinations/destinations.feature.ts'
import { disbursementSettings } from '#features/wallets/disbursement-settings/disbursement-settings.feature.ts'
import { receivables } from '#features/wallets/receivables/receivables.feature.ts'
import { wallets } from '#features/wallets/wallets/wallets.feature.ts'

/** A feature knows its own room and those above it in this list. */
export const ROOMS = {
  events: [webhooks, events, mails, hints],
  access: [
    auth,
    placement,
    merchants,
    keys,
    idempotency,
    requestLog,
    limits,
    people,
    approvals,
    securityEvents,
    trailSigning,
  ],
  bank: [banks, connectorRoutes, bankNumbers, bankOrders, breaks],
  wallets: [wallets, disbursementSettings, receivables, authorisation, destinations],
  collections: [
    transactions,
    ussd,
    paymentPolicy,
    credits,
    heldMoney,
    cards,
    disputes,
    subAccounts,
    customerWallets,
    limitProfiles,
    reservedAccounts,
    directDebit,
    invoices,
    paymentLinks,
    inPage,
    checkout,
    verification,
  ],
  payouts: [ownWallet, disbursements, refunds, bills, paycodes],
  settlements: [houseBookings, settlements, reconciliation, corrections, fees, books],
  screens: [
    payments,
    reference,
    dashboard,
    sandbox,
    customers,
    branding,
    receipts,
    work,
    board,
    figures,
    finding,
    home,
    paymentExports,
    savedViews,
    viewing,
    persons,
  ],
} as const satisfies Record<string, readonly Feature[]>

export const FEATURES: readonly Feature[] = Object.values(ROOMS).flat()
