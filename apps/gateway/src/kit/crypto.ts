// Secrets at rest, digests and tokens. One master key, in versions; a key of its own for every purpose is
// derived from each, so that a token key can never open a sealed secret.
// docs/decisions/0068-versions-of-keys.md says what of it changes with the version.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  randomBytes,
  randomInt,
  sign,
  timingSafeEqual,
} from 'node:crypto'
import { toKeyId } from './custody.ts'

/** One version of the master key; the numbers grow. */
export type MasterKey = { readonly version: number; readonly key: Buffer }

/** Keys under which digests, addresses and handles were made that cannot be made again: of a limited key's
 *  secret we have the digest only, and an address is in somebody's mail. They outlive the master key that
 *  they were derived from; the database keeps them, sealed (core/keys/known.ts). Each with the purpose it was
 *  derived for when it was young. */
const LASTING = {
  login: 'login',
  /** Of requests under an idempotency key. */
  requests: 'requests',
  /** Of recovery codes. */
  recovery: 'codes',
  /** Of paycodes, by which they are found. */
  paycodes: 'paycodes',
  /** Of people: bank verification numbers and national identity numbers. */
  identities: 'identities',
  /** Of the addresses of hosted pages. */
  checkout: 'checkout',
  /** What an authenticator knows a person by. */
  handles: 'challenges',
  /** Marks what browsers are recognised by as ours. */
  devices: 'tokens',
} as const
export const LASTING_NAMES = Object.keys(LASTING) as readonly (keyof typeof LASTING)[]
export type Lasting = Readonly<Record<keyof typeof LASTING, Buffer>>
/** What lasts of all keys, and nothing else of them. */
export const selectLasting = (keys: Lasting): Lasting =>
  Object.fromEntries(LASTING_NAMES.map((name) => [name, keys[name]])) as Lasting

export type KeyVersion = {
  readonly version: number
  /** Its fingerprint, which is in every record that it sealed. */
  readonly id: string
  readonly sealing: Buffer
  /** Seed of the Ed25519 key that signs statements. */
  readonly statements: Buffer
  readonly lasting: Lasting
}

/** A public key that statements were signed with. */
export type StatementKey = { readonly keyId: string; readonly publicKey: string }

/** The first makes, each of them checks. */
type Several = readonly [Buffer, ...Buffer[]]

export type Keys = Lasting & {
  /** The version that seals and signs. */
  readonly present: KeyVersion
  /** All that are given, the present one first. */
  readonly versions: readonly [KeyVersion, ...KeyVersion[]]
  /** Of access tokens, for an hour. */
  readonly tokens: Several
  /** Of codes by mail, for minutes. */
  readonly codes: Several
  /** Marks challenges of passkeys as ours, for minutes. */
  readonly challenges: Several
  /** Of card numbers and addresses, while attempts with a card are counted, for an hour. */
  readonly attempts: Buffer
  /** Those of versions that are gone, too: what they signed can still be verified. */
  readonly statementKeys: readonly StatementKey[]
}

const derive = (master: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', master, 'cowrie', purpose, 32))

function versionOf({ version, key }: MasterKey): KeyVersion {
  const lasting = Object.entries(LASTING).map(([name, purpose]) => [name, derive(key, purpose)])
  return {
    version,
    id: createHash('sha256').update(key).digest('hex').slice(0, 8),
    sealing: derive(key, 'sealing'),
    statements: derive(key, 'statements'),
    lasting: Object.fromEntries(lasting) as Lasting,
  }
}

/** From the versions of the master key, the present one first. What lasts is that of the oldest until the
 *  database says otherwise. */
export function deriveKeys(masters: readonly [MasterKey, ...MasterKey[]]): Keys {
  const [first, ...others] = masters
  const several = (purpose: string): Several => [
    derive(first.key, purpose),
    ...others.map(({ key }) => derive(key, purpose)),
  ]
  const versions = masters.map(versionOf) as [KeyVersion, ...KeyVersion[]]
  const oldest = versions.reduce((one, other) => (other.version < one.version ? other : one))
  return {
    ...oldest.lasting,
    present: versions[0],
    versions,
    tokens: several('tokens'),
    codes: several('codes'),
    challenges: several('challenges'),
    attempts: derive(first.key, 'attempts'),
    statementKeys: versions.map(({ statements }) => toPublicKey(statements)),
  }
}

function encrypt(key: Buffer, plain: Buffer, context: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: Buffer, sealed: Buffer, context: string): Buffer {
  const nonce = sealed.subarray(0, 12)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: 16 }).setAAD(Buffer.from(context))
  decipher.setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])
}

