// Secrets at rest, digests and tokens. One master key; a key of its own for every purpose is derived from it, so that
// a token key can never open a sealed secret.
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

export type Keys = {
  /** Which master key sealed a record. A record of another key is refused, so changing the master key needs re-sealing first. */
  readonly id: string
  readonly sealing: Buffer
  readonly login: Buffer
  readonly tokens: Buffer
  readonly requests: Buffer
  readonly codes: Buffer
  /** Of paycodes, by which they are found. */
  readonly paycodes: Buffer
  /** Of people: bank verification numbers and national identity numbers. */
  readonly identities: Buffer
  /** Of card numbers and addresses, while attempts with a card are counted. */
  readonly attempts: Buffer
  /** Seed of the Ed25519 key that signs statements. */
  readonly statements: Buffer
  /** Of the addresses of hosted pages. */
  readonly checkout: Buffer
}

export function deriveKeys(masterKey: Buffer): Keys {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', masterKey, 'cowrie', purpose, 32))
  return {
    id: createHash('sha256').update(masterKey).digest('hex').slice(0, 8),
    sealing: derive('sealing'),
    login: derive('login'),
    tokens: derive('tokens'),
    requests: derive('requests'),
    codes: derive('codes'),
    paycodes: derive('paycodes'),
    identities: derive('identities'),
    attempts: derive('attempts'),
    statements: derive('statements'),
    checkout: derive('checkout'),
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

/** Envelope encryption: a data key for this record alone, itself sealed with the master's sealing key. `context` (whose
 *  secret it is) is bound in, so that a sealed secret copied to another merchant does not open. */
export function seal(keys: Keys, plain: string, context: string): string {
  const dataKey = randomBytes(32)
  const wrapped = encrypt(keys.sealing, dataKey, context)
  const sealed = encrypt(dataKey, Buffer.from(plain, 'utf8'), context)
  return `v1.${keys.id}.${wrapped.toString('base64url')}.${sealed.toString('base64url')}`
}

export function open(keys: Keys, record: string, context: string): string {
  const [version, keyId, wrapped, sealed] = record.split('.')
  if (version !== 'v1' || keyId !== keys.id || !wrapped || !sealed) throw new Error('encrypted with a different key')
  const dataKey = decrypt(keys.sealing, Buffer.from(wrapped, 'base64url'), context)
  return decrypt(dataKey, Buffer.from(sealed, 'base64url'), context).toString('utf8')
}

/** What login compares: never the secret itself. */
export const loginDigest = (keys: Keys, secret: string): Buffer =>
  createHmac('sha256', keys.login).update(secret).digest()

/** What attempts with a card are counted by, for an hour: half of an HMAC, which is enough to tell cards apart. */
export const attemptDigest = (keys: Keys, of: 'card' | 'address', text: string): Buffer =>
  createHmac('sha256', keys.attempts).update(`${of} ${text}`).digest().subarray(0, 16)

export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)
/** Constant time for texts of any length: what is compared are digests. */
export const sameText = (a: string, b: string): boolean =>
  timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())

const TOKEN_BYTES = 16
let pool = Buffer.alloc(0)
/** 128 bits, 22 characters. Read from the system in larger pieces: a call per token costs more than the rest of it. */
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

export type Signer = {
  /** Eight digits of the public key's SHA-256: tells which key signed. */
  readonly keyId: string
  /** SPKI in PEM. */
  readonly publicKey: string
  /** Ed25519 over the text, in base64. */
  sign(text: string): string
}
export function signerOf(seed: Buffer): Signer {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' })
  const open = createPublicKey(key)
  return {
    keyId: createHash('sha256')
      .update(open.export({ format: 'der', type: 'spki' }))
      .digest('hex')
      .slice(0, 8),
    publicKey: open.export({ format: 'pem', type: 'spki' }) as string,
    sign: (text) => sign(null, Buffer.from(text, 'utf8'), key).toString('base64'),
  }
}
