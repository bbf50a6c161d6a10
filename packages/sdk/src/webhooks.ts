// Notifications: is it the gateway's, is it fresh, and what does it say. The signature is over the exact
// bytes that came, so nothing may have parsed them before. WebCrypto does the HMAC and compares in constant
// time; every key is compared with every signature.
import { systemClock } from './clock.ts'
import { NotVerified } from './errors.ts'
import { EVENT_AMOUNTS, type EventBodies, HEADERS } from './generated/events.ts'
import { amountsAsText } from './money.ts'

export type Delivered = {
  /** The same on every attempt: keep it, and process an event once. */
  readonly id: string
  /** Where it stands in your log: 1, 2, 3 … without gaps. Null where it is not said; this and the two below
   *  are not signed. */
  readonly number: number | null
  /** Increases with every change of the object: ignore an event with a lower one than you have seen. */
  readonly objectVersion: number | null
  readonly attempt: number | null
}
/** An event that this version of the SDK does not know. Answer 200 and leave it, or read `eventData`
 *  yourself. */
export type UnknownEvent = Delivered & {
  readonly eventType: 'UNKNOWN'
  /** What the gateway calls it. */
  readonly sentType: string
  readonly eventData: unknown
  readonly metaData?: unknown
}
/** `switch (event.eventType)` narrows `eventData`; `UNKNOWN` is an arm of its own. */
export type CowrieEvent =
  | {
      [Type in keyof EventBodies]: Delivered & { readonly eventType: Type } & Readonly<EventBodies[Type]>
    }[keyof EventBodies]
  | UnknownEvent

export type RawBody = string | Uint8Array | ArrayBuffer
export type HeadersGiven =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>
export type VerifyOptions = {
  /** How far the time of a notification may be from now; 300 unless given. */
  readonly toleranceSeconds?: number
  /** Unix seconds; the machine's clock unless given. */
  readonly nowSeconds?: number
  /** `service` checks `service-signature`, which has no time in it: an old notification sent again by
   *  somebody else passes. */
  readonly scheme?: 'webhook' | 'service'
}

const TOLERANCE_SECONDS = 300
const fail = (code: string, message: string): never => {
  throw new NotVerified(code, message)
}
const RAW =
  "Take it before anything parses it: express.raw({ type: '*/*' }), await request.text(), or Fastify's parseAs: 'buffer'."

// ---- what was given

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

function bytesOf(body: unknown): Uint8Array<ArrayBuffer> {
  if (body === '[object Object]')
    return fail('BODY_PARSED', `The body is the text "[object Object]": a parsed body made to text. ${RAW}`)
  if (typeof body === 'string') return encode(body)
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(new Uint8Array(body.buffer, body.byteOffset, body.byteLength))
  if (body === undefined || body === null) return new Uint8Array()
  return fail(
    'BODY_PARSED',
    `The body was parsed already (${Array.isArray(body) ? 'an array' : `of type ${typeof body}`}). The signature is over the exact bytes that came, which cannot be made again from what was parsed. ${RAW}`,
  )
}

function rawOf(body: unknown): Uint8Array<ArrayBuffer> {
  const bytes = bytesOf(body)
  return bytes.length > 0
    ? bytes
    : fail('BODY_MISSING', `The body is empty: something may have read the stream already. ${RAW}`)
}

type Look = (name: string) => string
function lookIn(headers: HeadersGiven): Look {
  if (typeof headers !== 'object' || headers === null)
    return fail('HEADERS_MISSING', 'Pass the headers of the request, as an object or as Headers.')
  if (typeof headers.get === 'function') {
    const given = headers as { get: (name: string) => string | null }
    return (name) => given.get(name) ?? ''
  }
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return (name) => {
    const value: unknown = lower.get(name)
    return Array.isArray(value) ? value.join(' ') : typeof value === 'string' ? value : ''
  }
}

function keysOf(keys: string | readonly string[]): readonly string[] {
  const list = (typeof keys === 'string' ? [keys] : [...(keys ?? [])]).filter((key) => key !== undefined && key !== '')
  if (list.length === 0)
    return fail('KEY_MISSING', 'Pass your secret key, or while you rotate it both: [current, next].')
  return list
}

// ---- signatures

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (one) => one.charCodeAt(0))
const fromHex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

