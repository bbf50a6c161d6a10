// How a caller can be refused, whatever it asks: login, token, address, rate, signature.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const AUTH_ERRORS = {
  AUTHORIZATION_MISSING: {
    status: 401,
    message: 'Unauthorized, supply authorization header',
    hint: 'Log in with Authorization: Basic base64(apiKey:secretKey).',
    retry: 'never',
    oauth: 'unauthorized',
  },
  CREDENTIALS_INVALID: {
    status: 401,
    message: 'Invalid credentials',
    hint: 'The secret key must be the one issued with this API key, for this environment.',
    retry: 'never',
    oauth: 'unauthorized',
  },
  TOKEN_MISSING: {
    status: 401,
    message: 'Full authentication is required to access this resource',
    hint: 'Log in and send the accessToken as Authorization: Bearer.',
    retry: 'never',
    oauth: 'unauthorized',
  },
  TOKEN_INVALID: {
    status: 401,
    message: 'Cannot convert access token to JSON',
    hint: 'The token was not issued by this gateway, was altered, or its secret key was revoked. Log in again.',
    retry: 'never',
    oauth: 'invalid_token',
  },
  TOKEN_EXPIRED: {
    status: 401,
    message: 'Access token expired',
    hint: 'Tokens are valid for one hour. Log in again.',
    retry: 'never',
    oauth: 'invalid_token',
  },
  ADDRESS_NOT_ALLOWED: {
    status: 403,
    message: 'Could not Authorize merchant',
    hint: "The request came from an IP address that is not on the merchant's allow list.",
    retry: 'never',
  },
  FEATURE_NOT_GRANTED: {
    status: 403,
    message: 'Not enabled for this merchant: {feature}',
    hint: 'Ask the operator of the gateway for this feature, with your API key. It works within five seconds of being granted; in the sandbox every feature is on.',
    retry: 'never',
  },
  RATE_LIMITED: {
    status: 429,
    message: 'Too many requests',
    hint: 'The headers RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset describe the limit; Retry-After says when to retry.',
    retry: 'later',
  },
  SIGNATURE_INVALID: {
    status: 401,
    message: 'The signature does not match the message',
    hint: 'See the bank connector protocol for how a message is signed.',
    retry: 'never',
    oauth: 'unauthorized',
  },
} as const satisfies Record<string, ErrorSpec>
