// The identity provider, by OpenID Connect. What it publishes about itself is read when it is first needed,
// so that a provider that is down delays no start; a failure is not remembered. Its clock is the real one,
// whatever the sandbox's says.
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientError,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  fetchUserInfo,
  ResponseBodyError,
} from 'openid-client'
import type { OidcIdentity, OidcPort, Outcome } from '#kit/ctx.ts'

const LIMIT_SECONDS = 10

export type OidcClient = { readonly issuer: string; readonly clientId: string; readonly clientSecret: string }

/** `plainHttp`: the provider of a sandbox may be on the same machine. */
export function createOidc(
  { issuer, clientId, clientSecret }: OidcClient,
  { plainHttp = false, limitSeconds = LIMIT_SECONDS } = {},
): OidcPort {
  let found: Promise<Configuration> | null = null
  const configuration = (): Promise<Configuration> => {
    found ??= discovery(new URL(issuer), clientId, clientSecret, undefined, {
      timeout: limitSeconds,
      ...(plainHttp ? { execute: [allowInsecureRequests] } : {}),
    }).catch((error: unknown) => {
      found = null
      throw error
    })
    return found
  }
  return {
    begin: async (redirectUri, { state, nonce, verifier }) => {
      try {
        const address = buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          scope: 'openid email',
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
        return { kind: 'yes', value: address.href }
      } catch (error) {
        return failed(error)
      }
    },
    finish: async (returnedTo, { state, nonce, verifier }) => {
      try {
        const known = await configuration()
        const tokens = await authorizationCodeGrant(known, new URL(returnedTo), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) return { kind: 'no', status: 0, why: 'no ID token' }
        if (claims['email'] !== undefined || !known.serverMetadata().userinfo_endpoint)
          return { kind: 'yes', value: identityOf(claims) }
        // A provider need not put the address into the ID token; then it tells it to whoever has the access
        // token.
        const { email, email_verified } = await fetchUserInfo(known, tokens.access_token, claims.sub)
        return { kind: 'yes', value: identityOf({ ...claims, email, email_verified }) }
      } catch (error) {
        return failed(error)
      }
    },
  }
}

function identityOf(claims: {
  readonly iss: string
  readonly sub: string
  readonly [name: string]: unknown
}): OidcIdentity {
  const { iss, sub, email, email_verified, amr } = claims
  return {
    issuer: iss,
    subject: sub,
    verifiedEmail: email_verified === true && typeof email === 'string' ? email : null,
    methods: Array.isArray(amr) ? amr.filter((one) => typeof one === 'string') : [],
  }
}

/** Codes of the library that mean that nobody answered properly; every other one is a check that failed. */
const SILENT: ReadonlySet<string> = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
])

/** An error code of OAuth. Anybody may write another into the address. */
const CODE = /^[a-z_]{1,40}$/

/** Never with the provider's own words: they can hold what the browser brought. */
function failed(error: unknown): Outcome<never> {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return { kind: 'no', status: 0, why: `the provider refused: ${CODE.test(error.error) ? error.error : 'no code'}` }
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (error instanceof ClientError && typeof code === 'string' && !SILENT.has(code))
    return { kind: 'no', status: 0, why: `not accepted: ${code}` }
  return { kind: 'unknown', why: typeof code === 'string' ? code : 'no answer' }
}
