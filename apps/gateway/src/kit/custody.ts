// Keys that lie on disk wrapped, and open only with their custodians. Whoever opens a wrapped key has a share
// from each custodian that it names; the key that it is encrypted with is made of all of them (exclusive or),
// so all but one of the shares tell nothing. docs/decisions/0110-custodians.md
import { createCipheriv, createDecipheriv, createHash, createPublicKey, type KeyObject, randomBytes } from 'node:crypto'

/** Where a key lies that is not ours to see: a file, a program, or a token that is reached by PKCS #11. */
export type KeyPlace =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'command'; readonly words: readonly [string, ...string[]] }
  | {
      readonly kind: 'pkcs11'
      readonly module: string
      readonly token: string
      /** The id of the key, in hex. */
      readonly id: string
      readonly pinFile: string
      /** The digest of RSA-OAEP. */
      readonly hash: 'sha1' | 'sha256'
    }
export type NamedPlace = { readonly name: string; readonly place: KeyPlace }

/** Whoever keeps a share. */
export type Custodian = {
  readonly name: string
  wrap(share: Buffer): Promise<Buffer>
  unwrap(wrapped: Buffer): Promise<Buffer>
}

/** Signs what must not be signed by who has the process, with a key that the process does not have. */
export type DocumentSigner = {
  /** SPKI in PEM. */
  publicKey(): Promise<string>
  /** `signature`: Ed25519, or ECDSA with SHA-256 in DER, over the text; base64. */
  sign(text: string): Promise<{ readonly keyId: string; readonly signature: string }>
}

/** What a signature of such a key is made over: Ed25519 takes the text itself. */
export const digestFor = ({ asymmetricKeyType }: KeyObject): 'sha256' | null =>
  asymmetricKeyType === 'ed25519' ? null : 'sha256'

/** Eight digits of the public key's SHA-256, which tell the key that signed. */
export const toKeyId = (publicKey: string): string =>
  createHash('sha256')
    .update(createPublicKey(publicKey).export({ format: 'der', type: 'spki' }))
    .digest('hex')
    .slice(0, 8)

/** Says which custodian, and what it says. */
export class NotOpened extends Error {}

const SHARE_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const FORM = /^w1\.([a-z0-9+-]+)\.([\w+-]+)\.([\w-]+)$/

export const isWrapped = (text: string): boolean => text.startsWith('w1.')

function together(shares: readonly Buffer[]): Buffer {
  const key = Buffer.alloc(SHARE_BYTES)
  for (const share of shares) for (const [at, byte] of share.entries()) key[at] = (key[at] ?? 0) ^ byte
  return key
}

/** Every custodian is asked, so that all that is wrong is said at once. */
async function fromEach<T>(custodians: readonly Custodian[], ask: (one: Custodian, at: number) => Promise<T>) {
  const answers = await Promise.allSettled(custodians.map(ask))
  const faults = answers.flatMap((answer, at) =>
    answer.status === 'rejected' ? [`${custodians[at]?.name}: ${(answer.reason as Error).message}`] : [],
  )
  if (faults.length > 0) throw new NotOpened(`of the custodians, ${faults.join('; ')}`)
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
}

/** `w1.<custodians>.<share of each, wrapped by it>.<the text, sealed>`: it holds no comma and no white space,
 *  so it stands wherever a key stands. */
export async function wrapKey(custodians: readonly Custodian[], text: string): Promise<string> {
  const names = custodians.map(({ name }) => name)
  if (names.length === 0 || new Set(names).size < names.length) throw new NotOpened('name custodians, each once')
  const shares = custodians.map(() => randomBytes(SHARE_BYTES))
  const wrapped = await fromEach(custodians, (one, at) => one.wrap(shares[at] as Buffer))
  const head = `w1.${names.join('+')}`
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', together(shares), nonce).setAAD(Buffer.from(head))
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  // A share is base64url, which has no plus sign.
  return `${head}.${wrapped.map((one) => one.toString('base64url')).join('+')}.${sealed.toString('base64url')}`
}

function decrypt(key: Buffer, sealed: Buffer, head: string): string {
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), options)
  decipher.setAAD(Buffer.from(head)).setAuthTag(sealed.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString('utf8')
}

/** The text of a key; one that is not wrapped is its own text. */
export async function unwrapKey(custodians: readonly Custodian[], text: string): Promise<string> {
  if (!isWrapped(text)) return text
  const [, names = '', shares = '', sealed = ''] = FORM.exec(text) ?? []
  const wrapped = shares.split('+')
  const asked = names.split('+').map((name) => {
    const custodian = custodians.find((one) => one.name === name)
    if (names !== '' && custodian === undefined)
      throw new NotOpened(`it needs the custodian ${name}, and CUSTODIANS does not name one`)
    return custodian as Custodian
  })
  if (names === '' || asked.length !== wrapped.length) throw new NotOpened('it is not whole')
  const opened = await fromEach(asked, async (one, at) => {
    const share = await one.unwrap(Buffer.from(wrapped[at] ?? '', 'base64url'))
    if (share.length !== SHARE_BYTES) throw new Error(`answered ${share.length} bytes, and a share has ${SHARE_BYTES}`)
    return share
  })
  try {
    return decrypt(together(opened), Buffer.from(sealed, 'base64url'), `w1.${names}`)
  } catch {
    throw new NotOpened(`the shares of ${asked.map(({ name }) => name).join(' and ')} do not open it`)
  }
}
