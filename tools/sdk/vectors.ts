// packages/sdk/vectors: signatures of notifications, right and wrong, each with the reason, for whoever
// writes a handler or an SDK in another language. Signed by the code that `cowrie listen` signs with, which a
// test holds against the gateway's own.
import { createHash, createHmac } from 'node:crypto'
import { serviceSignature, webhookSignature } from '../../packages/cli/src/sign.ts'
import {
  NEXT_SIGNATURE_HEADER,
  SERVICE_SIGNATURE_HEADER,
  toEventBody,
  WEBHOOK_ID_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TIMESTAMP_HEADER,
} from '../../packages/contract/src/events/delivery.ts'
import { EVENTS } from '../../packages/contract/src/index.ts'

export type Vector = {
  readonly name: string
  readonly valid: boolean
  /** Why it must be taken, or must not. */
  readonly why: string
  /** What our SDK says; null where it is valid. */
  readonly code: string | null
  readonly keys: readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly nowSeconds: number
  readonly toleranceSeconds: number
}

// Made up for this file; they open nothing.
const KEY = 'VECTORS0SECRET0KEY0CURRENT00000000001'
const NEXT = 'VECTORS0SECRET0KEY0NEXT00000000000002'
const OTHER = 'VECTORS0SECRET0KEY0OTHER0000000000003'
const ID = 'evt_01_30112'
const NOW = 1_777_731_331
const TOLERANCE = 300

const sampleOf = (type: string): string => {
  const spec = EVENTS.find((event) => event.type === type)
  if (!spec) throw new Error(`${type} is not an event`)
  return JSON.stringify(toEventBody(spec, spec.samples[0]))
}
const BODY = sampleOf('SUCCESSFUL_DISBURSEMENT')
const LETTERS = JSON.stringify({
  eventData: { narration: 'Ṣọlá: ₦33.33 for 🧵 / "adire"', amount: 33.33, note: 'a\u2028b' },
  eventType: 'SOMETHING_NEW',
})

const common = { keys: [KEY], body: BODY, nowSeconds: NOW, toleranceSeconds: TOLERANCE }
const good = (name: string, why: string, over: Partial<Vector>): Vector => ({
  ...common,
  headers: {},
  ...over,
  name,
  why,
  valid: true,
  code: null,
})
const bad = (name: string, code: string, why: string, over: Partial<Vector>): Vector => ({
  ...common,
  headers: {},
  ...over,
  name,
  why,
  valid: false,
  code,
})

type Sent = {
  readonly body?: string
  readonly at?: number
  readonly id?: string
  readonly keys?: readonly string[]
  readonly signature?: string
}
function timed({ body = BODY, at = NOW, id = ID, keys = [KEY], signature }: Sent = {}): Record<string, string> {
  const made = keys.map((key) => webhookSignature(key, id, String(at), body)).join(' ')
  return {
    [WEBHOOK_ID_HEADER]: id,
    [WEBHOOK_TIMESTAMP_HEADER]: String(at),
    [WEBHOOK_SIGNATURE_HEADER]: signature ?? made,
  }
}
const without = (name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(timed()).filter(([header]) => header !== name))
const signed = `${ID}.${NOW}.${BODY}`
const spaced = JSON.stringify(JSON.parse(BODY), null, 2)

