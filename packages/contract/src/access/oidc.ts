// Logging in through an identity provider (OpenID Connect): the browser goes there and returns with a code.
import Type from 'typebox'
import type { Side } from '../kit/permissions.ts'
import { route } from '../kit/spec.ts'

/** What an ID token's `amr` says when the provider has seen a second factor (RFC 8176). */
export const SECOND_FACTORS: readonly string[] = ['mfa', 'hwk', 'otp']

const base = { auth: 'none', group: 'Identity provider', method: 'GET' } as const
const HOMES = { merchant: '/dashboard/v1', operator: '/operator/v1' } as const
const Redirect = Type.Undefined({ description: 'Sends the browser on, with 303' })

export const createOidcRoutes = (side: Side) => ({
  begin: route({
    ...base,
    id: `${side}.oidc.begin`,
    path: `${HOMES[side]}/oidc/log-in`,
    summary: 'Go to the identity provider',
    reply: Redirect,
    errors: ['OIDC_OFF', 'OIDC_UNAVAILABLE'],
  }),
  callback: route({
    ...base,
    id: `${side}.oidc.callback`,
    path: `${HOMES[side]}/oidc/callback`,
    summary: 'Return from the identity provider',
    reply: Redirect,
    errors: ['OIDC_OFF', 'OIDC_REFUSED', 'OIDC_UNAVAILABLE'],
  }),
})
