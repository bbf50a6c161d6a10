// Limited API keys: a merchant gives a server or a partner less than its own key pair may. What each scope
// may stands in kit/permissions.ts. The same three commands are routes for the key pair and acts for people.
import Type from 'typebox'
import { act, view } from '../kit/act.ts'
import { Nothing } from '../kit/envelope.ts'
import { Named } from '../kit/fields.ts'
import { KEY_SCOPES, type KeyScope } from '../kit/permissions.ts'
import { route } from '../kit/spec.ts'

const SCOPE_NAMES = Object.keys(KEY_SCOPES) as readonly KeyScope[]
export const KEYS_MAX = 50
const LIST_MAX = 50

const Scope = Type.Enum([...SCOPE_NAMES], {
  description:
    'READ sees everything and changes nothing; COLLECTIONS asks customers for money; PAYOUTS sends money out of the wallet and refunds; AGENT sees everything and proposes refunds and transfers, which wait for one of your people, and each of its calls is in the audit trail',
})
const Name = Type.String({
  minLength: 1,
  maxLength: 60,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  description: 'For you: where the key is used',
})
const Contracts = Type.Array(Type.String({ minLength: 1, maxLength: 20 }), {
  minItems: 1,
  maxItems: LIST_MAX,
  description: 'Only what belongs to these contract codes; with the scope COLLECTIONS only',
})
const Addresses = Type.Array(Type.String({ minLength: 2, maxLength: 43, examples: ['203.0.113.0/24'] }), {
  minItems: 1,
  maxItems: LIST_MAX,
  description: 'Only from these networks, addresses or CIDR; the list of the merchant applies too',
})
const NewKey = Named('NewApiKey', {
  name: Name,
  scope: Scope,
  contracts: Type.Optional(Contracts),
  addresses: Type.Optional(Addresses),
})

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Moment = Type.String({ description: 'ISO 8601, UTC' })
const shown = {
  apiKey: Type.String(),
  name: Type.String(),
  scope: Scope,
  contracts: Nullable(Type.Array(Type.String(), { description: 'Null: all' })),
  addresses: Nullable(Type.Array(Type.String(), { description: "Null: all that the merchant's list allows" })),
  createdAt: Moment,
  createdBy: Type.String({ description: 'The API key or the person that made it' }),
}
const Made = Named('CreatedApiKey', { ...shown, secretKey: Type.String({ description: 'Shown only once' }) })
const Keys = Type.Array(Named('ApiKey', { ...shown, endedAt: Nullable(Moment) }))
const errorsOfNew = ['CONTRACT_UNKNOWN', 'API_KEYS_TOO_MANY', 'API_KEY_LIMITS_CONFLICT'] as const

const PATH = '/api/v1/auth/keys'
const common = { auth: 'basic', group: 'Authentication' } as const
const refusals = ['AUTHORIZATION_MISSING', 'CREDENTIALS_INVALID', 'ADDRESS_NOT_ALLOWED', 'BODY_TOO_LARGE'] as const

export const createKey = route({
  ...common,
  id: 'keys.create',
  permission: 'keys.manage',
  trail: true,
  method: 'POST',
  path: PATH,
  summary: 'Make a limited API key',
  description:
    'Authorization: Basic base64(apiKey:secretKey), with your own key pair: a limited key makes no keys. The new key logs in like any other, within five seconds; its tokens are refused with PERMISSION_DENIED whatever its scope, contracts or addresses do not allow. The secret key is shown only once. The merchant is notified by email.',
  body: NewKey,
  reply: Made,
  errors: [...refusals, ...errorsOfNew],
})

export const listKeys = route({
  ...common,
  id: 'keys.list',
  permission: 'keys.read',
  method: 'GET',
  path: PATH,
  summary: 'List limited API keys',
  description:
    'Newest first, with those that ended. Authorization as for login. No secret key is shown. Of those that ended, the last 50.',
  reply: Keys,
  errors: [...refusals],
})

export const endKey = route({
  ...common,
  id: 'keys.end',
  permission: 'keys.manage',
  trail: true,
  method: 'DELETE',
  path: `${PATH}/{apiKey}`,
  summary: 'End a limited API key',
  description:
    'Authorization as for making one. The key and all its tokens are refused by every process within five seconds; it never works again. What it asked for and still waits for a second person is rejected. The merchant is notified by email.',
  reply: Nothing,
  errors: [...refusals, 'API_KEY_UNKNOWN'],
})

const byPeople = { side: 'merchant', concerns: 'merchant' } as const

export const keysCreate = act({
  ...byPeople,
  id: 'keys.create',
  permission: 'keys.manage',
  approval: 'sometimes',
  approvedWith: 'team.manage',
  summary:
    'Make a limited API key; its secret key is shown once. A scope with rights that you lack waits for an owner, who is then shown the secret key',
  input: NewKey,
  reply: Made,
  errors: errorsOfNew,
  stepUp: true,
  secretFields: ['secretKey'],
})

export const keysEnd = act({
  ...byPeople,
  id: 'keys.end',
  permission: 'keys.manage',
  summary: 'End a limited API key and all its tokens; what it asked for and still waits is rejected',
  input: Type.Object({ apiKey: Type.String({ minLength: 1, maxLength: 64 }) }),
  reply: Type.Object(shown),
  errors: ['API_KEY_UNKNOWN'],
  stepUp: true,
})

export const keysList = view({
  ...byPeople,
  id: 'keys.list',
  permission: 'keys.read',
  summary: 'List limited API keys',
  query: Type.Object({}),
  reply: Keys,
  errors: [],
})
