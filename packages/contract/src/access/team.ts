// Who belongs to a merchant, and to the operator: invited by mail, with a role that counts at once when it is
// changed.
import Type from 'typebox'
import { act, view } from '../kit/act.ts'
import { MERCHANT_ROLES, OPERATOR_ROLES } from '../kit/permissions.ts'
import { Email, Name } from './people.ts'

const MerchantRole = Type.Enum(Object.keys(MERCHANT_ROLES) as (keyof typeof MERCHANT_ROLES)[])
const OperatorRole = Type.Enum(Object.keys(OPERATOR_ROLES) as (keyof typeof OPERATOR_ROLES)[])
const Moment = Type.String({ description: 'ISO 8601, UTC' })
const Invited = Type.Object({ email: Type.String(), expiresAt: Moment })
const Member = Type.Object({ email: Type.String(), role: Type.String() })
const Ended = Type.Object({ email: Type.String() })
const EndedMember = Type.Object({
  ...Ended.properties,
  keys: Type.Array(Type.Object({ apiKey: Type.String(), name: Type.String(), scope: Type.String() }), {
    description: 'API keys that they made or approved and that are still in force: end those with keys.end',
  }),
})
const Team = Type.Array(
  Type.Object({
    email: Type.String(),
    name: Type.String(),
    role: Type.String(),
    state: Type.Enum(['ACTIVE', 'INVITED']),
    factors: Type.Array(Type.Enum(['TOTP', 'PASSKEY'])),
    since: Moment,
    usedAt: Type.Union([Moment, Type.Null()], { description: 'When they last did something here' }),
  }),
)
const Nobody = Type.Object({})

/** Mails with a link that a merchant's team sends: they go from the operator's domain to any address. */
export const INVITATIONS_A_DAY = 20
export const INVITATIONS_OF_ADDRESS_AN_HOUR = 3

const ofMerchant = { side: 'merchant', permission: 'team.manage', concerns: 'installation', stepUp: true } as const
const ofOperator = {
  side: 'operator',
  permission: 'operator.people.manage',
  concerns: 'installation',
  stepUp: true,
} as const

export const inviteMember = act({
  ...ofMerchant,
  id: 'team.invite',
  summary: 'Invite a person to the team by mail',
  input: Type.Object({ email: Email, name: Name, role: MerchantRole }),
  reply: Invited,
  errors: ['ALREADY_MEMBER', 'TOO_MANY_INVITATIONS'],
})
export const resetMember = act({
  ...ofMerchant,
  id: 'team.reset',
  summary: 'Send a member a link to set another password; the second factor stays',
  input: Type.Object({ email: Email }),
  reply: Invited,
  errors: ['MEMBER_UNKNOWN', 'TOO_MANY_INVITATIONS'],
})
export const changeMemberRole = act({
  ...ofMerchant,
  id: 'team.changeRole',
  summary: "Change a member's role; it counts at once",
  input: Type.Object({ email: Email, role: MerchantRole }),
  reply: Member,
  errors: ['MEMBER_UNKNOWN', 'LAST_ADMIN'],
})
export const endMember = act({
  ...ofMerchant,
  id: 'team.end',
  summary: "End a member's access, and invitations that were not used; lists the API keys that they leave",
  input: Type.Object({ email: Email }),
  reply: EndedMember,
  errors: ['MEMBER_UNKNOWN', 'LAST_ADMIN'],
})
export const listTeam = view({
  id: 'team.list',
  side: 'merchant',
  permission: 'team.read',
  concerns: 'installation',
  summary: 'List the team',
  query: Nobody,
  reply: Team,
  errors: [],
})

export const inviteOwner = act({
  ...ofOperator,
  id: 'owners.invite',
  permission: 'operator.merchants.write',
  approval: 'sometimes',
  summary: 'Invite the first owner of a merchant that has none',
  input: Type.Object({ email: Email, name: Name }),
  reply: Invited,
  errors: ['ALREADY_MEMBER', 'OWNER_IN_FORCE'],
})
export const replaceOwner = act({
  ...ofOperator,
  id: 'owners.replace',
  permission: 'operator.merchants.write',
  concerns: 'installation',
  approval: 'always',
  summary:
    'Invite another owner where none can be reached: all owners are mailed, and the link works after 72 hours unless one of them ends the invitation',
  input: Type.Object({ email: Email, name: Name }),
  reply: Type.Object({ ...Invited.properties, opensAt: Moment }),
  errors: ['ALREADY_MEMBER'],
})
export const inviteOperator = act({
  ...ofOperator,
  id: 'operators.invite',
  approval: 'sometimes',
  summary: 'Invite an operator by mail',
  input: Type.Object({ email: Email, name: Name, role: OperatorRole }),
  reply: Invited,
  errors: ['ALREADY_MEMBER'],
})
export const resetOperator = act({
  ...ofOperator,
  id: 'operators.reset',
  approval: 'sometimes',
  summary: 'Send an operator a link to set another password; the second factor stays',
  input: Type.Object({ email: Email }),
  reply: Invited,
  errors: ['MEMBER_UNKNOWN'],
})
export const changeOperatorRole = act({
  ...ofOperator,
  id: 'operators.changeRole',
  approval: 'sometimes',
  summary: "Change an operator's role; it counts at once",
  input: Type.Object({ email: Email, role: OperatorRole }),
  reply: Member,
  errors: ['MEMBER_UNKNOWN', 'LAST_ADMIN'],
})
export const endOperator = act({
  ...ofOperator,
  id: 'operators.end',
  summary: "End an operator's access, and invitations that were not used",
  input: Type.Object({ email: Email }),
  reply: Ended,
  errors: ['MEMBER_UNKNOWN', 'LAST_ADMIN'],
})
export const listOperators = view({
  id: 'operators.list',
  side: 'operator',
  permission: 'operator.people.read',
  concerns: 'installation',
  summary: 'List the operators',
  query: Nobody,
  reply: Team,
  errors: [],
})
