// The three places of keys that are not in the settings: a file, a program (for Vault or a cloud's KMS), and
// a token that is reached by PKCS #11. A token is asked through OpenSC's `pkcs11-tool`, so that the library
// of its vendor runs in a process of its own, and never in one that holds keys.
// docs/decisions/0110-custodians.md
import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  publicEncrypt,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  type Custodian,
  type DocumentSigner,
  digestFor,
  type KeyPlace,
  type NamedPlace,
  toKeyId,
} from '#kit/custody.ts'
import type { Env } from '#kit/process.ts'
import { runProgram, toCode } from './programs.ts'

type Place<Kind extends KeyPlace['kind']> = Extract<KeyPlace, { kind: Kind }>

async function readText(path: string, what: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    throw new Error(`${what} ${path} cannot be read (${toCode(error)})`)
  }
}
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
function fromBase64(text: string, who: string): Buffer {
  const trimmed = text.replaceAll(/[\r\n]/g, '').trim()
  if (trimmed === '' || trimmed.length % 4 !== 0 || !BASE64.test(trimmed))
    throw new Error(`${who} did not answer base64`)
  return Buffer.from(trimmed, 'base64')
}

// ---- file: 32 bytes in base64

const NONCE_BYTES = 12
const TAG_BYTES = 16
function inFile({ path }: Place<'file'>): Omit<Custodian, 'name'> {
  const keyOf = async (): Promise<Buffer> => {
    const key = Buffer.from(await readText(path, 'the file'), 'base64')
    if (key.length !== 32) throw new Error(`the file ${path} must hold 32 bytes in base64 (openssl rand -base64 32)`)
    return key
  }
  return {
    wrap: async (share) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', await keyOf(), nonce)
      return Buffer.concat([nonce, cipher.update(share), cipher.final(), cipher.getAuthTag()])
    },
    unwrap: async (wrapped) => {
      const options = { authTagLength: TAG_BYTES }
      const decipher = createDecipheriv('aes-256-gcm', await keyOf(), wrapped.subarray(0, NONCE_BYTES), options)
      try {
        decipher.setAuthTag(wrapped.subarray(-TAG_BYTES))
        return Buffer.concat([decipher.update(wrapped.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
      } catch {
        throw new Error(`the key in ${path} is not the one that wrapped this`)
      }
    },
  }
}

// ---- command: `<program> wrap|unwrap|sign|public-key`

const ask = ({ words }: Place<'command'>, env: Env, verb: string, input: string): Promise<string> =>
  runProgram([...words, verb], { input: Buffer.from(input), env }).then((answer) => answer.toString('utf8').trim())

/** What it wraps is a text of its own making (`vault:v1:…`), which it is given back as it was. */
const byCommand = (place: Place<'command'>, env: Env): Omit<Custodian, 'name'> => ({
  wrap: async (share) => {
    const text = await ask(place, env, 'wrap', `${share.toString('base64')}\n`)
    if (text === '') throw new Error(`${place.words[0]} answered nothing`)
    return Buffer.from(text, 'utf8')
  },
  unwrap: async (wrapped) =>
    fromBase64(await ask(place, env, 'unwrap', `${wrapped.toString('utf8')}\n`), place.words[0]),
})

// ---- pkcs11

const OAEP = { sha1: ['SHA-1', 'MGF1-SHA1'], sha256: ['SHA256', 'MGF1-SHA256'] } as const
/** The PIN goes to the program in its environment, where only its own user can look. */
const PIN = 'COWRIE_TOKEN_PIN'

function token(place: Place<'pkcs11'>, env: Env) {
  const at = ['--module', place.module, '--token-label', place.token, '--id', place.id]
  // A token locks itself after some wrong PINs: the same one is never tried twice.
  let refused: string | null = null
  const run = async (words: readonly string[], input: Buffer, more: Env = {}): Promise<Buffer> => {
    try {
      return await runProgram(['pkcs11-tool', ...at, ...words], { input, env: { ...env, ...more } })
    } catch (error) {
      throw new Error(`token ${place.token}: ${(error as Error).message}`)
    }
  }
  return {
    asUser: async (words: readonly string[], input: Buffer): Promise<Buffer> => {
      const pin = await readText(place.pinFile, 'the PIN file')
      if (pin === refused) throw new Error(`token ${place.token}: its PIN was refused, and is not tried again`)
      try {
        return await run(['--login', '--pin', `env:${PIN}`, ...words], input, { [PIN]: pin })
      } catch (error) {
        if ((error as Error).message.includes('CKR_PIN_')) refused = pin
        throw error
      }
    },
    publicKey: async (): Promise<KeyObject> => {
      const given = await run(['--read-object', '--type', 'pubkey'], Buffer.alloc(0))
      try {
        return given.subarray(0, 5).toString('latin1') === '-----'
          ? createPublicKey(given)
          : createPublicKey({ key: given, format: 'der', type: 'spki' })
      } catch {
        throw new Error(`token ${place.token}: it has no public key ${place.id} that can be read`)
      }
    },
  }
}

function onToken(place: Place<'pkcs11'>, env: Env): Omit<Custodian, 'name'> {
  const { asUser, publicKey } = token(place, env)
  const [hash, mgf] = OAEP[place.hash]
  return {
    wrap: async (share) => {
      const key = await publicKey()
      if (key.asymmetricKeyType !== 'rsa') throw new Error(`token ${place.token}: key ${place.id} is not an RSA key`)
      return publicEncrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: place.hash }, share)
    },
    unwrap: (wrapped) =>
      asUser(['--decrypt', '--mechanism', 'RSA-PKCS-OAEP', '--hash-algorithm', hash, '--mgf', mgf], wrapped),
  }
}

