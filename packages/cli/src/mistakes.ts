// What handlers typically get wrong when they check a signature: one entry each, with the value such a
// handler expects to find in the header, what it does, and how to fix it. The likeliest come first; the first
// that fits is named.
import { createHash, createHmac } from 'node:crypto'
import { SERVICE_SIGNATURE_HEADER, WEBHOOK_SIGNATURE_HEADER } from '@cowrie/contract/events/delivery'
import { serviceSignature, webhookSignature } from './sign.ts'

export type Signed = {
  readonly apiKey: string
  readonly secretKey: string
  readonly body: string
  readonly id: string
  readonly timestamp: string
}

export type Mistake = {
  readonly name: string
  /** Follows "Your handler probably". */
  readonly does: string
  readonly fix: string
  /** A short line of code that is right. */
  readonly code: string
  /** The header it looks into, if not service-signature. */
  readonly header?: typeof WEBHOOK_SIGNATURE_HEADER
  /** What it expects there. */
  readonly expects: (signed: Signed) => string
}

// --------------------------------------------------------------------------------------- how others write
// the same JSON

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type Style = {
  readonly comma?: string
  readonly colon?: string
  readonly text?: (quoted: string) => string
  readonly number?: (value: number) => string
  readonly keys?: (keys: string[]) => string[]
}