const WRONG = 'SIGNATURE_WRONG'
const webhookGood = (): readonly Vector[] => [
  good('plain', 'Made over id, a point, the time, a point and the exact bytes of the body, with the secret key.', {
    headers: timed(),
  }),
  good(
    'letters beyond ASCII',
    'The body is hashed as UTF-8, as it came; escapes are left as they are. The type of the event is not known, which the signature does not mind.',
    {
      body: LETTERS,
      headers: timed({ body: LETTERS }),
    },
  ),
  good('rotation, receiver knows the old key', 'Two signatures, separated by a space: one of them is enough.', {
    headers: timed({ keys: [KEY, NEXT] }),
  }),
  good('rotation, receiver knows the new key', 'The second signature counts as the first does.', {
    keys: [NEXT],
    headers: timed({ keys: [KEY, NEXT] }),
  }),
  good('rotation, receiver knows both', 'One signature, made with the second of the keys that the receiver knows.', {
    keys: [NEXT, KEY],
    headers: timed(),
  }),
  good('a version of the future beside it', 'Signatures of versions that are not known are left out; v1 is there.', {
    headers: timed({ signature: `v2,bm90IHlldA== ${webhookSignature(KEY, ID, String(NOW), BODY)}` }),
  }),
  good('as old as is allowed', `${TOLERANCE} seconds old, and ${TOLERANCE} are allowed.`, {
    headers: timed({ at: NOW - TOLERANCE }),
  }),
  good('as early as is allowed', "The receiver's clock is slow by as much as is allowed.", {
    headers: timed({ at: NOW + TOLERANCE }),
  }),
]
const webhookBad = (): readonly Vector[] => [
  bad('another key', WRONG, 'Made with the key of somebody else.', { headers: timed({ keys: [OTHER] }) }),
  bad('another key among several', WRONG, 'Made with a key that is not among those of the receiver.', {
    keys: [KEY, NEXT],
    headers: timed({ keys: [OTHER] }),
  }),
  bad('body written again', WRONG, 'The body was parsed and written again with other spaces.', {
    body: spaced,
    headers: timed(),
  }),
  bad('newline at the end', WRONG, 'A newline was added to the body.', { body: `${BODY}\n`, headers: timed() }),
  bad('one digit changed', WRONG, 'The amount was changed on its way.', {
    body: BODY.replace('12500', '92500'),
    headers: timed(),
  }),
  bad('id changed', WRONG, 'The id is signed: one event cannot pass for another.', {
    headers: { ...timed(), [WEBHOOK_ID_HEADER]: 'evt_01_30113' },
  }),
  bad('time changed', WRONG, 'The time is signed: an old notification cannot be made young.', {
    headers: { ...timed({ at: NOW - 86_400 }), [WEBHOOK_TIMESTAMP_HEADER]: String(NOW) },
  }),
  bad('too old', 'TOO_OLD', `Signed ${TOLERANCE + 1} seconds ago: it may have been kept and sent again.`, {
    headers: timed({ at: NOW - TOLERANCE - 1 }),
  }),
  bad('too new', 'TOO_NEW', `Signed ${TOLERANCE + 1} seconds in the future.`, {
    headers: timed({ at: NOW + TOLERANCE + 1 }),
  }),
  bad('body alone', WRONG, 'Made over the body without id and time.', {
    headers: timed({ signature: `v1,${createHmac('sha256', KEY).update(BODY).digest('base64')}` }),
  }),
  bad('no key', WRONG, 'A hash without a key, which anybody can make.', {
    headers: timed({ signature: `v1,${createHash('sha256').update(signed).digest('base64')}` }),
  }),
  bad('hex', 'SIGNATURE_FORM', 'The right digest, written as hex in place of base64.', {
    headers: timed({ signature: `v1,${createHmac('sha256', KEY).update(signed).digest('hex')}` }),
  }),
  bad('SHA-512', 'SIGNATURE_FORM', 'The digest of another algorithm: 64 bytes in place of 32.', {
    headers: timed({ signature: `v1,${createHmac('sha512', KEY).update(signed).digest('base64')}` }),
  }),
  bad('only a version of the future', 'SIGNATURE_FORM', 'v1 is not there, and nothing is known of v2.', {
    headers: timed({ signature: webhookSignature(KEY, ID, String(NOW), BODY).replace('v1', 'v2') }),
  }),
  bad('cut off', 'SIGNATURE_FORM', 'The first half of the right signature is not a signature.', {
    headers: timed({ signature: webhookSignature(KEY, ID, String(NOW), BODY).slice(0, 24) }),
  }),
  ...[WEBHOOK_ID_HEADER, WEBHOOK_TIMESTAMP_HEADER, WEBHOOK_SIGNATURE_HEADER].map((name) =>
    bad(`no ${name}`, 'HEADER_MISSING', `Without ${name} nothing is proved.`, { headers: without(name) }),
  ),
  bad('empty body', 'BODY_MISSING', 'The body is empty, whatever the signature says.', {
    body: '',
    headers: timed({ body: '' }),
  }),
]

