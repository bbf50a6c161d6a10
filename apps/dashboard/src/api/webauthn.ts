// Passkeys, with the browser's own WebAuthn: the gateway's options go in, what the authenticator signed comes
// out as JSON.
import type { Assertion, Attestation, PasskeyPurpose } from '@cowrie/contract/access/passkeys'
import { passkeys } from './call.ts'

/** A passkey belongs to a name; an address of digits has none, and old browsers lack the JSON forms. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  !/^[\d.]+$|:/.test(location.hostname)

/** The person closed the browser's dialog, or has none of our passkeys here. Nothing was sent. */
export class NotSigned extends Error {}

async function dialog<T>(ask: () => Promise<Credential | null>, read: (credential: PublicKeyCredential) => T) {
  const credential = await ask().catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'InvalidStateError')
      throw new NotSigned('This device already has a passkey of yours.')
    throw new NotSigned('No passkey was used. Nothing was sent.')
  })
  if (!(credential instanceof PublicKeyCredential)) throw new NotSigned('No passkey was used. Nothing was sent.')
  return read(credential)
}

function signed(publicKey: object): Promise<Assertion> {
  const options = PublicKeyCredential.parseRequestOptionsFromJSON(
    publicKey as unknown as PublicKeyCredentialRequestOptionsJSON,
  )
  return dialog(
    () => navigator.credentials.get({ publicKey: options }),
    (credential) => credential.toJSON() as Assertion,
  )
}

export async function sign(purpose: Exclude<PasskeyPurpose, 'register' | 'act'>): Promise<Assertion> {
  const { publicKey } = await passkeys('options', { purpose })
  return signed(publicKey)
}

export async function create(): Promise<Attestation> {
  const { publicKey } = await passkeys('options', { purpose: 'register' })
  const options = PublicKeyCredential.parseCreationOptionsFromJSON(
    publicKey as unknown as PublicKeyCredentialCreationOptionsJSON,
  )
  return dialog(
    () => navigator.credentials.create({ publicKey: options }),
    (credential) => credential.toJSON() as Attestation,
  )
}

/** The passkey signs the digest of an act; the gateway gave it as the challenge. */
export async function signAct(digest: string): Promise<Assertion> {
  const { publicKey } = await passkeys('options', { purpose: 'act', digest })
  return signed(publicKey)
}
