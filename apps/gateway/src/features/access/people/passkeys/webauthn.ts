// What WebAuthn says, and the library that checks it. Pure: no database, and no network either. No
// attestation is asked for, and a statement that is sent all the same is dropped unread: the library would
// look up revocation lists at addresses that its sender chose.
import type { Assertion, Attestation } from '@cowrie/contract/access/passkeys'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { decodeAttestationObject, isoCBOR } from '@simplewebauthn/server/helpers'

/** Ed25519, ECDSA with P-256, RSA: what authenticators have. */
const ALGORITHMS = [-8, -7, -257]
const TIMEOUT_MS = 120_000

/** Us, to an authenticator: the host that its keys belong to, and where the page must be. */
export type RelyingParty = { readonly id: string; readonly origin: string }
export function relyingParty(address: string): RelyingParty {
  const { hostname, origin } = new URL(address)
  return { id: hostname, origin }
}

export type Descriptor = { readonly credential_id: Buffer; readonly transports: readonly string[] }
const descriptors = (known: readonly Descriptor[]) =>
  known.map(({ credential_id, transports }) => ({
    type: 'public-key',
    id: credential_id.toString('base64url'),
    transports,
  }))

export const creationOptions = (
  party: RelyingParty,
  person: { readonly handle: Buffer; readonly email: string; readonly name: string },
  challenge: string,
  known: readonly Descriptor[],
) => ({
  rp: { id: party.id, name: 'Cowrie' },
  user: { id: person.handle.toString('base64url'), name: person.email, displayName: person.name },
  challenge,
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  timeout: TIMEOUT_MS,
  attestation: 'none',
  excludeCredentials: descriptors(known),
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
})

/** Without `known` any passkey of ours that the device has may answer. */
export const requestOptions = (party: RelyingParty, challenge: string, known: readonly Descriptor[]) => ({
  rpId: party.id,
  challenge,
  timeout: TIMEOUT_MS,
  userVerification: 'required',
  allowCredentials: descriptors(known),
})

type ClientData = { readonly challenge: string; readonly crossOrigin: boolean }
/** What the browser says that it asked; null where it cannot be read. */
function clientDataOf(text: string): ClientData | null {
  try {
    const { challenge, crossOrigin } = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Record<
      string,
      unknown
    >
    return typeof challenge === 'string' ? { challenge, crossOrigin: crossOrigin === true } : null
  } catch {
    return null
  }
}
/** The challenge that was signed; null where there is none, or a page within somebody else's asked. */
export function parseChallenge(clientDataJSON: string): string | null {
  const data = clientDataOf(clientDataJSON)
  return data && !data.crossOrigin ? data.challenge : null
}

function withoutStatement(attestationObject: string): string {
  const authData = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url'))).get('authData')
  const bare = isoCBOR.encode(
    new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', authData],
    ]),
  )
  return Buffer.from(bare).toString('base64url')
}

export type NewPasskey = { readonly credentialId: Buffer; readonly publicKey: Buffer; readonly counter: number }

/** The key of a new passkey; null when anything about it is not as it must be. */
export async function verifyNew(
  party: RelyingParty,
  challenge: string,
  { id, rawId, type, response }: Attestation,
): Promise<NewPasskey | null> {
  try {
    const { clientDataJSON, attestationObject } = response
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject: withoutStatement(attestationObject) },
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return null
    const { credential } = registrationInfo
    return {
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
    }
  } catch {
    return null // what it throws is about what somebody sent
  }
}

/** The authenticator's counter after a good signature; null for any other. Whether it went forward is asked
 *  by whoever holds the row. */
export async function verifySignature(
  party: RelyingParty,
  challenge: string,
  publicKey: Buffer,
  { id, rawId, type, response }: Assertion,
): Promise<bigint | null> {
  try {
    const { clientDataJSON, authenticatorData, signature } = response
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
      requireUserVerification: true,
    })
    return verified ? BigInt(authenticationInfo.newCounter) : null
  } catch {
    return null
  }
}
