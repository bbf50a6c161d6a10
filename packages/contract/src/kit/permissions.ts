// What can be allowed, and to whom: permissions, the roles of people as sets of them, and the scopes of
// limited API keys. Plain data; a route, an act or a view names one permission, and whoever lacks it is
// refused. A role or scope that is not listed may nothing.

/** Of a merchant's people and its API keys. */
export const MERCHANT_PERMISSIONS = {
  'collections.read': 'See payments, accounts, invoices and mandates',
  'collections.write': 'Ask customers for money',
  'payouts.read': 'See transfers, bills and paycodes',
  'payouts.send': 'Send money out of the wallet',
  'payouts.approve': 'Approve what somebody else wants to send',
  'refunds.read': 'See refunds',
  'refunds.send': 'Refund a payment',
  'wallets.read': 'See balances and statements of wallets',
  'wallets.write': 'Open wallets for customers',
  'settlements.read': 'See settlements and their statements',
  'settlements.write': 'Decide where and when collected money is settled',
  'subAccounts.read': 'See sub accounts',
  'subAccounts.write': 'Change sub accounts and splits',
  'suspense.read': 'See money that does not fit',
  'suspense.decide': 'Decide about money that does not fit',
  'verification.use': 'Ask the registers who somebody is',
  'settings.read': 'See settings',
  'settings.write': 'Change settings, branding and limits',
  'webhooks.read': 'See endpoints',
  'webhooks.write': 'Change endpoints',
  'events.read': 'See events and their deliveries',
  'events.resend': 'Send events again',
  'keys.read': 'See API keys, never a secret key',
  'keys.manage': 'Make, rotate and end API keys',
  'team.read': 'See who is in the team',
  'team.manage': 'Invite people, change their roles, end their access',
  'approvals.read': 'See what waits for a second person',
  'trail.read': 'Read the audit trail',
  'requests.read': 'Read the request log',
  'personalData.read': 'See personal data unmasked',
} as const

/** Of the operator's people. */
export const OPERATOR_PERMISSIONS = {
  'operator.merchants.read': 'See merchants, their settings and documents',
  'operator.merchants.write': 'Record applications, documents, contracts, addresses and rates',
  'operator.merchants.live': 'Let a merchant go live, suspend it, close it',
  'operator.merchants.viewAs': "See a merchant's screens, read only and without personal data",
  'operator.features.grant': 'Grant and withdraw features',
  'operator.keys.reset': "Give a merchant's owner a new secret key",
  'operator.fees.read': 'See fee schedules',
  'operator.fees.write': 'Set fees',
  'operator.limits.write': 'Set limits',
  'operator.settlements.read': 'See settlement runs and what would be paid',
  'operator.settlements.hold': 'Hold settlements',
  'operator.settlements.release': 'Release held settlements',
  'operator.calendar.write': 'Add holidays',
  'operator.books.read': 'See the books, their invariants and accounts',
  'operator.books.correct': 'Write correcting entries',
  'operator.breaks.write': 'Assign and resolve differences with the bank',
  'operator.suspense.read': 'See suspense of all merchants',
  'operator.suspense.decide': 'Decide about suspense',
  'operator.work.read': 'See orders, timers and deliveries under way',
  'operator.work.repair': 'Ask the bank again, repair what is stuck',
  'operator.cells.write': 'Decide which cells take new merchants',
  'operator.routes.write': 'Set which connectors are used for what',
  'operator.people.read': 'See operators',
  'operator.people.manage': 'Invite operators, change their roles, end their access',
  'operator.approvals.read': 'See what waits for a second person',
  'operator.trail.read': 'Read and verify the audit trail',
  'operator.requests.read': 'Read the request log',
  'operator.personalData.read': 'See personal data unmasked',
} as const

export type MerchantPermission = keyof typeof MERCHANT_PERMISSIONS
export type OperatorPermission = keyof typeof OPERATOR_PERMISSIONS
export type Permission = MerchantPermission | OperatorPermission

const ofMerchant = Object.keys(MERCHANT_PERMISSIONS) as readonly MerchantPermission[]
const ofOperator = Object.keys(OPERATOR_PERMISSIONS) as readonly OperatorPermission[]
const readsOf = <P extends string>(all: readonly P[]): readonly P[] => all.filter((name) => name.endsWith('.read'))
const without = <P extends string>(all: readonly P[], ...left: readonly P[]): readonly P[] =>
  all.filter((name) => !left.includes(name))

