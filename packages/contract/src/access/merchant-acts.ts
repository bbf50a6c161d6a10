// What the operator's people do about merchants and see of them. Until it is live a merchant has no API key
// and is named by the reference of its application; from then on by its API key, as everywhere.
import Type from 'typebox'
import { act, view } from '../kit/act.ts'
import { FEATURE_NAMES, type FeatureName } from '../kit/features.ts'
import { KEYS_MAX } from './keys.ts'
import {
  ApplicationReference,
  DOCUMENT_KINDS,
  DOCUMENT_STATES,
  type DocumentKind,
  MERCHANT_STATES,
  type MerchantState,
} from './merchants.ts'

const Plain = (maxLength: number, description?: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    ...(description ? { description } : {}),
  })
const words = <T extends string>(list: readonly T[]) => Type.Enum([...list])
const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const Moment = Type.String({ description: 'ISO 8601, UTC' })
const State = words<MerchantState>(MERCHANT_STATES)
const Kind = words<DocumentKind>(DOCUMENT_KINDS)
const DocumentState = words<(typeof DOCUMENT_STATES)[number]>(DOCUMENT_STATES)
const Feature = words<FeatureName>(FEATURE_NAMES)
const Email = Type.String({ maxLength: 254, pattern: '^[^\\s@\\u0000-\\u001f]+@[^\\s@\\u0000-\\u001f]+$' })
const Network = Type.String({ minLength: 2, maxLength: 49 })
const PeopleAddresses = Type.Object({
  addresses: Type.Array(Type.String(), { description: 'In CIDR notation; empty: from anywhere' }),
})
const Networks = Type.Array(Network, {
  minItems: 1,
  maxItems: 100,
  description: 'Networks from which requests are honoured, in CIDR notation',
})
const Rate = Type.Integer({ minimum: 1, maximum: 10_000, description: 'Requests a second' })

const Life = Type.Object({ application: ApplicationReference, state: State })
const Application = Type.Object({ application: ApplicationReference })
const None = Type.Object({})
const Fine = Type.Object({ apiKey: Type.String() })

const recorded = { side: 'operator', concerns: 'cell', permission: 'operator.merchants.write' } as const
const ofMerchant = { side: 'operator', concerns: 'merchant' } as const
const LIFE_ERRORS = ['APPLICATION_UNKNOWN', 'MERCHANT_STATE'] as const

export const applyMerchant = act({
  ...recorded,
  id: 'merchants.apply',
  summary: 'Record the application of a merchant',
  input: Type.Object({
    name: Plain(100, 'As customers see it'),
    email: Email,
    registrationNumber: Plain(60),
    address: Plain(300),
    website: Type.Optional(Type.String({ maxLength: 500, pattern: '^https?://[^\\s\\u0000-\\u001f]+$' })),
    contact: Plain(200, 'Whom to ask, and how'),
    expectedMonthlyNaira: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }),
  }),
  reply: Type.Object({ application: ApplicationReference, state: State, cell: Type.String() }),
  errors: ['CELL_NOT_OPEN'],
})
export const letIntoSandbox = act({
  ...recorded,
  id: 'merchants.sandbox',
  summary: 'Note that an applicant got its sandbox access',
  input: Application,
  reply: Life,
  errors: LIFE_ERRORS,
})
export const reviewMerchant = act({
  ...recorded,
  id: 'merchants.review',
  summary: 'Begin the review of an applicant',
  input: Application,
  reply: Life,
  errors: LIFE_ERRORS,
})
export const recordDocument = act({
  ...recorded,
  id: 'merchants.document',
  summary: 'Record the state of a document',
  input: Type.Object({
    application: ApplicationReference,
    kind: Kind,
    state: DocumentState,
    note: Type.Optional(Plain(500)),
    digest: Type.Optional(
      Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the file, which is kept elsewhere' }),
    ),
  }),
  reply: Type.Object({ application: ApplicationReference, kind: Kind, state: DocumentState }),
  errors: [...LIFE_ERRORS, 'FIELD_INVALID'],
})
export const rejectMerchant = act({
  ...recorded,
  id: 'merchants.reject',
  permission: 'operator.merchants.live',
  summary: 'Turn an application down',
  input: Application,
  reply: Life,
  errors: LIFE_ERRORS,
})
export const goLive = act({
  ...recorded,
  id: 'merchants.golive',
  permission: 'operator.merchants.live',
  summary: 'Let a merchant go live; its owner gets the keys by a one-time link',
  input: Type.Object({
    application: ApplicationReference,
    addresses: Networks,
    requestsPerSecond: Type.Optional(Rate),
    features: Type.Optional(Type.Array(Feature, { maxItems: FEATURE_NAMES.length })),
  }),
  reply: Type.Object({
    application: ApplicationReference,
    state: State,
    apiKey: Type.String(),
    contractCode: Type.String(),
    walletNumber: Type.String(),
  }),
  errors: [...LIFE_ERRORS, 'DOCUMENTS_NOT_ACCEPTED', 'FIELD_INVALID'],
  approval: 'always',
  stepUp: true,
})

