// `g` and a key go to a screen. By key, so that no two screens can share one; an entry of the navigation
// without a key is reached by the rail or the one box.
import type { Side } from '@cowrie/contract/kit/permissions'
import type { NavGroup, NavItem } from './nav-list.ts'

export const NAV_KEYS: Readonly<Record<Side, Readonly<Record<string, string>>>> = {
  merchant: {
    h: '/',
    p: '/payments',
    r: '/refunds',
    o: '/payouts',
    a: '/approvals',
    w: '/wallet',
    s: '/settlements',
    d: '/held',
    c: '/customers',
    i: '/invoices',
    l: '/links',
    v: '/accounts',
    m: '/mandates',
    u: '/sub-accounts',
    e: '/developers/events',
    n: '/developers/endpoints',
    q: '/developers/requests',
    k: '/developers/keys',
    ',': '/settings',
    b: '/settings/branding',
    t: '/team',
    f: '/security',
    x: '/trail',
    y: '/account',
  },
  operator: {
    b: '/',
    m: '/merchants',
    a: '/approvals',
    s: '/settlements',
    r: '/reconciliation',
    u: '/suspense',
    l: '/books',
    w: '/work',
    c: '/cells',
    n: '/routes',
    f: '/security',
    x: '/trail',
    o: '/team',
    y: '/account',
  },
}

export type KeyedItem = NavItem & { readonly key: string }
/** The entries that somebody sees, each with its key. */
export function keyedOf(side: Side, groups: readonly NavGroup[]): readonly KeyedItem[] {
  const keys = new Map(Object.entries(NAV_KEYS[side]).map(([key, to]) => [to, key]))
  return groups.flatMap(({ items }) =>
    items.flatMap((item) => {
      const key = keys.get(item.to)
      return key === undefined ? [] : [{ ...item, key }]
    }),
  )
}
