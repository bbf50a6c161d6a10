// Security events: what happens to people, rights, keys and destinations, as somebody who watches over
// them wants to hear it. Each kind says what it is in words, how much it matters, which class of OCSF it
// is sent as, who is mailed, and which lines of the audit trail are of it; the gateway writes the event
// with the line. What changes nothing and so has no line (log-ins, wrong codes) it writes by itself.
import Type from 'typebox'
import { view } from '../kit/act.ts'

/** As OCSF counts them. */
export const SEVERITIES = { INFO: 1, LOW: 2, MEDIUM: 3, HIGH: 4, CRITICAL: 5 } as const
export type Severity = keyof typeof SEVERITIES

/** PERSON: whom it happened to. MANAGERS: a merchant's owners, or the operator's administrators. */
export type Told = 'PERSON' | 'MANAGERS'

export type SecurityKind = {
  readonly says: string
  readonly severity: Severity
  /** Class and activity of OCSF 1.4 (docs/operate/security-events.md). */
  readonly ocsf: readonly [classUid: number, activityId: number]
  readonly failed?: true
  /** Who is mailed at each such event; whoever hears of it by a mail of its own is not here. */
  readonly told?: readonly Told[]
  /** The same person is not mailed about the same again within so many hours. */
  readonly quietHours?: number
}
const kinds = <const K extends Readonly<Record<string, SecurityKind>>>(all: K): K => all

/** Classes: 3001 Account Change, 3002 Authentication, 3004 Entity Management, 3005 User Access Management,
 *  6003 API Activity. */
export const SECURITY_KINDS = kinds({
  'login.accepted': { says: 'Logged in', severity: 'INFO', ocsf: [3002, 1] },
  'login.refused': { says: 'A log-in was refused', severity: 'LOW', ocsf: [3002, 1], failed: true },
  'login.locked': {
    says: 'Too many wrong passwords: unknown devices wait',
    severity: 'MEDIUM',
    ocsf: [3001, 9],
    told: ['PERSON'],
    quietHours: 24,
  },
  'session.ended': { says: 'Logged out', severity: 'INFO', ocsf: [3002, 2] },
  'factor.refused': {
    says: 'A code of the second factor was wrong',
    severity: 'MEDIUM',
    ocsf: [3002, 1],
    failed: true,
  },
  'factor.attacked': {
    says: 'Five wrong codes after a right password',
    severity: 'HIGH',
    ocsf: [3002, 1],
    failed: true,
    told: ['PERSON', 'MANAGERS'],
  },
  'factor.locked': {
    says: 'Twenty wrong codes: codes of the app are refused',
    severity: 'HIGH',
    ocsf: [3001, 9],
    told: ['PERSON', 'MANAGERS'],
  },
  'factor.enrolled': { says: 'A second factor was set up', severity: 'MEDIUM', ocsf: [3001, 10] },
  'factor.removed': { says: 'A second factor was ended', severity: 'MEDIUM', ocsf: [3001, 11] },
  'factor.recovery': { says: 'New recovery codes were made', severity: 'MEDIUM', ocsf: [3001, 10] },
  'passkey.copied': {
    says: 'A passkey was refused because it may have been copied',
    severity: 'CRITICAL',
    ocsf: [3002, 1],
    failed: true,
    told: ['MANAGERS'],
  },
  'password.changed': { says: 'The password was changed', severity: 'MEDIUM', ocsf: [3001, 3] },
  'password.reset': { says: 'A link to set another password was sent', severity: 'MEDIUM', ocsf: [3001, 4] },
  'provider.linked': { says: 'An identity provider was linked', severity: 'MEDIUM', ocsf: [3001, 2] },
  'member.invited': { says: 'Somebody was invited', severity: 'LOW', ocsf: [3001, 1] },
  'member.joined': { says: 'Somebody joined', severity: 'LOW', ocsf: [3005, 1] },
  'member.ended': { says: "Somebody's access was ended", severity: 'LOW', ocsf: [3001, 6], told: ['PERSON'] },
  'manager.invited': {
    says: 'An owner or administrator was invited',
    severity: 'HIGH',
    ocsf: [3001, 1],
    told: ['MANAGERS'],
  },
  'manager.added': { says: 'An owner or administrator was added', severity: 'HIGH', ocsf: [3005, 1], told: ['PERSON'] },
  'manager.ended': { says: 'An owner or administrator was ended', severity: 'HIGH', ocsf: [3005, 2], told: ['PERSON'] },
  'role.raised': {
    says: 'Somebody may more than before',
    severity: 'HIGH',
    ocsf: [3005, 1],
    told: ['PERSON', 'MANAGERS'],
  },
  'role.changed': { says: 'Somebody has another role', severity: 'MEDIUM', ocsf: [3005, 2], told: ['PERSON'] },
  'destination.added': { says: 'An account that receives money was added', severity: 'HIGH', ocsf: [3004, 1] },
  'destination.changed': {
    says: 'Where money goes was changed',
    severity: 'HIGH',
    ocsf: [3004, 3],
    told: ['MANAGERS'],
  },
  'gate.changed': {
    says: 'A limit, a gate of money or an address list was changed',
    severity: 'MEDIUM',
    ocsf: [3004, 3],
    told: ['MANAGERS'],
  },
  'webhook.changed': {
    says: 'Where notifications go was changed',
    severity: 'HIGH',
    ocsf: [3004, 3],
    told: ['MANAGERS'],
  },
  'key.made': { says: 'An API key was made', severity: 'MEDIUM', ocsf: [3004, 1] },
  'key.changed': { says: 'A secret key was replaced', severity: 'MEDIUM', ocsf: [3004, 3] },
  'key.ended': { says: 'An API key was ended', severity: 'MEDIUM', ocsf: [3004, 4] },
  'export.taken': { says: 'A file of payments was taken', severity: 'MEDIUM', ocsf: [6003, 2] },
  'export.everybody': {
    says: 'Payments of all customers were taken as a file',
    severity: 'HIGH',
    ocsf: [6003, 2],
    told: ['MANAGERS'],
    quietHours: 24,
  },
  'viewas.begun': { says: "The operator looks at a merchant's screens", severity: 'MEDIUM', ocsf: [6003, 2] },
  'proposal.asked': { says: 'Something was proposed that needs a second person', severity: 'LOW', ocsf: [6003, 1] },
  'proposal.rejected': { says: 'A proposal was rejected', severity: 'LOW', ocsf: [6003, 4] },
})
export type SecurityKindName = keyof typeof SECURITY_KINDS
export const SECURITY_KIND_NAMES = Object.keys(SECURITY_KINDS) as readonly SecurityKindName[]