export type Side = 'merchant' | 'operator'

export const MERCHANT_ROLES = {
  owner: ofMerchant,
  finance: [
    ...without(readsOf(ofMerchant), 'keys.read'),
    'payouts.send',
    'payouts.approve',
    'refunds.send',
    'settlements.write',
    'subAccounts.write',
    'suspense.decide',
    'collections.write',
  ],
  developer: [
    ...without(readsOf(ofMerchant), 'personalData.read', 'team.read', 'trail.read'),
    'webhooks.write',
    'events.resend',
    'keys.manage',
  ],
  support: ['collections.read', 'refunds.read', 'payouts.read', 'events.read', 'requests.read'],
  auditor: readsOf(ofMerchant),
} as const satisfies Readonly<Record<string, readonly MerchantPermission[]>>

export const OPERATOR_ROLES = {
  admin: ofOperator,
  operations: [
    ...without(readsOf(ofOperator), 'operator.personalData.read'),
    'operator.merchants.write',
    'operator.merchants.live',
    'operator.merchants.viewAs',
    'operator.features.grant',
    'operator.keys.reset',
    'operator.settlements.hold',
    'operator.settlements.release',
    'operator.calendar.write',
    'operator.breaks.write',
    'operator.suspense.decide',
    'operator.work.repair',
    'operator.cells.write',
    'operator.routes.write',
  ],
  finance: [
    ...without(readsOf(ofOperator), 'operator.personalData.read'),
    'operator.fees.write',
    'operator.limits.write',
    'operator.settlements.hold',
    'operator.settlements.release',
    'operator.calendar.write',
    'operator.books.correct',
    'operator.breaks.write',
    'operator.suspense.decide',
  ],
  risk: [
    ...readsOf(ofOperator),
    'operator.limits.write',
    'operator.settlements.hold',
    'operator.merchants.live',
    'operator.features.grant',
  ],
  support: [
    'operator.merchants.read',
    'operator.merchants.viewAs',
    'operator.settlements.read',
    'operator.suspense.read',
    'operator.work.read',
    'operator.requests.read',
  ],
  auditor: readsOf(ofOperator),
} as const satisfies Readonly<Record<string, readonly OperatorPermission[]>>

export type MerchantRole = keyof typeof MERCHANT_ROLES
export type OperatorRole = keyof typeof OPERATOR_ROLES
export type Role = MerchantRole | OperatorRole

/** What a limited API key may; the key pair that a merchant gets when it joins may everything its merchant
 *  may. */
export const KEY_SCOPES = {
  READ: readsOf(ofMerchant),
  COLLECTIONS: [
    'collections.read',
    'collections.write',
    'refunds.read',
    'subAccounts.read',
    'suspense.read',
    'settlements.read',
    'events.read',
  ],
  PAYOUTS: ['payouts.read', 'payouts.send', 'wallets.read', 'refunds.read', 'refunds.send', 'events.read'],
  AGENT: readsOf(ofMerchant),
} as const satisfies Readonly<Record<string, readonly MerchantPermission[]>>
export type KeyScope = keyof typeof KEY_SCOPES

/** For programs that read what payers and other outsiders wrote, and may follow it. Beside what it reads,
 *  such a key proposes: routes with `proposable` take it too, and what they are asked for waits for one of
 *  the merchant's people. Each of its calls is in the audit trail. */
export const AGENT_SCOPE: KeyScope = 'AGENT'

const NOTHING: ReadonlySet<Permission> = new Set()
const sets = <T extends Readonly<Record<string, readonly Permission[]>>>(lists: T) =>
  new Map<string, ReadonlySet<Permission>>(Object.entries(lists).map(([name, list]) => [name, new Set(list)]))
const BY_SIDE = { merchant: sets(MERCHANT_ROLES), operator: sets(OPERATOR_ROLES) } as const
const BY_SCOPE = sets(KEY_SCOPES)

export const rolePermissions = (side: Side, role: string): ReadonlySet<Permission> => BY_SIDE[side].get(role) ?? NOTHING
export const permissionsOfScope = (scope: string): ReadonlySet<Permission> => BY_SCOPE.get(scope) ?? NOTHING
