// How people come in, on both sides: log-in, second factor, sessions, invitations. The routes of the two
// sides are the same, below /dashboard/v1 for a merchant's people and below /operator/v1, on the private
// listener, for the operator's. They are no part of a merchant's API.
import Type, { type TSchema } from 'typebox'
import type { ErrorCode } from '../errors/errors.ts'
import { Nothing } from '../kit/envelope.ts'
import type { Side } from '../kit/permissions.ts'
import type { Method, Route } from '../kit/spec.ts'
import { SecurityEvent } from './security.ts'

export const PASSWORD_MIN = 12
export const STEP_UP_SECONDS = 300

const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^[^\\s@\\u0000-\\u001f]+@[^\\s@\\u0000-\\u001f]+$',
})
/** Without anything that a mail program makes a link of: our mails carry names to addresses that a stranger
 *  chose. So `St. John` and `J.K. Obi`, and not `evil.example`. */
const NO_LINK = '(?!.*(?://|[.\\u3002\\uff0e\\uff61][A-Za-z\\u00c0-\\uffff]{2}))'
const Name = Type.String({ minLength: 1, maxLength: 120, pattern: `^${NO_LINK}[^\\u0000-\\u001f\\u007f]*$` })
const Password = Type.String({ minLength: 1, maxLength: 200 })
const Code = Type.String({
  minLength: 6,
  maxLength: 20,
  description: 'Six digits of the authenticator app, or a recovery code',
})
const Token = Type.String({ minLength: 64, maxLength: 64 })
const Moment = Type.String({ description: 'ISO 8601, UTC' })
const Factor = Type.Enum(['TOTP', 'PASSKEY'])

/** A program gets the token of its session in the answer; a browser gets a cookie. */
const Held = {
  token: Type.Optional(Type.String({ description: 'For Authorization: Session; only where it was asked for' })),
}
export const LogInReply = Type.Object({
  state: Type.Enum(['CODE', 'IN'], { description: 'CODE: a second factor is missing' }),
  factors: Type.Array(Factor),
  ...Held,
  deviceToken: Type.Optional(Type.String({ description: 'Send it with the next log-in from this device' })),
})
const AsToken = {
  asToken: Type.Optional(Type.Boolean({ description: 'The answer carries the token; no cookie is set' })),
  deviceToken: Type.Optional(Token),
}
const Renewed = Type.Object(Held)

export const Me = Type.Object({
  email: Type.String(),
  name: Type.String(),
  side: Type.Enum(['merchant', 'operator']),
  role: Type.String(),
  merchant: Type.Union([Type.Object({ name: Type.String(), apiKey: Type.String() }), Type.Null()]),
  permissions: Type.Array(Type.String()),
  factors: Type.Array(Factor),
  factorNeeded: Type.Boolean({ description: 'Nothing else is allowed until a second factor is set up' }),
  recoveryCodesLeft: Type.Integer(),
  provedAt: Type.Union([Moment, Type.Null()]),
  proved: Type.Boolean({ description: 'That was within the last five minutes' }),
})
const Session = Type.Object({
  id: Type.String(),
  present: Type.Boolean(),
  device: Type.String(),
  address: Type.String(),
  startedAt: Moment,
  usedAt: Moment,
})

const BASES: Readonly<Record<Side, string>> = { merchant: '/dashboard/v1', operator: '/operator/v1' }
const IN = ['SESSION_MISSING', 'SESSION_ENDED', 'SESSION_HALF', 'CROSS_SITE'] as const satisfies readonly ErrorCode[]
const PROVED = [...IN, 'PROOF_NEEDED', 'LOG_IN_LIMITED'] as const satisfies readonly ErrorCode[]

/** Nothing is read of it. */
const None = Type.Object({})
type Made<B extends TSchema, R extends TSchema> = Route & { readonly body: B; readonly reply: R }
const makerOf =
  (side: Side) =>
  <B extends TSchema, R extends TSchema>(
    name: string,
    method: Method,
    path: string,
    summary: string,
    body: B,
    reply: R,
    errors: readonly ErrorCode[],
  ): Made<B, R> => ({
    id: `${side}.people.${name}`,
    method,
    path: `${BASES[side]}/${path}`,
    auth: 'none',
    group: 'People',
    summary,
    body,
    reply,
    errors,
  })
type Maker = ReturnType<typeof makerOf>

