// Limit profiles: how much a reserved account takes, in one transfer and in a day. A profile is a template:
// what it allows, it allows each account that is under it.
import Type, { type Static } from 'typebox'
import { Named } from '../kit/fields.ts'
import { AmountNumber } from '../kit/money.ts'
import { Page, PageNumber, PageSize } from '../kit/paging.ts'
import { route } from '../kit/spec.ts'

/** With a sign: that it must not be negative is said in words of its own. */
const LimitIn = (description: string) =>
  Type.Unsafe<string>({
    type: 'string',
    pattern: '^-?\\d{1,13}(?:\\.\\d{1,2})?$',
    'x-wire': 'number',
    description: `Naira, at most two decimals. ${description}`,
  })

export const DAILY_VOLUME_MAX = 1_000_000
const SINGLE = 'The most that one transfer may be'
const DAY_VALUE = 'The most that an account takes in a day of West Africa Time'
const DAY_VOLUME = 'How many transfers an account takes in a day of West Africa Time'

const fields = {
  limitProfileName: Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }),
  singleTransactionValue: LimitIn(SINGLE),
  // Its form is looked at in the handler, because the words of the refusal are its own.
  dailyTransactionVolume: Type.Unsafe<string>({
    type: 'string',
    'x-wire': 'integer',
    minimum: 1,
    maximum: DAILY_VOLUME_MAX,
    description: DAY_VOLUME,
  }),
  dailyTransactionValue: LimitIn(DAY_VALUE),
}

export const LimitProfileCode = Type.String({ minLength: 1, maxLength: 40 })

const limits = {
  limitProfileCode: Type.String({ pattern: '^[A-Z0-9]{12}$', examples: ['Q4KX0Q2WM8Z1'] }),
  limitProfileName: Type.String(),
  singleTransactionValue: Type.Unsafe<number>({ ...AmountNumber, description: `Naira. ${SINGLE}` }),
  dailyTransactionVolume: Type.Integer({ description: DAY_VOLUME }),
  dailyTransactionValue: Type.Unsafe<number>({ ...AmountNumber, description: `Naira. ${DAY_VALUE}` }),
}
/** As a reserved account shows the profile it is under. */
export const LimitConfig = Named('LimitConfig', limits)
export type LimitConfig = Static<typeof LimitConfig>

const Time = Type.String({ description: 'West Africa Time', examples: ['02/05/2026 02:27:43 AM'] })
export const LimitProfile = Named('LimitProfile', { ...limits, dateCreated: Time, lastModified: Time })

const NewLimitProfile = Named('NewLimitProfile', fields)

const common = { auth: 'bearer', group: 'Limit profiles' } as const
const PATH = '/api/v1/limit-profile/'
const REFUSALS = [
  'AMOUNT_INVALID',
  'LIMIT_NEGATIVE',
  'LIMIT_VOLUME_INVALID',
  'LIMIT_DAY_BELOW_SINGLE',
  'LIMIT_PROFILE_NAME_TAKEN',
] as const

export const createLimitProfile = route({
  ...common,
  id: 'limitProfiles.create',
  permission: 'collections.write',
  trail: true,
  method: 'POST',
  path: PATH,
  summary: 'Create a limit profile',
  description:
    'A transfer that is above one of the limits of its account does not count: it is returned to its sender, and REJECTED_PAYMENT reports which limit it was.',
  body: NewLimitProfile,
  reply: LimitProfile,
  errors: [...REFUSALS],
})

export const listLimitProfiles = route({
  ...common,
  id: 'limitProfiles.list',
  permission: 'collections.read',
  method: 'GET',
  path: PATH,
  summary: 'List limit profiles',
  description: 'Newest first.',
  query: Type.Object({ page: Type.Optional(PageNumber), size: Type.Optional(PageSize) }),
  // As existing clients know this list: these two are there, and empty.
  reply: Type.Object({ ...Page(LimitProfile).properties, pageable: Type.Null(), sort: Type.Null() }),
  errors: [],
})

export const changeLimitProfile = route({
  ...common,
  id: 'limitProfiles.change',
  permission: 'collections.write',
  trail: true,
  method: 'PUT',
  path: `${PATH}{limitProfileCode}`,
  summary: 'Change a limit profile',
  description: 'Applies at once to every account that is under it, and to what each has taken today already.',
  body: NewLimitProfile,
  reply: LimitProfile,
  errors: [...REFUSALS, 'LIMIT_PROFILE_NOT_FOUND'],
})