/** Whether any key made any of the signatures; looks at all of them, whatever it finds. */
async function isSigned(
  hash: 'SHA-256' | 'SHA-512',
  keys: readonly string[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  let found = false
  for (const text of keys) {
    const algorithm = { name: 'HMAC', hash }
    const key = await crypto.subtle.importKey('raw', encode(text), algorithm, false, ['verify'])
    for (const signature of signatures) found = (await crypto.subtle.verify('HMAC', key, signature, content)) || found
  }
  return found
}

function wrong(keys: readonly string[]): never {
  const spaced = keys.some((key) => key !== key.trim())
  const hints = spaced
    ? 'A key has a space or a newline around it.'
    : 'Either the body is not the exact bytes that came (written again as JSON, another encoding, a newline added), or the key is of another merchant or environment, or somebody else sent this.'
  return fail(
    'SIGNATURE_WRONG',
    `No signature was made over this body with ${keys.length === 1 ? 'this key' : `one of these ${keys.length} keys`}. ${hints}`,
  )
}

function must(look: Look, name: string): string {
  const value = look(name)
  if (value === '')
    fail('HEADER_MISSING', `The header ${name} is missing: pass all headers of the request, as they came.`)
  return value
}

async function checkWebhook(
  body: Uint8Array<ArrayBuffer>,
  look: Look,
  keys: readonly string[],
  options: VerifyOptions,
) {
  const [id, timestamp] = [must(look, HEADERS.id), must(look, HEADERS.timestamp)]
  const given = must(look, HEADERS.signature)
  const signatures = [...given.matchAll(/(?:^|\s)v1,([A-Za-z0-9+/]{43}=)(?=\s|$)/g)].map(([, text = '']) =>
    fromBase64(text),
  )
  if (signatures.length === 0)
    fail('SIGNATURE_FORM', `${HEADERS.signature} has no signature of the form "v1," and the base64 of 32 bytes.`)
  const head = encode(`${id}.${timestamp}.`)
  const content = new Uint8Array(head.length + body.length)
  content.set(head)
  content.set(body, head.length)
  if (!(await isSigned('SHA-256', keys, signatures, content))) wrong(keys)
  // Signed, so the time is the gateway's own.
  const age = (options.nowSeconds ?? systemClock.wallSeconds()) - Number(timestamp)
  const tolerance = options.toleranceSeconds ?? TOLERANCE_SECONDS
  if (!/^\d+$/.test(timestamp)) fail('TIMESTAMP_FORM', `${HEADERS.timestamp} is not a number of seconds.`)
  if (age > tolerance)
    fail(
      'TOO_OLD',
      `It was signed ${age} seconds ago, more than ${tolerance}: sent again by somebody else, or your clock is fast.`,
    )
  if (age < -tolerance) fail('TOO_NEW', `It was signed ${-age} seconds in the future: your clock is slow.`)
}

async function checkService(body: Uint8Array<ArrayBuffer>, look: Look, keys: readonly string[]) {
  const given = [look(HEADERS.service) || must(look, HEADERS.service), look(HEADERS.serviceNext)]
  const signatures = given.filter((text) => /^[0-9a-f]{128}$/.test(text)).map(fromHex)
  if (signatures.length === 0) fail('SIGNATURE_FORM', `${HEADERS.service} is not lower-case hex of 64 bytes.`)
  if (!(await isSigned('SHA-512', keys, signatures, body))) wrong(keys)
}

// ---- what it says

const isKnown = (type: string): type is keyof EventBodies => Object.hasOwn(EVENT_AMOUNTS, type)

function eventOf(body: unknown, delivered: Delivered): CowrieEvent {
  const { eventType, eventData, metaData } = (body ?? {}) as {
    eventType?: unknown
    eventData?: unknown
    metaData?: unknown
  }
  if (typeof eventType !== 'string') return fail('BODY_UNREADABLE', 'The body is not an event: it has no eventType.')
  const said = { eventData, ...(metaData === undefined ? {} : { metaData }) }
  if (!isKnown(eventType)) return { ...delivered, eventType: 'UNKNOWN', sentType: eventType, ...said }
  amountsAsText(said, EVENT_AMOUNTS[eventType])
  return { ...delivered, eventType, ...said } as CowrieEvent
}

const numberOf = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null)

/** The event, if the gateway sent it; throws `NotVerified` with the reason. Answer 401 then, and 200
 *  otherwise. `keys`: your secret key, or several while you rotate it. */
async function verify(
  rawBody: RawBody,
  headers: HeadersGiven,
  keys: string | readonly string[],
  options: VerifyOptions = {},
): Promise<CowrieEvent> {
  const [bytes, look, given] = [rawOf(rawBody), lookIn(headers), keysOf(keys)]
  if (options.scheme === 'service') await checkService(bytes, look, given)
  else await checkWebhook(bytes, look, given, options)
  let body: unknown
  try {
    body = JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return fail('BODY_UNREADABLE', 'The signature is right, but the body is not JSON.')
  }
  return eventOf(body, {
    id: look(HEADERS.id),
    number: numberOf(look(HEADERS.number)),
    objectVersion: numberOf(look(HEADERS.objectVersion)),
    attempt: numberOf(look(HEADERS.attempt)),
  })
}

/** An item of `events.list` or `events.get` as the event it was: for catching up with what was missed. */
function fromLog(item: { eventId: string; number: number; objectVersion: number; body: unknown }): CowrieEvent {
  const { eventId: id, number, objectVersion, body } = item
  return eventOf(structuredClone(body), { id, number, objectVersion, attempt: null })
}

export const webhooks = { verify, fromLog }
