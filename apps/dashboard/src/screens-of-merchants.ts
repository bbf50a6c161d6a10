// The screens of a merchant's people.
import { lazyRouteComponent } from '@tanstack/react-router'
import type { Screen } from './screen-list.ts'
import { PAGE } from './screens/payments/page-size.ts'

const OWN: readonly Screen[] = [
  { path: '/', component: lazyRouteComponent(() => import('./screens/home/merchant-home.tsx'), 'MerchantHome') },
]

/** What was paid, one by one. */
const PAYMENTS: readonly Screen[] = [
  {
    path: '/payments',
    component: lazyRouteComponent(() => import('./screens/payments/list.tsx'), 'Payments'),
    first: ['transactions.search', { page: '0', size: String(PAGE) }],
  },
  {
    path: '/payments/$reference',
    component: lazyRouteComponent(() => import('./screens/payments/payment.tsx'), 'Payment'),
  },
  { path: '/exports', component: lazyRouteComponent(() => import('./screens/exports/exports.tsx'), 'Exports') },
]

/** What leaves, and where it leaves from. */
const SENT: readonly Screen[] = [
  { path: '/refunds', component: lazyRouteComponent(() => import('./payouts/refunds/refunds.tsx'), 'Refunds') },
  {
    path: '/refunds/new',
    component: lazyRouteComponent(() => import('./payouts/refunds/new-refund.tsx'), 'NewRefund'),
  },
  {
    path: '/refunds/$reference',
    component: lazyRouteComponent(() => import('./payouts/refunds/refund.tsx'), 'RefundPage'),
  },
  { path: '/payouts', component: lazyRouteComponent(() => import('./payouts/payouts/payouts.tsx'), 'Payouts') },
  {
    path: '/payouts/new',
    component: lazyRouteComponent(() => import('./payouts/payouts/new-payout.tsx'), 'NewPayout'),
  },
  {
    path: '/payouts/$reference',
    component: lazyRouteComponent(() => import('./payouts/payouts/payout.tsx'), 'PayoutPage'),
  },
  {
    path: '/payouts/batches',
    component: lazyRouteComponent(() => import('./payouts/payouts/batches.tsx'), 'Batches'),
  },
  {
    path: '/payouts/batches/new',
    component: lazyRouteComponent(() => import('./payouts/payouts/new-batch.tsx'), 'NewBatch'),
  },
  {
    path: '/payouts/batches/$reference',
    component: lazyRouteComponent(() => import('./payouts/payouts/batch.tsx'), 'BatchPage'),
  },
  { path: '/wallet', component: lazyRouteComponent(() => import('./wallets/wallet/wallet.tsx'), 'WalletPage') },
]

/** What was collected is settled; what did not fit is decided on. */
const SETTLED: readonly Screen[] = [
  {
    path: '/settlements',
    component: lazyRouteComponent(() => import('./settlements/settlements/settlements.tsx'), 'Settlements'),
  },
  {
    path: '/settlements/account',
    component: lazyRouteComponent(() => import('./settlements/settlements/account.tsx'), 'SettlementAccount'),
  },
  {
    path: '/settlements/$reference',
    component: lazyRouteComponent(() => import('./settlements/settlements/settlement.tsx'), 'OneSettlement'),
  },
  { path: '/held', component: lazyRouteComponent(() => import('./collections/held/held.tsx'), 'Held') },
]

/** What money is collected by. */
const COLLECTING: readonly Screen[] = [
  { path: '/invoices', component: lazyRouteComponent(() => import('./collections/collect/invoices.tsx'), 'Invoices') },
  {
    path: '/invoices/new',
    component: lazyRouteComponent(() => import('./collections/collect/invoice-new.tsx'), 'NewInvoice'),
  },
  {
    path: '/invoices/$reference',
    component: lazyRouteComponent(() => import('./collections/collect/invoice.tsx'), 'OneInvoice'),
  },
  { path: '/links', component: lazyRouteComponent(() => import('./collections/collect/links.tsx'), 'Links') },
  { path: '/links/new', component: lazyRouteComponent(() => import('./collections/collect/link-new.tsx'), 'NewLink') },
  { path: '/links/$code', component: lazyRouteComponent(() => import('./collections/collect/link.tsx'), 'OneLink') },
  { path: '/accounts', component: lazyRouteComponent(() => import('./collections/collect/accounts.tsx'), 'Accounts') },
  {
    path: '/accounts/$reference',
    component: lazyRouteComponent(() => import('./collections/collect/reserved-account.tsx'), 'OneAccount'),
  },
  { path: '/mandates', component: lazyRouteComponent(() => import('./collections/collect/mandates.tsx'), 'Mandates') },
  {
    path: '/mandates/$reference',
    component: lazyRouteComponent(() => import('./collections/collect/mandate.tsx'), 'OneMandate'),
  },
  {
    path: '/sub-accounts',
    component: lazyRouteComponent(() => import('./collections/collect/sub-accounts.tsx'), 'SubAccounts'),
  },
]

/** Customers, developers, the team and the settings. */
const WORKSHOP: readonly Screen[] = [
  { path: '/customers', component: lazyRouteComponent(() => import('./screens/customers/customers.tsx'), 'Customers') },
  {
    path: '/customers/$email',
    component: lazyRouteComponent(() => import('./screens/customers/customer.tsx'), 'CustomerPage'),
  },
  { path: '/developers/keys', component: lazyRouteComponent(() => import('./events/developers/keys.tsx'), 'Keys') },
  {
    path: '/developers/endpoints',
    component: lazyRouteComponent(() => import('./events/developers/endpoints.tsx'), 'Endpoints'),
  },
  {
    path: '/developers/events',
    component: lazyRouteComponent(() => import('./events/developers/events.tsx'), 'Events'),
  },
  {
    path: '/developers/events/$id',
    component: lazyRouteComponent(() => import('./events/developers/event.tsx'), 'EventPage'),
  },
  {
    path: '/developers/requests',
    component: lazyRouteComponent(() => import('./events/developers/requests.tsx'), 'Requests'),
  },
  { path: '/team', component: lazyRouteComponent(() => import('./access/team/team.tsx'), 'Team') },
  { path: '/trail', component: lazyRouteComponent(() => import('./access/team/trail.tsx'), 'Trail') },
  { path: '/security', component: lazyRouteComponent(() => import('./access/team/security.tsx'), 'Security') },
  { path: '/settings', component: lazyRouteComponent(() => import('./access/settings/settings.tsx'), 'Settings') },
  {
    path: '/settings/branding',
    component: lazyRouteComponent(() => import('./access/settings/branding.tsx'), 'Branding'),
  },
  {
    path: '/sandbox/scenarios',
    sandbox: true,
    component: lazyRouteComponent(() => import('./screens/sandbox/scenarios.tsx'), 'Scenarios'),
  },
  {
    path: '/sandbox/mails',
    sandbox: true,
    component: lazyRouteComponent(() => import('./screens/sandbox/mails.tsx'), 'Mails'),
  },
]

export const MERCHANT_SCREENS: readonly Screen[] = [
  ...OWN,
  ...PAYMENTS,
  ...SENT,
  ...SETTLED,
  ...COLLECTING,
  ...WORKSHOP,
]