const comingIn = (one: Maker) => ({
  logIn: one(
    'logIn',
    'POST',
    'log-in',
    'Log in with e-mail address and password',
    Type.Object({
      email: Email,
      password: Password,
      merchant: Type.Optional(Type.String({ maxLength: 64, description: 'API key, where you belong to several' })),
      ...AsToken,
    }),
    LogInReply,
    ['LOG_IN_REFUSED', 'LOG_IN_LIMITED', 'CROSS_SITE'],
  ),
  logInCode: one(
    'logInCode',
    'POST',
    'log-in/code',
    'Finish a log-in with the code of the second factor',
    Type.Object({ code: Code, deviceToken: AsToken.deviceToken }),
    LogInReply,
    ['SESSION_MISSING', 'SESSION_ENDED', 'CROSS_SITE', 'CODE_REFUSED', 'FACTOR_LOCKED', 'LOG_IN_LIMITED'],
  ),
  logOut: one('logOut', 'POST', 'log-out', 'Log out', None, Nothing, [
    'SESSION_MISSING',
    'SESSION_ENDED',
    'CROSS_SITE',
  ]),
  me: one('me', 'GET', 'me', 'Who you are and what you may', None, Me, IN),
  listSessions: one('sessions', 'GET', 'sessions', 'List where you are logged in', None, Type.Array(Session), IN),
  listSecurityEvents: one(
    'security',
    'GET',
    'security',
    'List what happened with your account lately, newest first',
    None,
    Type.Array(SecurityEvent),
    IN,
  ),
  endSession: one('endSession', 'DELETE', 'sessions/{id}', 'End one of your sessions', None, Nothing, IN),
  endSessions: one('endSessions', 'DELETE', 'sessions', 'Log out everywhere, here too', None, Nothing, IN),
  acceptInvitation: one(
    'acceptInvitation',
    'POST',
    'invitations/accept',
    'Accept an invitation, or set another password by a link',
    Type.Object({ token: Token, name: Type.Optional(Name), password: Password }),
    Type.Object({ email: Type.String() }),
    ['INVITATION_INVALID', 'PASSWORD_WEAK', 'PASSWORD_USED', 'PASSWORD_REFUSED', 'LOG_IN_LIMITED'],
  ),
})

const factors = (one: Maker) => ({
  changePassword: one(
    'changePassword',
    'POST',
    'password',
    'Change your password; every other session ends',
    Type.Object({ password: Password, newPassword: Password }),
    Renewed,
    [...PROVED, 'PASSWORD_REFUSED', 'PASSWORD_WEAK', 'PASSWORD_USED'],
  ),
  startTotp: one(
    'startTotp',
    'POST',
    'totp/start',
    'Begin to set up an authenticator app',
    Type.Object({ password: Type.Optional(Password) }),
    Type.Object({ uri: Type.String({ description: 'An otpauth address, shown once' }) }),
    [...PROVED, 'PASSWORD_REFUSED'],
  ),
  confirmTotp: one(
    'confirmTotp',
    'POST',
    'totp/confirm',
    'Set up the authenticator app with its first code',
    Type.Object({ code: Type.String({ pattern: '^\\d{6}$' }) }),
    Type.Object({ recoveryCodes: Type.Array(Type.String(), { description: 'Shown once' }), ...Held }),
    [...IN, 'FACTOR_NOT_STARTED', 'CODE_REFUSED', 'LOG_IN_LIMITED'],
  ),
  newRecoveryCodes: one(
    'newRecoveryCodes',
    'POST',
    'recovery-codes',
    'Get ten new recovery codes; those you have are void',
    None,
    Type.Object({ recoveryCodes: Type.Array(Type.String(), { description: 'Shown once' }) }),
    PROVED,
  ),
  stepUp: one(
    'stepUp',
    'POST',
    'step-up',
    'Prove again that it is you; good for five minutes',
    Type.Object({ code: Code }),
    Renewed,
    [...IN, 'CODE_REFUSED', 'FACTOR_LOCKED', 'LOG_IN_LIMITED'],
  ),
})

const routesOf = (side: Side) => ({ ...comingIn(makerOf(side)), ...factors(makerOf(side)) })
export type PeopleRoutes = ReturnType<typeof routesOf>
export const PEOPLE_ROUTES: Readonly<Record<Side, PeopleRoutes>> = {
  merchant: routesOf('merchant'),
  operator: routesOf('operator'),
}
export { Email, Name }
