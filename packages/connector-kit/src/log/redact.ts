// What may be written into a log: everything but secrets and numbers that name a person's card or identity. A
// log is copied, shipped and kept by people who are not entitled to them, so that what looks like one is left
// out too.
import { CARD_MARK, withoutCards } from '../kit/secretless.ts'

const MARK = '[redacted]'
const IDENTITY_MARK = '[11 digits]'

/** Names of fields that are never shown, whatever the adapter adds. Compared without case, - and _. */
const SECRET_NAMES = [
  ...['authorization', 'proxyauthorization', 'cookie', 'setcookie', 'cowriesignature', 'xapikey', 'apikey'],
  ...[
    'password',
    'passwd',
    'secret',
    'clientsecret',
    'secretkey',
    'privatekey',
    'token',
    'accesstoken',
    'refreshtoken',
    'idtoken',
  ],
  ...['pan', 'cardnumber', 'cvv', 'cvc', 'pin', 'otp', 'bvn', 'senderbvn', 'nin', 'vnin'],
  ...['sealedcard', 'sealedvalue', 'phone', 'birthday'],
]
const plain = (name: string): string => name.toLowerCase().replace(/[-_ ]/g, '')

/** BVN and NIN have eleven digits. So have telephone numbers, which do not belong into a log either. */
const IDENTITY = /(?<![\d.])\d{11}(?![\d.]|\.\d)/g
const CREDENTIALS = /\b(Bearer|Basic|Digest|Token)\s+[\w.~+/=:-]{4,}/gi
/** `postgres://login:password@host` */
const USER_INFO = /\b([a-z][a-z0-9+.-]*:\/\/[^\s/:@]*):[^\s/@]+@/gi

export type Redaction = {
  /** Names of fields that hold secrets of this bank. */
  readonly secretNames?: readonly string[]
  /** Secrets by value, wherever they turn up. */
  readonly secrets?: () => readonly string[]
}

const DEPTH_MAX = 8
const TEXT_MAX = 4_000
const SECRET_MIN = 4

export function createRedact({ secretNames = [], secrets = () => [] }: Redaction): (value: unknown) => unknown {
  const hidden = new Set([...SECRET_NAMES, ...secretNames].map(plain))

  const text = (whole: string): string => {
    let shown = whole
    for (const secret of secrets()) if (secret.length >= SECRET_MIN) shown = shown.replaceAll(secret, MARK)
    return withoutCards(shown.slice(0, TEXT_MAX))
      .replace(CREDENTIALS, (_hit, scheme: string) => `${scheme} ${MARK}`)
      .replace(USER_INFO, (_hit, before: string) => `${before}:${MARK}@`)
      .replace(IDENTITY, IDENTITY_MARK)
  }

  const number = (value: number | bigint): unknown => {
    const shown = String(value)
    return text(shown) === shown ? (typeof value === 'bigint' ? shown : value) : text(shown)
  }

  const error = (value: Error, depth: number): unknown => {
    const { code, cause }: { code?: unknown; cause?: unknown } = value
    return {
      name: value.name,
      message: text(value.message),
      ...(typeof code === 'string' ? { code: text(code) } : {}),
      ...(value.stack === undefined ? {} : { stack: text(value.stack) }),
      ...(cause === undefined ? {} : { cause: redact(cause, depth + 1) }),
    }
  }

  const redact = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return text(value)
    if (typeof value === 'number' || typeof value === 'bigint') return number(value)
    if (typeof value !== 'object' || value === null) return typeof value === 'boolean' ? value : (value ?? null)
    if (depth > DEPTH_MAX) return '[deep]'
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? '[no date]' : value.toISOString()
    if (value instanceof Error) return error(value, depth)
    if (value instanceof Uint8Array) return `[${value.length} bytes]`
    if (value instanceof Map) return redact(Object.fromEntries(value), depth)
    if (value instanceof Set) return redact([...value], depth)
    if (Array.isArray(value)) return list(value, depth)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        text(name),
        hidden.has(plain(name)) ? MARK : redact(inner, depth + 1),
      ]),
    )
  }

  /** Headers as undici has them: name, value, name, value. */
  const list = (values: readonly unknown[], depth: number): unknown[] =>
    values.map((value, at) => {
      const before = values[at - 1]
      return typeof before === 'string' && hidden.has(plain(before)) ? MARK : redact(value, depth + 1)
    })

  return (value) => redact(value, 0)
}

export { CARD_MARK, IDENTITY_MARK, MARK }