/** It protects, so nobody has to approve it. */
export const suspendMerchant = act({
  ...ofMerchant,
  id: 'merchants.suspend',
  permission: 'operator.merchants.live',
  summary: 'Suspend a merchant: every request refused, money returned, payouts and settlements held',
  input: None,
  reply: Life,
  errors: LIFE_ERRORS,
  stepUp: true,
})
export const resumeMerchant = act({
  ...ofMerchant,
  id: 'merchants.resume',
  permission: 'operator.merchants.live',
  summary: 'End the suspension of a merchant',
  input: None,
  reply: Life,
  errors: LIFE_ERRORS,
  approval: 'always',
  stepUp: true,
})
export const closeMerchant = act({
  ...ofMerchant,
  id: 'merchants.close',
  permission: 'operator.merchants.live',
  summary: 'Close a suspended merchant for ever; nothing may be left in it',
  input: None,
  reply: Life,
  errors: [...LIFE_ERRORS, 'MERCHANT_NOT_EMPTY'],
  approval: 'always',
  stepUp: true,
})
export const setAddresses = act({
  ...ofMerchant,
  id: 'merchants.addresses',
  permission: 'operator.merchants.write',
  summary: "Set the networks from which a merchant's requests are honoured",
  input: Type.Object({ addresses: Networks }),
  reply: Type.Object({ apiKey: Type.String(), addresses: Type.Array(Type.String()) }),
  errors: ['FIELD_INVALID'],
  approval: 'sometimes',
  stepUp: true,
})
export const setRate = act({
  ...ofMerchant,
  id: 'merchants.rate',
  permission: 'operator.merchants.write',
  summary: 'Set how many requests a second a merchant may send',
  input: Type.Object({ requestsPerSecond: Rate }),
  reply: Type.Object({ apiKey: Type.String(), requestsPerSecond: Type.Integer() }),
  errors: [],
})
/** It only narrows from where they come: nobody may more by it. The operator's list is for programs. */
export const setPeopleAddresses = act({
  id: 'team.addresses',
  side: 'merchant',
  concerns: 'merchant',
  permission: 'team.manage',
  stepUp: true,
  summary: 'Set the networks from which the team comes in, owners apart; an empty list means any',
  input: Type.Object({ addresses: Type.Array(Network, { maxItems: 100 }) }),
  reply: PeopleAddresses,
  errors: ['FIELD_INVALID'],
})
export const showPeopleAddresses = view({
  id: 'team.addresses',
  side: 'merchant',
  concerns: 'merchant',
  permission: 'team.read',
  summary: 'Show the networks from which the team comes in',
  query: None,
  reply: PeopleAddresses,
  errors: [],
})
/** Two people, as for an opening: payers judge by the name whom they pay. */
export const renameMerchant = act({
  ...ofMerchant,
  id: 'merchants.rename',
  permission: 'operator.merchants.write',
  summary: 'Give a merchant another name; payers see it from then on, and its owner is mailed',
  input: Type.Object({ name: Plain(100, 'As customers see it') }),
  reply: Type.Object({ apiKey: Type.String(), name: Type.String() }),
  errors: ['MERCHANT_STATE'],
  approval: 'always',
  stepUp: true,
})
export const addContract = act({
  ...ofMerchant,
  id: 'contracts.add',
  permission: 'operator.merchants.write',
  summary: 'Give a merchant another contract code',
  input: Type.Object({ name: Plain(100) }),
  reply: Type.Object({ contractCode: Type.String(), name: Type.String() }),
  errors: [],
})
export const grantFeature = act({
  ...ofMerchant,
  id: 'features.grant',
  permission: 'operator.features.grant',
  summary: 'Grant a merchant a feature',
  input: Type.Object({ feature: Feature }),
  reply: Fine,
  errors: [],
  approval: 'always',
})
export const withdrawFeature = act({
  ...ofMerchant,
  id: 'features.withdraw',
  permission: 'operator.features.grant',
  summary: 'Withdraw a feature from a merchant',
  input: Type.Object({ feature: Feature }),
  reply: Fine,
  errors: [],
})
export const resetKey = act({
  ...ofMerchant,
  id: 'keys.reset',
  permission: 'operator.keys.reset',
  summary:
    "Mail a merchant's owner a one-time link to a new secret key; using it ends the old key and, since whoever had that could make keys, every limited key that is not kept by name",
  input: Type.Object({
    keep: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        minItems: 1,
        maxItems: KEYS_MAX,
        description: 'API keys of the limited keys that go on; none if not given',
      }),
    ),
  }),
  reply: Type.Object({ apiKey: Type.String(), mailedTo: Type.String(), expiresAt: Moment }),
  errors: ['MERCHANT_STATE', 'API_KEY_UNKNOWN'],
  approval: 'always',
  stepUp: true,
})

