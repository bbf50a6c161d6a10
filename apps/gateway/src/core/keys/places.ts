// Where keys lie that are not in the settings: who holds a share of what opens the keys of a file, and what
// signs the heads of the audit trail. A token is named by its PKCS #11 address (RFC 7512).
import type { KeyPlace, NamedPlace } from '#kit/custody.ts'
import type { Env } from '#kit/process.ts'

const NAME = /^[a-z][a-z0-9-]{1,19}$/
const KEY_ID = /^([0-9a-f]{2}){1,32}$/

/** Bytes of an address, in hex. */
const hexOf = (text: string): string =>
  text.replaceAll(/%([0-9a-f]{2})|([\s\S])/gi, (_, hex: string | undefined, one: string | undefined) =>
    (hex ?? Buffer.from(one ?? '', 'latin1').toString('hex')).toLowerCase(),
  )

/** `pkcs11:token=<label>;id=%01?module-path=<library>&pin-source=<file>[&x-hash=sha1]` */
function readToken(text: string): KeyPlace | null {
  const [path = '', query = ''] = text.split('?')
  const parts = [...path.split(';'), ...query.split('&')].filter(Boolean).map((part) => part.split('='))
  const given = new Map(parts.map(([name = '', ...rest]) => [name, rest.join('=')]))
  const known = ['token', 'id', 'module-path', 'pin-source', 'x-hash']
  const [token = '', id = '', module = '', pin = '', hash = 'sha256'] = known.map((name) => given.get(name))
  if ([...given.keys()].some((name) => !known.includes(name)) || given.size < parts.length) return null
  if (!token || !module || !pin || !KEY_ID.test(hexOf(id))) return null
  if (hash !== 'sha1' && hash !== 'sha256') return null
  try {
    const [label, library, pinFile] = [token, module, pin].map(decodeURIComponent) as [string, string, string]
    return {
      kind: 'pkcs11',
      ...{ module: library, token: label, id: hexOf(id), pinFile: pinFile.replace(/^file:/, ''), hash },
    }
  } catch {
    return null
  }
}

function readPlace(text: string): KeyPlace | null {
  const at = text.indexOf(':')
  const [kind, rest] = [text.slice(0, at), text.slice(at + 1)]
  if (kind === 'pkcs11') return readToken(rest)
  if (kind === 'file') return rest ? { kind, path: rest } : null
  const [first, ...more] = rest.split(' ').filter(Boolean)
  return kind === 'command' && first !== undefined ? { kind, words: [first, ...more] } : null
}

const FORMS =
  'file:<path>, command:<program> <words>, or pkcs11:token=<label>;id=%01?module-path=<library>&pin-source=<file>'

/** `CUSTODIANS=amina=pkcs11:…,bola=file:/run/…`. What is wrong is said without the address. */
export function readCustodians(env: Env, wrong: string[]): NamedPlace[] {
  const parts = (env['CUSTODIANS'] ?? '').split(',').filter(Boolean)
  const named = parts.flatMap((part) => {
    const [name = '', ...rest] = part.split('=')
    const place = readPlace(rest.join('='))
    return place !== null && NAME.test(name) ? [{ name, place }] : []
  })
  if (named.length < parts.length)
    wrong.push(`CUSTODIANS must be of the form amina=<place>,bola=<place>, a place being ${FORMS}`)
  if (new Set(named.map(({ name }) => name)).size < named.length) wrong.push('CUSTODIANS gives a name twice')
  return named
}

/** The key that signs the heads of the audit trail; null where the master key does. */
export function readHeadsKey(env: Env, wrong: string[]): KeyPlace | null {
  const text = env['HEADS_KEY']
  if (!text) return null
  const place = readPlace(text)
  if (place === null) wrong.push(`HEADS_KEY must be of the form ${FORMS}`)
  return place
}

const SECRET = /^(CELLS|IDENTITIES|SMTP_URL|OIDC_CLIENT_SECRET|SECURITY_KEY|(MASTER|BANK|CONNECTOR_\w+)_KEYS?)$/
/** What a program of a custodian inherits: settings of its own, and none of our secrets. */
export const withoutSecrets = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !SECRET.test(name)))
