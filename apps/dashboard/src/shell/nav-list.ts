// What a role may see of the dashboard: each entry names the permission of the contract that its screen asks
// for.
import type { Permission } from '@cowrie/contract/kit/permissions'
import type { Icon } from '@cowrie/design/drawings'

/** Of a screen in screen-list.ts. */
export type NavPath = string
export type NavItem = {
  readonly to: NavPath
  readonly word: string
  readonly icon: Icon
  /** Null: everybody who is logged in. */
  readonly permission: Permission | null
}
export type NavGroup = { readonly title: string | null; readonly items: readonly NavItem[] }

const HOME: NavItem = { to: '/', word: 'Home', icon: 'home', permission: null }
const ACCOUNT: NavItem = { to: '/account', word: 'Your account', icon: 'person', permission: null }

export const MERCHANT_NAV: readonly NavGroup[] = [
  {
    title: null,
    items: [
      HOME,
      { to: '/payments', word: 'Payments', icon: 'incoming', permission: 'collections.read' },
      { to: '/refunds', word: 'Refunds', icon: 'refund', permission: 'refunds.read' },
      { to: '/payouts', word: 'Payouts', icon: 'payout', permission: 'payouts.read' },
      { to: '/approvals', word: 'Approvals', icon: 'tick', permission: 'approvals.read' },
      { to: '/wallet', word: 'Wallet', icon: 'wallet', permission: 'wallets.read' },
      { to: '/settlements', word: 'Settlements', icon: 'bank', permission: 'settlements.read' },
      { to: '/held', word: 'Does not fit', icon: 'tray', permission: 'suspense.read' },
      { to: '/exports', word: 'Exports', icon: 'download', permission: 'collections.read' },
    ],
  },
  {
    title: 'Get paid',
    items: [
      { to: '/customers', word: 'Customers', icon: 'people', permission: 'collections.read' },
      { to: '/invoices', word: 'Invoices', icon: 'paper', permission: 'collections.read' },
      { to: '/links', word: 'Payment links', icon: 'link', permission: 'collections.read' },
      { to: '/accounts', word: 'Reserved accounts', icon: 'number', permission: 'collections.read' },
      { to: '/mandates', word: 'Mandates', icon: 'calendar', permission: 'collections.read' },
      { to: '/sub-accounts', word: 'Sub accounts', icon: 'split', permission: 'subAccounts.read' },
    ],
  },
  {
    title: 'Developers',
    items: [
      { to: '/developers/events', word: 'Events', icon: 'mail', permission: 'events.read' },
      { to: '/developers/endpoints', word: 'Endpoints', icon: 'device', permission: 'webhooks.read' },
      { to: '/developers/requests', word: 'Requests', icon: 'list', permission: 'requests.read' },
      { to: '/developers/keys', word: 'API keys', icon: 'key', permission: 'keys.read' },
    ],
  },
  {
    title: 'Settings',
    items: [
      { to: '/settings', word: 'Settings', icon: 'shield', permission: 'settings.read' },
      { to: '/settings/branding', word: 'Branding', icon: 'phone', permission: 'settings.read' },
      { to: '/team', word: 'Team', icon: 'people', permission: 'team.read' },
      { to: '/security', word: 'Security', icon: 'lock', permission: 'trail.read' },
      { to: '/trail', word: 'Audit trail', icon: 'trail', permission: 'trail.read' },
      ACCOUNT,
    ],
  },
]
export const OPERATOR_NAV: readonly NavGroup[] = [
  {
    title: null,
    items: [
      { to: '/', word: 'Board', icon: 'home', permission: null },
      { to: '/merchants', word: 'Merchants', icon: 'people', permission: 'operator.merchants.read' },
      { to: '/approvals', word: 'Approvals', icon: 'tick', permission: 'operator.approvals.read' },
      { to: '/settlements', word: 'Settlements', icon: 'bank', permission: 'operator.settlements.read' },
    ],
  },
  {
    title: 'Terms',
    items: [
      { to: '/fees', word: 'Fees', icon: 'split', permission: 'operator.fees.read' },
      { to: '/limits', word: 'Limits', icon: 'shield', permission: 'operator.merchants.read' },
    ],
  },
  {
    title: 'Books',
    items: [
      { to: '/reconciliation', word: 'Reconciliation', icon: 'copy', permission: 'operator.books.read' },
      { to: '/suspense', word: 'Suspense', icon: 'care', permission: 'operator.suspense.read' },
      { to: '/books', word: 'Ledger', icon: 'list', permission: 'operator.books.read' },
    ],
  },
  {
    title: 'Running',
    items: [
      { to: '/work', word: 'Work under way', icon: 'clock', permission: 'operator.work.read' },
      { to: '/cells', word: 'Cells', icon: 'split', permission: 'operator.work.read' },
      { to: '/routes', word: 'Connectors', icon: 'link', permission: 'operator.work.read' },
      { to: '/security', word: 'Security', icon: 'lock', permission: 'operator.trail.read' },
      { to: '/trail', word: 'Audit trail', icon: 'trail', permission: 'operator.trail.read' },
    ],
  },
  {
    title: 'Settings',
    items: [{ to: '/team', word: 'Operators', icon: 'people', permission: 'operator.people.read' }, ACCOUNT],
  },
]

/** What an operator who sees a merchant's screens gets: those that only show (screens-viewed.ts). */
const VIEWED_PATHS: ReadonlySet<NavPath> = new Set([
  ...['/', '/payments', '/refunds', '/payouts', '/wallet', '/settlements', '/held'],
  ...['/developers/events', '/developers/requests'],
])
export const VIEWED_NAV: readonly NavGroup[] = MERCHANT_NAV.map((group) => ({
  ...group,
  items: group.items.filter(({ to }) => VIEWED_PATHS.has(to)),
}))
