// The request log: one line for every request that a merchant's key or a person sent, kept for some days.
// Never a body, a query or a header.
import Type, { type Static } from 'typebox'
import { view } from '../kit/act.ts'
import { Named } from '../kit/fields.ts'
import { PageSize } from '../kit/paging.ts'
import { route } from '../kit/spec.ts'

const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const cursor = (description: string) => Type.Optional(Type.String({ pattern: '^\\d{1,19}$', description }))
const Moment = Type.String({ maxLength: 40, examples: ['2026-05-01T00:00:00.000'] })

export const RequestLine = Named('RequestLine', {
  id: Type.String({ description: 'Increases with time' }),
  at: Type.String({ description: 'When it was answered; ISO 8601, UTC' }),
  method: Type.String(),
  path: Type.String({ description: 'Without the query; a parameter that could be a secret or personal is not shown' }),
  route: Type.String({ description: 'The operation, as in the reference' }),
  status: Type.Integer({ description: '499: the caller hung up before the answer' }),
  ms: Type.Integer(),
  key: Nullable(Type.String({ description: 'API key, or e-mail address of a person; null when it is not known' })),
  requestId: Type.String({ description: 'Same as the header `x-request-id`' }),
  caller: Type.String({ description: 'Network address' }),
  code: Nullable(Type.String({ description: 'Error code of a refusal' })),
})
export type RequestLine = Static<typeof RequestLine>

/** Which lines; a listing and a view ask the same way. */
export const RequestQuery = Named('RequestQuery', {
  after: cursor('Only later lines, oldest first: the last `id` seen'),
  before: cursor('Only earlier lines: `next` of the page before'),
  size: Type.Optional(PageSize),
  since: Type.Optional(Moment),
  until: Type.Optional(Moment),
  status: Type.Optional(
    Type.String({ pattern: '^[1-5](?:xx|\\d\\d)$', description: 'A status, or a class of them', examples: ['4xx'] }),
  ),
  path: Type.Optional(Type.String({ minLength: 1, maxLength: 300, description: 'How the path begins' })),
  requestId: Type.Optional(Type.String({ pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })),
  key: Type.Optional(Type.String({ minLength: 1, maxLength: 254 })),
})
export type RequestQuery = Static<typeof RequestQuery>

export const RequestPage = Named('RequestPage', {
  content: Type.Array(RequestLine),
  next: Nullable(
    Type.String({ description: '`before` of the next page, null when there is none; with `after` the next `after`' }),
  ),
})
export type RequestPage = Static<typeof RequestPage>

export const listRequests = route({
  id: 'requests.list',
  method: 'GET',
  path: '/api/v1/requests',
  auth: 'bearer',
  group: 'Request log',
  permission: 'requests.read',
  summary: 'List your requests of the last days',
  description:
    'Newest first; with `after` oldest first, so that a program can follow the log. A line appears some two seconds after its answer. What reads the log is not in it, and a line may be missing after a failure: the log is for looking, not for counting.',
  query: RequestQuery,
  reply: RequestPage,
  errors: [],
  unlogged: true,
})

const common = {
  id: 'requests.list',
  query: RequestQuery,
  reply: RequestPage,
  errors: ['PERMISSION_DENIED', 'FIELD_INVALID'],
} as const

export const requestsOfOurs = view({
  ...common,
  side: 'merchant',
  permission: 'requests.read',
  concerns: 'merchant',
  summary: 'List requests, newest first',
})
export const requestsOfMerchant = view({
  ...common,
  side: 'operator',
  permission: 'operator.requests.read',
  concerns: 'merchant',
  summary: 'List requests of a merchant, newest first',
})
export const requestsOfNobody = view({
  ...common,
  id: 'requests.others',
  side: 'operator',
  permission: 'operator.requests.read',
  concerns: 'cell',
  summary: "List requests of no merchant: the operator's people, and callers who were refused",
})
