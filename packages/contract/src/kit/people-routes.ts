// The public routes as a merchant's people call them: the same path below /dashboard/v1, a session in place
// of the token, the same permission. A screen does what a program does, through the same code; what moves
// money or a destination also asks for a recent proof of identity, and every change is in the audit trail
// with the person's name.
import type { MerchantPermission } from './permissions.ts'
import type { EVERY_KEY, Route } from './spec.ts'

export const PEOPLE_HOME = '/dashboard/v1'

/** Of who may any of these, live demands a second factor. */
export const PROVED: ReadonlySet<MerchantPermission | typeof EVERY_KEY> = new Set([
  'payouts.send',
  'refunds.send',
  'settlements.write',
  'subAccounts.write',
  'suspense.decide',
  'settings.write',
  'webhooks.write',
  'keys.manage',
])

/** Nobody types a card into a screen of the merchant's. */
const CARD: ReadonlySet<string> = new Set(['card', 'token'])

/** Where people find it; null: it is not for them. */
export const pathForPeople = ({ auth, path, secretFields = [] }: Route): string | null =>
  auth === 'bearer' && !secretFields.some((name) => CARD.has(name)) ? PEOPLE_HOME + path : null

/** Whether it asks for a proof of identity that is not older than five minutes. */
export const needsProof = ({ method, permission, proved }: Route): boolean =>
  proved === true || (method !== 'GET' && permission !== undefined && PROVED.has(permission))
