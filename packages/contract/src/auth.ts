// Login: API key and secret key against a token that lasts an hour.
import Type from 'typebox'
import { route } from './kit.ts'

export const TOKEN_SECONDS = 3600

export const login = route({
  id: 'auth.login',
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
  errors: ['AUTHORIZATION_MISSING', 'CREDENTIALS_INVALID', 'ADDRESS_NOT_ALLOWED', 'RATE_LIMITED', 'BODY_TOO_LARGE'],
})
