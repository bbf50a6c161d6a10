// How people can be refused: log-in, session, second factor, invitation, team.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const PEOPLE_ERRORS = {
  SESSION_MISSING: {
    status: 401,
    message: 'You are not logged in',
    hint: 'Log in. A program sends the token as Authorization: Session.',
    retry: 'never',
    oauth: 'unauthorized',
  },
  SESSION_ENDED: {
    status: 401,
    message: 'Your session has ended',
    hint: 'Log in again. A session ends when it is unused for a while, after some hours, and when somebody ends it.',
    retry: 'never',
    oauth: 'unauthorized',
  },
  SESSION_HALF: {
    status: 403,
    message: 'The code of your second factor is missing',
    hint: 'Send it to log-in/code, or prove yourself with a passkey.',
    retry: 'never',
  },
  CROSS_SITE: {
    status: 403,
    message: 'The request came from another site',
    hint: 'Changes are taken from our own pages only, as application/json.',
    retry: 'never',
  },
  FACTOR_NEEDED: {
    status: 403,
    message: 'Set up a second factor first',
    hint: 'Your role needs an authenticator app or a passkey. Set one up, then go on.',
    retry: 'never',
  },
  PROOF_NEEDED: {
    status: 403,
    message: 'Confirm first that it is you',
    hint: 'Send a code of your authenticator app to step-up, or your password where you have no second factor; then repeat it within five minutes.',
    retry: 'never',
  },
  LOG_IN_REFUSED: {
    status: 401,
    message: 'The e-mail address or the password is wrong',
    hint: 'Check both. If you have forgotten the password, ask an owner or administrator to invite you again.',
    retry: 'never',
    oauth: 'unauthorized',
  },
  LOG_IN_LIMITED: {
    status: 429,
    message: 'Too many attempts to log in',
    hint: 'Wait as long as Retry-After says. A device that you have logged in from before is not affected by attempts from elsewhere.',
    retry: 'later',
  },
  PERSON_ADDRESS_REFUSED: {
    status: 403,
    message: 'Your merchant does not let its team in from this address',
    hint: 'An owner has listed the networks from which the team comes in, on the page of the team. Owners come in from anywhere.',
    retry: 'never',
  },
  TOO_MANY_INVITATIONS: {
    status: 429,
    message: 'Too many invitations were sent',
    hint: 'A team sends 20 links a day, and one address gets three an hour. Try again later.',
    retry: 'later',
  },
  CODE_REFUSED: {
    status: 403,
    message: 'The code is wrong or was used before',
    hint: 'Use the next code of your authenticator app, or a recovery code that you have not used. Check the clock of your phone.',
    retry: 'never',
  },
  FACTOR_LOCKED: {
    status: 403,
    message: 'After twenty wrong codes those of the app are refused',
    hint: 'Use a recovery code or a passkey; then codes of the app count again. If it was not you, change your password.',
    retry: 'never',
  },
  FACTOR_NOT_STARTED: {
    status: 409,
    message: 'No authenticator app is being set up',
    hint: 'Start with totp/start.',
    retry: 'never',
  },
  PASSWORD_WEAK: {
    status: 400,
    message: 'Field {field} is too easy to guess',
    hint: 'Use at least twelve characters: no common password, no row of the keyboard, and neither your name nor your e-mail address.',
    retry: 'never',
  },
  PASSWORD_USED: {
    status: 400,
    message: 'Field {field} is a password that you have had',
    hint: 'Choose one that is none of your last four.',
    retry: 'never',
  },
  PASSWORD_REFUSED: {
    status: 403,
    message: 'The present password is wrong',
    hint: 'Send the password that you log in with.',
    retry: 'never',
  },
  INVITATION_INVALID: {
    status: 404,
    message: 'The invitation is not valid',
    hint: 'It can be used once, within 72 hours. Ask for another one.',
    retry: 'never',
  },
  ALREADY_MEMBER: {
    status: 409,
    message: 'This person is a member already',
    hint: 'Change the role instead.',
    retry: 'never',
  },
  MEMBER_UNKNOWN: {
    status: 404,
    message: 'No such member',
    hint: 'List the members to see who is there.',
    retry: 'never',
  },
  OWNER_IN_FORCE: {
    status: 409,
    message: 'The merchant has an owner',
    hint: 'Its owner invites others. Where no owner can be reached, use owners.replace: two operators, and 72 hours in which the owners can object.',
    retry: 'never',
  },
  LAST_ADMIN: {
    status: 409,
    message: 'Somebody must stay who can manage the others',
    hint: 'Give another person the role of owner or admin first.',
    retry: 'never',
  },
} as const satisfies Record<string, ErrorSpec>
