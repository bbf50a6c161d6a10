// The header Idempotency-Key: a request that carries it is processed once, and a repeat gets the same
// response.
import Type from 'typebox'
import { route } from '../kit/spec.ts'

export const KEY_DAYS = 30
export const KEY_FORM = /^[\x21-\x7e]{1,255}$/

export const getIdempotencyKey = route({
  id: 'idempotency.get',
  permission: 'requests.read',
  method: 'GET',
  path: '/api/v1/idempotency-keys/{key}',
  auth: 'bearer',
  group: 'Idempotency',
  summary: 'Get the outcome of an Idempotency-Key',
  description:
    'The request that was sent with the key, its status and its whole answer. `status` and `answer` are null while it is in progress.',
  reply: Type.Object({
    key: Type.String(),
    method: Type.String(),
    path: Type.String(),
    status: Type.Union([Type.Integer(), Type.Null()]),
    createdAt: Type.String(),
    completedAt: Type.Union([Type.String(), Type.Null()]),
    answer: Type.Unknown(),
  }),
  errors: ['IDEMPOTENCY_KEY_UNKNOWN'],
})