const plain = (signature: string, next?: string): Record<string, string> => ({
  [SERVICE_SIGNATURE_HEADER]: signature,
  ...(next === undefined ? {} : { [NEXT_SIGNATURE_HEADER]: next }),
})
const service = (): readonly Vector[] => [
  good('plain', 'Lower-case hex of HMAC-SHA512 over the exact bytes of the body, with the secret key.', {
    headers: plain(serviceSignature(KEY, BODY)),
  }),
  good('letters beyond ASCII', 'The body is hashed as UTF-8, as it came.', {
    body: LETTERS,
    headers: plain(serviceSignature(KEY, LETTERS)),
  }),
  good('rotation, receiver knows the old key', 'While two keys overlap, this header is made with the old one.', {
    headers: plain(serviceSignature(KEY, BODY), serviceSignature(NEXT, BODY)),
  }),
  good('rotation, receiver knows the new key', `${NEXT_SIGNATURE_HEADER} is made with the new one.`, {
    keys: [NEXT],
    headers: plain(serviceSignature(KEY, BODY), serviceSignature(NEXT, BODY)),
  }),
  bad('another key', WRONG, 'Made with the key of somebody else.', { headers: plain(serviceSignature(OTHER, BODY)) }),
  bad('body written again', WRONG, 'The body was parsed and written again with other spaces.', {
    body: spaced,
    headers: plain(serviceSignature(KEY, BODY)),
  }),
  bad('one digit changed', WRONG, 'The amount was changed on its way.', {
    body: BODY.replace('12500', '92500'),
    headers: plain(serviceSignature(KEY, BODY)),
  }),
  bad('no key', WRONG, 'A hash without a key, which anybody can make.', {
    headers: plain(createHash('sha512').update(BODY).digest('hex')),
  }),
  bad('key before the body', WRONG, 'A plain hash over key and body is not an HMAC.', {
    headers: plain(
      createHash('sha512')
        .update(KEY + BODY)
        .digest('hex'),
    ),
  }),
  bad('SHA-256', 'SIGNATURE_FORM', 'The digest of another algorithm: 32 bytes in place of 64.', {
    headers: plain(createHmac('sha256', KEY).update(BODY).digest('hex')),
  }),
  bad('base64', 'SIGNATURE_FORM', 'The right digest, written as base64 in place of hex.', {
    headers: plain(createHmac('sha512', KEY).update(BODY).digest('base64')),
  }),
  bad('no service-signature', 'HEADER_MISSING', 'Without the header nothing is proved.', { headers: {} }),
]

const file = (about: string, vectors: readonly Vector[]): string => `${JSON.stringify({ about, vectors }, null, 2)}\n`

/** By path from the root of the repository. */
export const vectorFiles = (): Readonly<Record<string, string>> => ({
  'packages/sdk/vectors/webhook-signature.json': file(
    'Signatures of notifications in the header webhook-signature (Standard Webhooks, v1). `body` is text; its bytes are UTF-8. A vector is valid if a receiver that knows `keys` must take it at `nowSeconds`.',
    [...webhookGood(), ...webhookBad()],
  ),
  'packages/sdk/vectors/service-signature.json': file(
    'Signatures of notifications in the header service-signature, which has no time in it. `body` is text; its bytes are UTF-8.',
    service(),
  ),
})
