// Passkeys of people: registered, shown, ended; for logging in, for proving who one is again, and for signing
// an act. What the browser gives and takes is WebAuthn's own JSON (`parseCreationOptionsFromJSON`, `toJSON`).
import Type, { type Static } from 'typebox'
import type { Side } from '../kit/permissions.ts'
import { route } from '../kit/spec.ts'
import { LogInReply } from './people.ts'

export const CHALLENGE_MINUTES = 5
export const PASSKEYS_MAX = 20
/** For what a challenge is made. It serves for nothing else. */
const PASSKEY_PURPOSES = ['register', 'log-in', 'step-up', 'act'] as const
export type PasskeyPurpose = (typeof PASSKEY_PURPOSES)[number]

const Bytes = (maxLength: number) => Type.String({ minLength: 1, maxLength, description: 'base64url' })
const common = {
  id: Bytes(1400),
  rawId: Bytes(1400),
  type: Type.Literal('public-key'),
}
const ClientData = Bytes(4096)

export const Attestation = Type.Object({
  ...common,
  response: Type.Object({
    clientDataJSON: ClientData,
    attestationObject: Bytes(32_768),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 8 })),
  }),
})
export type Attestation = Static<typeof Attestation>

export const Assertion = Type.Object({
  ...common,
  response: Type.Object({
    clientDataJSON: ClientData,
    authenticatorData: Bytes(4096),
    signature: Bytes(4096),
    userHandle: Type.Optional(Bytes(128)),
  }),
})
export type Assertion = Static<typeof Assertion>

/** What is kept of a signed act: with the passkey's public key, everything that proves who wanted it. */
export type KeptProof = {
  readonly credentialId: string
  readonly clientDataJSON: string
  readonly authenticatorData: string
  readonly signature: string
}

const Name = Type.String({ minLength: 1, maxLength: 60, pattern: '^[^\\u0000-\\u001f\\u007f]*$' })
export const Passkey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  createdOn: Type.String({ description: 'ISO 8601, UTC' }),
  usedOn: Type.Union([Type.String(), Type.Null()]),
})

/** The session has another token; a program gets it in the answer, a browser as a cookie. */
const Renewed = Type.Object({ token: Type.Optional(Type.String({ description: 'For Authorization: Session' })) })

/** Of the act that is signed: STEP_UP_REQUIRED names it as `challenge`. */
const ActDigest = Type.String({ minLength: 43, maxLength: 43, description: 'SHA-256 in base64url' })

const base = { auth: 'none', group: 'Passkeys' } as const
const HOMES = { merchant: '/dashboard/v1', operator: '/operator/v1' } as const

const entered = ['SESSION_MISSING', 'SESSION_ENDED', 'SESSION_HALF', 'CROSS_SITE'] as const

const signing = (side: Side, home: string) => ({
  options: route({
    ...base,
    id: `${side}.passkeys.options`,
    method: 'POST',
    path: `${home}/options`,
    summary: 'Get what the browser is asked with',
    description: `\`publicKey\` for navigator.credentials, with a challenge that is valid once, for ${CHALLENGE_MINUTES} minutes. Only logging in needs no session. For an act the challenge begins with the digest of the act.`,
    body: Type.Object({
      purpose: Type.Enum(PASSKEY_PURPOSES),
      digest: Type.Optional(ActDigest),
    }),
    reply: Type.Object({ publicKey: Type.Record(Type.String(), Type.Unknown()) }),
    errors: [...entered, 'PROOF_NEEDED', 'PASSKEYS_FULL', 'FIELD_MISSING', 'FIELD_INVALID'],
  }),
  logIn: route({
    ...base,
    id: `${side}.passkeys.logIn`,
    method: 'POST',
    path: `${home}/log-in`,
    summary: 'Log in with a passkey',
    description: 'It counts as two factors: the device, and the fingerprint, face or PIN that it asked for.',
    body: Type.Object({
      credential: Assertion,
      merchant: Type.Optional(Type.String({ maxLength: 64, description: 'API key, where you belong to several' })),
    }),
    reply: LogInReply,
    errors: ['CROSS_SITE', 'PASSKEY_REFUSED'],
  }),
  stepUp: route({
    ...base,
    id: `${side}.passkeys.stepUp`,
    method: 'POST',
    path: `${home}/step-up`,
    summary: 'Prove again who you are',
    description: 'Good for five minutes. It also finishes a log-in that waits for the second factor.',
    body: Type.Object({ credential: Assertion }),
    reply: Renewed,
    errors: ['SESSION_MISSING', 'SESSION_ENDED', 'CROSS_SITE', 'PASSKEY_REFUSED'],
  }),
})
const keeping = (side: Side, home: string) => ({
  register: route({
    ...base,
    id: `${side}.passkeys.register`,
    method: 'POST',
    path: home,
    summary: 'Register a passkey',
    body: Type.Object({ name: Name, credential: Attestation }),
    reply: Type.Object({ ...Passkey.properties, ...Renewed.properties }),
    errors: [...entered, 'PROOF_NEEDED', 'PASSKEY_REFUSED', 'PASSKEY_TAKEN', 'PASSKEYS_FULL'],
  }),
  list: route({
    ...base,
    id: `${side}.passkeys.list`,
    method: 'GET',
    path: home,
    summary: 'List your passkeys',
    reply: Type.Array(Passkey),
    errors: entered,
  }),
  rename: route({
    ...base,
    id: `${side}.passkeys.rename`,
    method: 'PATCH',
    path: `${home}/{id}`,
    summary: 'Rename a passkey',
    body: Type.Object({ name: Name }),
    reply: Passkey,
    errors: [...entered, 'PASSKEY_UNKNOWN'],
  }),
  end: route({
    ...base,
    id: `${side}.passkeys.end`,
    method: 'DELETE',
    path: `${home}/{id}`,
    summary: 'End a passkey',
    reply: Renewed,
    errors: [...entered, 'PROOF_NEEDED', 'PASSKEY_UNKNOWN'],
  }),
})
/** The same on both listeners: a merchant's people at the dashboard's, the operator's at their own. */
export const createPasskeyRoutes = (side: Side) => {
  const home = `${HOMES[side]}/passkeys`
  return { ...signing(side, home), ...keeping(side, home) }
}
