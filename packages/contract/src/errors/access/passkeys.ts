// How passkeys and log-ins at an OpenID Connect provider can be refused. A refusal does not tell which check
// failed.
import type { ErrorSpec } from '../kit/error-spec.ts'

export const PASSKEY_ERRORS = {
  PASSKEY_REFUSED: {
    status: 403,
    message: 'The passkey was not accepted',
    hint: 'Ask for new options and try again: a challenge is valid once, for five minutes, and for one purpose. The passkey must be your own and ask for your fingerprint, face or PIN.',
    retry: 'never',
  },
  PASSKEY_UNKNOWN: {
    status: 404,
    message: 'No such passkey',
    hint: 'List your passkeys; one that was ended is not shown.',
    retry: 'never',
  },
  PASSKEY_TAKEN: {
    status: 409,
    message: 'This passkey is or was registered already',
    hint: 'Make a new one on the device, or register another device.',
    retry: 'never',
  },
  PASSKEYS_FULL: {
    status: 409,
    message: 'You have as many passkeys as a person may have',
    hint: 'End one that you no longer use.',
    retry: 'never',
  },
  OIDC_OFF: {
    status: 404,
    message: 'Nobody logs in through an identity provider here',
    hint: 'Log in with a passkey, or with password and code. Whoever runs the gateway can set OIDC_ISSUER.',
    retry: 'never',
  },
  OIDC_REFUSED: {
    status: 403,
    message: 'The log-in at the identity provider was not accepted',
    hint: 'Only people who were invited here come in, by the e-mail address that the provider has verified. Begin again in the same browser, within five minutes.',
    retry: 'never',
  },
  OIDC_UNAVAILABLE: {
    status: 503,
    message: 'The identity provider does not answer',
    hint: 'Try again in a moment, or log in with a passkey.',
    retry: 'later',
  },
} as const satisfies Record<string, ErrorSpec>
