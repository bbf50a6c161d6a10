// Login: API key and secret key for a token that is valid for an hour. And rotation of the secret key,
// without downtime.
import Type from 'typebox'
import { Nothing } from '../kit/envelope.ts'
import { EVERY_KEY, route } from '../kit/spec.ts'

export const TOKEN_SECONDS = 3600

const refusals = [
  'AUTHORIZATION_MISSING',
  'CREDENTIALS_INVALID',
  'ADDRESS_NOT_ALLOWED',
  'MERCHANT_SUSPENDED',
  'RATE_LIMITED',
] as const

export const login = route({
  id: 'auth.login',
  permission: EVERY_KEY,
  method: 'POST',
  path: '/api/v1/auth/login',
  auth: 'basic',
  group: 'Authentication',
  summary: 'Log in',
  description: 'Authorization: Basic base64(apiKey:secretKey). The body is empty; `{}` is accepted.',
  reply: Type.Object({
    accessToken: Type.String({ description: 'A JWT; send it as Authorization: Bearer' }),
    expiresIn: Type.Integer({ description: 'Seconds' }),
  }),
  errors: [...refusals, 'BODY_TOO_LARGE'],
})

export const OVERLAP_HOURS = 24
const OVERLAP_HOURS_MAX = 168

const rotation = { auth: 'basic', group: 'Authentication' } as const

export const rotateSecretKey = route({
  ...rotation,
  id: 'auth.rotateSecretKey',
  permission: 'keys.manage',
  trail: true,
  method: 'POST',
  path: '/api/v1/auth/secret-key/rotate',
  summary: 'Get a new secret key',
  description:
    'Authorization as for login. Both keys are valid until the overlap ends. Until then `service-signature` is made with the old key, `service-signature-next` with the new one, and `webhook-signature` has one of each. The new key is shown only once.',
  body: Type.Object({
    overlapHours: Type.Optional(
      Type.Integer({ minimum: 0, maximum: OVERLAP_HOURS_MAX, description: `Default ${OVERLAP_HOURS}` }),
    ),
  }),
  reply: Type.Object({
    secretKey: Type.String(),
    overlapUntil: Type.String({ description: 'ISO 8601, UTC' }),
  }),
  errors: [...refusals, 'ROTATION_UNDER_WAY'],
})

export const cancelRotation = route({
  ...rotation,
  id: 'auth.cancelRotation',
  permission: 'keys.manage',
  trail: true,
  method: 'POST',
  path: '/api/v1/auth/secret-key/cancel',
  summary: 'Cancel the rotation of the secret key',
  description:
    'The new secret key is revoked, for example because it was lost. Authorization with the old key, which stays valid. All tokens are revoked: log in again.',
  reply: Nothing,
  errors: [...refusals, 'NO_ROTATION', 'BODY_TOO_LARGE'],
})

export const finishRotation = route({
  ...rotation,
  id: 'auth.finishRotation',
  permission: 'keys.manage',
  trail: true,
  method: 'POST',
  path: '/api/v1/auth/secret-key/finish',
  summary: 'Finish the rotation of the secret key',
  description:
    'The old secret key and its tokens are no longer valid from now on. Authorization with the new key, which proves that you have it.',
  reply: Nothing,
  errors: [...refusals, 'NO_ROTATION', 'BODY_TOO_LARGE'],
})