export const createCustodian = ({ name, place }: NamedPlace, env: Env): Custodian => ({
  name,
  ...(place.kind === 'file' ? inFile(place) : place.kind === 'command' ? byCommand(place, env) : onToken(place, env)),
})

// ---- what signs

type Signing = { publicKey(): Promise<KeyObject>; sign(text: string, key: KeyObject): Promise<Buffer> }
const sha256 = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest()

const signingInFile = ({ path }: Place<'file'>): Signing => {
  const keyOf = async (): Promise<KeyObject> => {
    const text = await readText(path, 'the file')
    try {
      return createPrivateKey(text)
    } catch {
      throw new Error(`the file ${path} must hold a private key in PEM`) // its own words could quote it
    }
  }
  return {
    publicKey: async () => createPublicKey(await keyOf()),
    sign: async (text, key) => sign(digestFor(key), Buffer.from(text, 'utf8'), await keyOf()),
  }
}
const signingByCommand = (place: Place<'command'>, env: Env): Signing => ({
  publicKey: async () => {
    const text = await ask(place, env, 'public-key', '')
    try {
      return createPublicKey(text)
    } catch {
      throw new Error(`${place.words[0]} did not answer a public key in PEM`)
    }
  },
  sign: async (text) =>
    fromBase64(await ask(place, env, 'sign', `${Buffer.from(text, 'utf8').toString('base64')}\n`), place.words[0]),
})
const signingOnToken = (place: Place<'pkcs11'>, env: Env): Signing => {
  const { asUser, publicKey } = token(place, env)
  return {
    publicKey,
    sign: (text, { asymmetricKeyType }) =>
      asymmetricKeyType === 'ed25519'
        ? asUser(['--sign', '--mechanism', 'EDDSA'], Buffer.from(text, 'utf8'))
        : asUser(['--sign', '--mechanism', 'ECDSA', '--signature-format', 'openssl'], sha256(text)),
  }
}

export function createDocumentSigner(place: KeyPlace, env: Env): DocumentSigner {
  const from =
    place.kind === 'file'
      ? signingInFile(place)
      : place.kind === 'command'
        ? signingByCommand(place, env)
        : signingOnToken(place, env)
  const shown = async (): Promise<KeyObject> => {
    const key = await from.publicKey()
    if (key.asymmetricKeyType === 'ed25519' || key.asymmetricKeyType === 'ec') return key
    throw new Error('HEADS_KEY must be a key for Ed25519 or ECDSA')
  }
  const toPem = (key: KeyObject): string => String(key.export({ format: 'pem', type: 'spki' }))
  return {
    publicKey: async () => toPem(await shown()),
    sign: async (text) => {
      const key = await shown()
      const signature = await from.sign(text, key)
      if (!verify(digestFor(key), Buffer.from(text, 'utf8'), key, signature))
        throw new Error('HEADS_KEY: what was signed is not of the public key that was shown')
      return { keyId: toKeyId(toPem(key)), signature: signature.toString('base64') }
    },
  }
}
