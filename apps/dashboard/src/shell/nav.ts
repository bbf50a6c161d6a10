// What of the navigation somebody gets to see.
import type { Person } from '../api/session.ts'
import type { NavGroup } from './nav-list.ts'

/** Only what the person may see; a group without entries is not there. */
export const navFor = (nav: readonly NavGroup[], { permissions, factorNeeded }: Person): readonly NavGroup[] =>
  factorNeeded
    ? []
    : nav
        .map((group) => ({
          ...group,
          items: group.items.filter(({ permission }) => permission === null || permissions.includes(permission)),
        }))
        .filter(({ items }) => items.length > 0)