/** Which lines of the audit trail are events, without the side that a person's own line begins with. MEMBER:
 *  the role that is given or taken says which kind. EXPORT: whether anything narrows it does. */
export const SECURITY_LINES: Readonly<Record<string, SecurityKindName | 'MEMBER' | 'EXPORT'>> = {
  'people.logOut': 'session.ended',
  'people.endSession': 'session.ended',
  'people.endSessions': 'session.ended',
  'people.changePassword': 'password.changed',
  'people.confirmTotp': 'factor.enrolled',
  'people.newRecoveryCodes': 'factor.recovery',
  'people.acceptInvitation': 'MEMBER',
  'oidc.callback': 'provider.linked',
  'passkeys.register': 'factor.enrolled',
  'passkeys.end': 'factor.removed',
  'team.invite': 'MEMBER',
  'team.reset': 'password.reset',
  'team.changeRole': 'MEMBER',
  'team.end': 'MEMBER',
  'team.addresses': 'gate.changed',
  'owners.invite': 'MEMBER',
  'owners.replace': 'MEMBER',
  'operators.invite': 'MEMBER',
  'operators.inviteFirst': 'manager.invited',
  'operators.inviteAnother': 'manager.invited',
  'operators.first': 'manager.added',
  'operators.reset': 'password.reset',
  'operators.changeRole': 'MEMBER',
  'operators.end': 'MEMBER',
  'settlements.setRule': 'destination.added',
  'subAccounts.create': 'destination.added',
  'subAccounts.change': 'destination.changed',
  'reservedAccounts.updateSplit': 'destination.changed',
  'destinations.confirm': 'destination.changed',
  'destinations.stop': 'destination.changed',
  'payouts.approvalAbove': 'gate.changed',
  'disbursementSettings.put': 'gate.changed',
  'disbursementSettings.otp': 'gate.changed',
  'disbursementSettings.otpRelease': 'gate.changed',
  'disbursementSettings.approval': 'gate.changed',
  'limits.set': 'gate.changed',
  'merchants.addresses': 'gate.changed',
  'webhookUrls.put': 'webhook.changed',
  'endpoints.create': 'webhook.changed',
  'endpoints.change': 'webhook.changed',
  'endpoints.remove': 'webhook.changed',
  'endpoints.enable': 'webhook.changed',
  'endpoints.disable': 'webhook.changed',
  'keys.open': 'key.made',
  'keys.create': 'key.made',
  'keys.end': 'key.ended',
  'keys.reset': 'key.changed',
  'auth.rotateSecretKey': 'key.changed',
  'auth.cancelRotation': 'key.changed',
  'auth.finishRotation': 'key.changed',
  'exports.payments': 'EXPORT',
  'exports.request': 'EXPORT',
  'exports.take': 'export.taken',
  'viewas.begin': 'viewas.begun',
  'approvals.ask': 'proposal.asked',
  'approvals.reject': 'proposal.rejected',
}

// ---- as people read them

export const SECURITY_PAGE = 100
const Nullable = Type.Union([Type.String(), Type.Null()])
export const SecurityEvent = Type.Object({
  id: Type.String({ description: 'Unique within the cell' }),
  cell: Type.String(),
  at: Type.String({ description: 'ISO 8601, UTC' }),
  kind: Type.String({ examples: ['factor.refused'] }),
  says: Type.String({ description: 'The same in words' }),
  severity: Type.Enum(Object.keys(SEVERITIES) as Severity[]),
  person: Type.Union([Type.String(), Type.Null()], { description: 'Whom it is about, by e-mail address' }),
  by: Type.Object({
    kind: Type.Enum(['person', 'key', 'command', 'timer', 'nobody']),
    side: Type.Enum(['merchant', 'operator']),
    name: Type.String(),
  }),
  address: Nullable,
  merchant: Type.Union([Type.String(), Type.Null()], { description: 'API key of the merchant that it concerns' }),
  details: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
})

const list = {
  id: 'security.list',
  summary: 'List security events, newest first',
  reply: Type.Object({
    content: Type.Array(SecurityEvent),
    next: Type.Union([Type.String(), Type.Null()], { description: '`before` of the next page' }),
  }),
  errors: ['PERMISSION_DENIED', 'FIELD_INVALID'],
} as const
const query = Type.Object({
  before: Type.Optional(
    Type.String({ pattern: '^\\d{1,18}(\\.\\d{1,18})?$', description: '`next` of the page before' }),
  ),
  least: Type.Optional(
    Type.Enum(Object.keys(SEVERITIES) as Severity[], { description: 'Only what matters at least so much' }),
  ),
})

export const listOwnSecurity = view({
  ...list,
  side: 'merchant',
  permission: 'trail.read',
  concerns: 'merchant',
  query,
})
export const listSecurity = view({
  ...list,
  side: 'operator',
  permission: 'operator.trail.read',
  concerns: 'cell',
  query,
})