const Listed = Type.Object({
  application: ApplicationReference,
  cell: Type.String(),
  apiKey: Nullable(Type.String()),
  name: Type.String(),
  email: Type.String(),
  state: State,
  createdAt: Moment,
})
const seen = { side: 'operator', concerns: 'installation', permission: 'operator.merchants.read' } as const

export const listMerchants = view({
  ...seen,
  id: 'merchants.list',
  summary: 'List merchants and applicants of all cells',
  query: Type.Object({
    state: Type.Optional(State),
    search: Type.Optional(Plain(100, 'Part of the name or the e-mail address')),
    after: Type.Optional(Type.String({ maxLength: 40, description: '`next` of the page before' })),
    size: Type.Optional(Type.String({ pattern: '^(?:[1-9]\\d{0,2}|1000)$' })),
  }),
  reply: Type.Object({ merchants: Type.Array(Listed), next: Nullable(Type.String()) }),
  errors: [],
})
export const showMerchant = view({
  ...seen,
  id: 'merchants.show',
  summary: 'Show everything about one merchant or applicant',
  query: Type.Object({
    which: Type.String({ minLength: 1, maxLength: 64, description: 'API key, or reference of the application' }),
  }),
  reply: Type.Object({
    ...Listed.properties,
    registrationNumber: Nullable(Type.String()),
    address: Nullable(Type.String()),
    website: Nullable(Type.String()),
    contact: Nullable(Type.String()),
    expectedMonthlyNaira: Nullable(Type.Integer()),
    walletNumber: Nullable(Type.String()),
    contracts: Type.Array(Type.Object({ contractCode: Type.String(), name: Type.String() })),
    addresses: Type.Array(Type.String()),
    requestsPerSecond: Nullable(Type.Integer()),
    features: Type.Array(
      Type.Object({ feature: Feature, on: Type.Boolean(), by: Nullable(Type.String()), why: Nullable(Type.String()) }),
    ),
    documents: Type.Array(
      Type.Object({
        kind: Kind,
        required: Type.Boolean(),
        state: DocumentState,
        note: Nullable(Type.String()),
        digest: Nullable(Type.String()),
        by: Nullable(Type.String()),
        at: Nullable(Moment),
      }),
    ),
    history: Type.Array(Type.Object({ action: Type.String(), from: State, to: State, at: Moment })),
    keyLinks: Type.Array(
      Type.Object({
        purpose: Type.String(),
        createdAt: Moment,
        by: Type.String(),
        expiresAt: Moment,
        mailedAt: Nullable(Moment),
        usedAt: Nullable(Moment),
        ended: Type.Boolean({ description: 'A newer link has taken its place' }),
      }),
    ),
  }),
  errors: ['APPLICATION_UNKNOWN'],
})