function write(value: Json, style: Style): string {
  const { comma = ',', colon = ':', text = (quoted) => quoted, number = String, keys = (list) => list } = style
  if (typeof value === 'number') return number(value)
  if (typeof value === 'string') return text(JSON.stringify(value))
  if (value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${value.map((item) => write(item, style)).join(comma)}]`
  const object = value as { readonly [key: string]: Json }
  const fields = keys(Object.keys(object)).map(
    (key) => `${text(JSON.stringify(key))}${colon}${write(object[key] as Json, style)}`,
  )
  return `{${fields.join(comma)}}`
}

const rewritten = (body: string, style: Style): string => write(JSON.parse(body) as Json, style)
const indented = (body: string, spaces: number): string => JSON.stringify(JSON.parse(body), null, spaces)
const asAscii = (quoted: string): string =>
  quoted.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
const withSlashes = (quoted: string): string => asAscii(quoted).replaceAll('/', '\\/')
const asFloat = (value: number): string => (Number.isInteger(value) ? `${value}.0` : String(value))

// ---------------------------------------------------------------------------------------------------------
// the table

const hashed =
  (change: (body: string) => string | Buffer): Mistake['expects'] =>
  ({ secretKey, body }) =>
    createHmac('sha512', secretKey).update(change(body)).digest('hex')
const keyed =
  (change: (signed: Signed) => string): Mistake['expects'] =>
  (signed) =>
    serviceSignature(change(signed), signed.body)
const plain =
  (text: (signed: Signed) => string): Mistake['expects'] =>
  (signed) =>
    createHash('sha512').update(text(signed)).digest('hex')

const rawBytes = {
  fix: 'Hash the raw bytes of the body, before anything parses them.',
  code: "app.use(express.raw({ type: '*/*' })) // req.body is a Buffer",
}
const ownSecret = {
  fix: 'Key the HMAC with the secret key of this merchant, exactly as the gateway gave it.',
  code: "createHmac('sha512', process.env.COWRIE_SECRET_KEY.trim())",
}
const hmac512 = {
  fix: 'Use HMAC-SHA512, keyed with the secret key, over the body alone.',
  code: "createHmac('sha512', secretKey).update(rawBody).digest('hex')",
}

export const MISTAKES: readonly Mistake[] = [
  {
    name: 'indent of 2',
    does: 'parses the body and hashes it serialised again with an indent of two spaces',
    ...rawBytes,
    expects: hashed((body) => indented(body, 2)),
  },
  {
    name: 'indent of 4',
    does: 'parses the body and hashes it serialised again with an indent of four spaces',
    ...rawBytes,
    expects: hashed((body) => indented(body, 4)),
  },
  {
    name: 'Python spaces',
    does: 'parses the body and hashes json.dumps of it, which puts a space after every comma and colon',
    fix: 'Hash the raw bytes of the body, before anything parses them.',
    code: 'hmac.new(key, request.get_data(), hashlib.sha512).hexdigest()',
    expects: hashed((body) => rewritten(body, { comma: ', ', colon: ': ', text: asAscii })),
  },
  {
    name: 'PHP slashes',
    does: 'parses the body and hashes json_encode of it, which writes / as \\/ and other letters as \\uXXXX',
    fix: 'Hash the raw bytes of the body, before anything parses them.',
    code: "hash_hmac('sha512', file_get_contents('php://input'), $secretKey)",
    expects: hashed((body) => rewritten(body, { text: withSlashes })),
  },
  {
    name: 'escaped letters',
    does: 'parses the body and hashes it serialised again with non-ASCII letters as \\uXXXX',
    ...rawBytes,
    expects: hashed((body) => rewritten(body, { text: asAscii })),
  },
  {
    name: 'sorted keys',
    does: 'parses the body and hashes it serialised again with its keys sorted',
    ...rawBytes,
    expects: hashed((body) => rewritten(body, { keys: (keys) => keys.sort() })),
  },
  {
    name: 'numbers as 100.0',
    does: 'parses the body and hashes it serialised again with whole numbers as 100.0',
    ...rawBytes,
    expects: hashed((body) => rewritten(body, { number: asFloat })),
  },
  {
    name: 'eventData only',
    does: 'hashes eventData only',
    fix: 'Hash the raw bytes of the whole body, including eventType and metaData.',
    code: rawBytes.code,
    expects: hashed((body) => JSON.stringify((JSON.parse(body) as { eventData?: unknown }).eventData ?? null)),
  },
  {
    name: 'newline behind the body',
    does: 'hashes the body with a newline after it',
    fix: 'Hash the body as it came; `echo` and line-wise reading add a newline, `printf %s` does not.',
    code: 'printf %s "$BODY" | openssl dgst -sha512 -hmac "$SECRET_KEY"',
    expects: hashed((body) => `${body}\n`),
  },
  {
    name: 'no body',
    does: 'hashes an empty body, because something else had already read the stream',
    fix: 'Keep the raw bytes where the body is first read.',
    code: 'express.json({ verify: (req, _res, raw) => { req.rawBody = raw } })',
    expects: hashed(() => ''),
  },
  {
    name: 'object as text',
    does: 'hashes the text "[object Object]", which is what a parsed body becomes as a string',
    ...rawBytes,
    expects: hashed(() => '[object Object]'),
  },
  {
    name: 'read as Latin-1',
    does: 'decodes the body as Latin-1 before it hashes it, so that each non-ASCII letter becomes two',
    fix: 'Hash the bytes themselves, or decode them as UTF-8.',
    code: "createHmac('sha512', secretKey).update(rawBody) // a Buffer",
    expects: hashed((body) => Buffer.from(body).toString('latin1')),
  },
  {
    name: 'hashed as Latin-1',
    does: 'hashes the body as Latin-1 (binary), which loses non-ASCII letters',
    fix: 'Hash the bytes themselves, or encode the text as UTF-8.',
    code: "createHmac('sha512', secretKey).update(rawBody) // no 'binary'",
    expects: hashed((body) => Buffer.from(body, 'latin1')),
  },
  {
    name: 'API key as secret',
    does: 'keys the HMAC with the API key',
    ...ownSecret,
    expects: keyed(({ apiKey }) => apiKey),
  },
  {
    name: 'newline behind the secret',
    does: 'has a newline after the secret key',
    ...ownSecret,
    expects: keyed(({ secretKey }) => `${secretKey}\n`),
  },
  {
    name: 'space behind the secret',
    does: 'has a space after the secret key',
    ...ownSecret,
    expects: keyed(({ secretKey }) => `${secretKey} `),
  },
  {
    name: 'carriage return behind the secret',
    does: 'has a carriage return after the secret key: a file with Windows line endings',
    ...ownSecret,
    expects: keyed(({ secretKey }) => `${secretKey}\r`),
  },
  {
    name: 'quoted secret',
    does: 'has quotation marks around the secret key',
    fix: 'Remove them: some .env parsers keep them as part of the value.',
    code: 'COWRIE_SECRET_KEY=… # without quotation marks',
    expects: keyed(({ secretKey }) => `"${secretKey}"`),
  },
  {
    name: 'secret from base64',
    does: 'decodes the secret key from base64 before it uses it',
    ...ownSecret,
    expects: ({ secretKey, body }) => createHmac('sha512', Buffer.from(secretKey, 'base64')).update(body).digest('hex'),
  },
  {
    name: 'empty secret',
    does: 'keys the HMAC with an empty secret: the variable that should hold it is not set',
    ...ownSecret,
    expects: keyed(() => ''),
  },
  {
    name: 'undefined secret',
    does: 'keys the HMAC with the text "undefined": the variable that should hold the secret key is not set',
    ...ownSecret,
    expects: keyed(() => 'undefined'),
  },
  {
    name: 'key and body swapped',
    does: 'passes the body as the key and the secret key as the text',
    ...hmac512,
    expects: ({ secretKey, body }) => serviceSignature(body, secretKey),
  },
  {
    name: 'plain hash of secret and body',
    does: 'takes a plain SHA-512 of the secret key followed by the body, not an HMAC',
    ...hmac512,
    expects: plain(({ secretKey, body }) => secretKey + body),
  },
  {
    name: 'plain hash of body and secret',
    does: 'takes a plain SHA-512 of the body followed by the secret key, not an HMAC',
    ...hmac512,
    expects: plain(({ secretKey, body }) => body + secretKey),
  },
  {
    name: 'plain hash of the body',
    does: 'takes a plain SHA-512 of the body, without the secret key',
    ...hmac512,
    expects: plain(({ body }) => body),
  },
  {
    name: 'HMAC-SHA256',
    does: 'makes an HMAC-SHA256, where service-signature is an HMAC-SHA512',
    ...hmac512,
    expects: ({ secretKey, body }) => createHmac('sha256', secretKey).update(body).digest('hex'),
  },
  {
    name: 'upper-case hex',
    does: 'writes the digest in upper-case hex',
    fix: 'Compare with lower-case hex, or decode both sides to bytes first.',
    code: "timingSafeEqual(Buffer.from(given, 'hex'), digest)",
    expects: ({ secretKey, body }) => serviceSignature(secretKey, body).toUpperCase(),
  },
  {
    name: 'base64',
    does: 'writes the digest in base64',
    fix: 'service-signature is lower-case hex.',
    code: hmac512.code,
    expects: ({ secretKey, body }) => createHmac('sha512', secretKey).update(body).digest('base64'),
  },
  {
    name: 'other header',
    header: WEBHOOK_SIGNATURE_HEADER,
    does: `makes the right digest but compares it with the header ${WEBHOOK_SIGNATURE_HEADER}`,
    fix: `Read the header ${SERVICE_SIGNATURE_HEADER}.`,
    code: `req.headers['${SERVICE_SIGNATURE_HEADER}']`,
    expects: ({ secretKey, body }) => serviceSignature(secretKey, body),
  },
  {
    name: 'Standard Webhooks secret',
    header: WEBHOOK_SIGNATURE_HEADER,
    does: 'gives the secret key as it is to a Standard Webhooks library, which decodes it from base64',
    fix: 'Encode it in base64, so that decoding gives the secret key itself.',
    code: "new Webhook(Buffer.from(secretKey).toString('base64'))",
    expects: ({ secretKey, body, id, timestamp }) =>
      webhookSignature(Buffer.from(secretKey, 'base64'), id, timestamp, body),
  },
]
