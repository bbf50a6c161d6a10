// How an example is kept, and in what one that was played now differs from it.
import type { Harness } from '../../../apps/gateway/test/kit/harness.ts'
import { type Example, RECORDED_AT } from '../../../packages/contract/src/reference/examples.ts'

/** So many items of a list are shown: a reader learns no more from the rest. */
const ITEMS_MAX = 2
/** What nobody should copy out of a document, not even a key of a sandbox that is gone. */
const SECRETS: Readonly<Record<string, string>> = {
  accessToken: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJNS19URVNUXzAxIn0.c2lnbmF0dXJl',
  secretKey: 'K7Q2ZP9XW4M1RT6VB8NC3HD5JF0LGS2A',
  signature: 'c2lnbmF0dXJlIG9mIHRoZSBzdGF0ZW1lbnQ=',
}

/** Lists cut short, secrets and addresses of one run replaced. */
export function shown(value: unknown, h: Harness, isReply = true): unknown {
  const places: readonly (readonly [string, string])[] = [
    [h.apiUrl, RECORDED_AT],
    [h.simulatorUrl, 'http://127.0.0.1:4100'],
    [h.receiverUrl(''), 'https://shop.example'],
  ]
  const walk = (inner: unknown, key: string): unknown => {
    if (typeof inner === 'string')
      return SECRETS[key] ?? places.reduce((text, [from, to]) => text.replaceAll(from, to), inner)
    if (Array.isArray(inner)) return (isReply ? inner.slice(0, ITEMS_MAX) : inner).map((one) => walk(one, key))
    if (typeof inner !== 'object' || inner === null) return inner
    return Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, walk(one, name)]))
  }
  return walk(value, '')
}

export const kept = ({ reply, body, ...rest }: Example, h: Harness): Example => ({
  ...rest,
  ...(body === undefined ? {} : { body: shown(body, h, false) }),
  ...(reply === undefined ? {} : { reply: shown(reply, h) }),
})

/** `content[].amount`, for every field that is there. */
export function fieldsIn(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((one) => fieldsIn(one, `${path}[]`)))].toSorted()
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value)
    .flatMap(([name, one]) => [`${path}.${name}`, ...fieldsIn(one, `${path}.${name}`)])
    .toSorted()
}

function* differing(one: unknown, other: unknown): Generator<unknown> {
  if (typeof one === 'object' && one !== null && typeof other === 'object' && other !== null)
    for (const [name, inner] of Object.entries(one)) yield* differing(inner, (other as Record<string, unknown>)[name])
  else if (one !== other) yield one
}

/** What was sent now and is neither in the example nor was given by the gateway: the example is not what was
 *  tried. */
export const invented = (sent: unknown, example: unknown, given: ReadonlySet<unknown>): readonly unknown[] =>
  [...differing(sent, example)].filter((value) => !given.has(value))