/** Envelope encryption: a data key for this record alone, itself sealed with the master's sealing key.
 *  `context` (whose secret it is) is bound in, so that a sealed secret copied to another merchant does not
 *  open. The record says by its fingerprint which version of the master key sealed it. */
export function seal({ present }: Keys, plain: string, context: string, by: KeyVersion = present): string {
  const dataKey = randomBytes(32)
  const wrapped = encrypt(by.sealing, dataKey, context)
  const sealed = encrypt(dataKey, Buffer.from(plain, 'utf8'), context)
  return `v1.${by.id}.${wrapped.toString('base64url')}.${sealed.toString('base64url')}`
}

export function open({ versions }: Keys, record: string, context: string): string {
  const [form, id, wrapped, sealed] = record.split('.')
  const by = versions.find((version) => version.id === id)
  if (form !== 'v1' || !by || !wrapped || !sealed) throw new Error('encrypted with a different key')
  const dataKey = decrypt(by.sealing, Buffer.from(wrapped, 'base64url'), context)
  return decrypt(dataKey, Buffer.from(sealed, 'base64url'), context).toString('utf8')
}

/** What login compares: never the secret itself. */
export const loginDigest = (keys: Keys, secret: string): Buffer =>
  createHmac('sha256', keys.login).update(secret).digest()

/** What attempts with a card are counted by, for an hour: half of an HMAC, which is enough to tell cards
 *  apart. */
export const attemptDigest = (keys: Keys, of: 'card' | 'address', text: string): Buffer =>
  createHmac('sha256', keys.attempts).update(`${of} ${text}`).digest().subarray(0, 16)

/** Whether a digest is the one that one of several keys makes of a text. */
export const matchesDigest = (keys: Several, text: string, given: Buffer): boolean =>
  keys.some((key) => sameBytes(hmacBytes(key, text), given))

export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)
/** Constant time for texts of any length: what is compared are digests. */
export const sameText = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())

const TOKEN_BYTES = 16
let pool = Buffer.alloc(0)
/** 128 bits, 22 characters. Read from the system in larger pieces: a call per token costs more than the rest
 *  of it. */
export function randomToken(): string {
  if (pool.length < TOKEN_BYTES) pool = randomBytes(TOKEN_BYTES * 256)
  const token = pool.toString('base64url', 0, TOKEN_BYTES)
  pool.fill(0, 0, TOKEN_BYTES)
  pool = pool.subarray(TOKEN_BYTES)
  return token
}

/** For names that must not be guessed and are read by machines only. */
export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex')
export const random16 = (): Uint8Array => randomBytes(16)

export const hmacHex = (algorithm: 'sha256' | 'sha512', key: string | Buffer, text: string): string =>
  createHmac(algorithm, key).update(text, 'utf8').digest('hex')
export const hmacBase64 = (key: string | Buffer, text: string): string =>
  createHmac('sha256', key).update(text, 'utf8').digest('base64')

/** Six digits, each as likely as any other. */
export const randomCode = (): string => randomDigits(6)
/** So many digits, each as likely as any other. */
export const randomDigits = (count: number): string => String(randomInt(10 ** count)).padStart(count, '0')

const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
/** Upper-case letters and digits, each as likely as any other. */
export const randomCharacters = (count: number): string =>
  Array.from({ length: count }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('')
export const hmacBytes = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text, 'utf8').digest()

/** What a SHA-256 over pieces is made with. */
export const sha256 = () => createHash('sha256')

/** A private Ed25519 key in PKCS #8 is these bytes and its seed (RFC 8410). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** `keyId`: eight digits of the public key's SHA-256, which tell the key that signed. `publicKey`: SPKI in
 *  PEM. */
export type Signer = StatementKey & {
  /** Ed25519 over the text, in base64. */
  sign(text: string): string
}
export function createSigner(seed: Buffer): Signer {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'pem', type: 'spki' }) as string
  return {
    keyId: toKeyId(publicKey),
    publicKey,
    sign: (text) => sign(null, Buffer.from(text, 'utf8'), key).toString('base64'),
  }
}
export function toPublicKey(seed: Buffer): StatementKey {
  const { keyId, publicKey } = createSigner(seed)
  return { keyId, publicKey }
}
