// What is wrong with an Authorization header that was refused, by its form alone: no key is looked up for it,
// so a hint tells nobody whether a key exists, and nothing of the header is repeated.
import type { Ctx } from '#kit/ctx.ts'
import type { Specifics } from '#kit/fail.ts'

const API_KEY = /^MK_[A-Z]{4}_[A-Z0-9]{10}$/i
const SECRET_KEY = /^[A-Z0-9]{32}$/
const BASIC = /^Basic\b/i
const BEARER = /^Bearer\b/i

const LOG_IN = 'Log in at POST /api/v1/auth/login with Authorization: Basic base64(apiKey:secretKey)'
const THEN = `${LOG_IN}, and send the accessToken of its answer as Bearer.`

const isPair = (token: string): boolean =>
  API_KEY.test(Buffer.from(token, 'base64').toString('latin1').split(':')[0] ?? '')

const hint = (words: string): Specifics => ({ hint: words })

/** What was sent as a token and is not one of ours. */
export function wrongToken(token: string): Specifics {
  if (SECRET_KEY.test(token)) return hint(`This looks like a secret key, not a token. ${THEN}`)
  if (API_KEY.test(token)) return hint(`This looks like an API key, not a token. ${THEN}`)
  if (token.length <= 100 && isPair(token)) return hint(`This looks like a pair of keys, not a token. ${THEN}`)
  if (BEARER.test(token)) return hint('The word Bearer stands twice; write it once, then a space and the accessToken.')
  if (/^(?:undefined|null|None|nil)$/.test(token))
    return hint('The token is the word for nothing: the program sent it before it had one. Log in first.')
  return {}
}

/** A header without a token. */
export function noToken(header: string | undefined): Specifics {
  if (header === undefined || header.trim() === '') return {}
  if (BASIC.test(header)) return hint(`Basic is for log-in and a few settings, not for this call. ${THEN}`)
  return BEARER.test(header)
    ? hint('Nothing follows the word Bearer. Write a space and the accessToken behind it.')
    : hint('Write the word Bearer and a space before the accessToken.')
}

/** A header in which no pair of keys was found. */
export const noPair = (header: string): Specifics =>
  BEARER.test(header)
    ? hint('This call takes Authorization: Basic base64(apiKey:secretKey), not Bearer.')
    : hint(
        'Authorization must be the word Basic, a space, and the base64 of apiKey:secretKey, with the colon between them.',
      )

/** A pair of keys that opens nothing. */
export function wrongPair({ environment }: Ctx, apiKey: string, secret: string): Specifics {
  if (SECRET_KEY.test(apiKey) && API_KEY.test(secret))
    return hint('The API key stands first, then the colon and the secret key.')
  const other = environment === 'sandbox' ? 'MK_PROD_' : 'MK_TEST_'
  if (apiKey.startsWith(other))
    return hint(
      `API keys that begin with ${other} are for ${environment === 'sandbox' ? 'live' : 'the sandbox'}, which has another address.`,
    )
  return {}
}
