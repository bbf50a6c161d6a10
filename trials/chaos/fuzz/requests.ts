// One fuzzed request: seven in ten nearly valid, two mutated, one of raw bytes.
import { randomBytes } from 'node:crypto'
import { publicSchema } from '../../../packages/contract/src/kit/fields.ts'
import type { Route } from '../../../packages/contract/src/kit/spec.ts'
import type { ChaosMerchant } from '../kit/world.ts'
import { placed, sideOf } from './people.ts'
import { chance, type Json, type Maker, make, objectOf, pick, type Random } from './values.ts'

export type Kind = 'nearly valid' | 'mutated' | 'raw'
export type Sent = {
  readonly route: Route
  readonly kind: Kind
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | Buffer | undefined
}

const KINDS: readonly (readonly [Kind, number])[] = [
  ['nearly valid', 0.7],
  ['mutated', 0.9],
  ['raw', 1],
]
export const kindOf = (random: Random): Kind => {
  const at = random()
  return KINDS.find(([, upTo]) => at < upTo)?.[0] ?? 'raw'
}

const schemas = new Map<
  Route,
  { readonly body: ReturnType<typeof publicSchema>; readonly query: ReturnType<typeof publicSchema> }
>()
function schemasOf(route: Route) {
  const known = schemas.get(route) ?? {
    body: route.body ? publicSchema(route.body) : {},
    query: route.query ? publicSchema(route.query) : {},
  }
  schemas.set(route, known)
  return known
}

const ODD: readonly Json[] = [
  ...[null, true, false, 0, -1, 1e308, 0.001, '', ' ', '\u0000', 'NaN', '٣', '🐚'.repeat(50), 'x'.repeat(5_000)],
  ...["'; drop table merchants; --", '<script>alert(1)</script>', '../../etc/passwd', '%00', '\ud800'],
  ...[[], {}, [[[[[]]]]], { __proto__x: 1 }, 9_007_199_254_740_992, '2026-02-30T25:61:61Z', '-0.00', '1e400'],
]

/** Changes one thing somewhere inside. */
function mutated(value: Json, random: Random): Json {
  if (typeof value !== 'object' || value === null || chance(random, 0.2)) return pick(random, ODD)
  if (Array.isArray(value)) {
    if (value.length === 0) return [pick(random, ODD)]
    const at = Math.floor(random() * value.length)
    return value.map((one, index) => (index === at ? mutated(one, random) : one))
  }
  const names = Object.keys(value)
  const name = names.length === 0 ? 'stray' : pick(random, names)
  if (chance(random, 0.25)) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
  if (chance(random, 0.2)) return { ...value, [`${name}_`]: pick(random, ODD) }
  return { ...value, [name]: mutated(value[name] ?? null, random) }
}

function rawBody(random: Random, valid: Json): string | Buffer {
  const text = JSON.stringify(valid)
  switch (Math.floor(random() * 6)) {
    case 0:
      return randomBytes(Math.floor(random() * 2_000))
    case 1:
      return text.slice(0, Math.floor(random() * text.length))
    case 2:
      return `${'['.repeat(2_000)}${']'.repeat(2_000)}`
    case 3:
      return text.replaceAll('"', "'")
    case 4:
      return `${text}${text}`
    default:
      return `{"a":"${'x'.repeat(70_000)}"}`
  }
}

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

function pathOf(route: Route, kind: Kind, maker: Maker): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(
      asText(kind === 'nearly valid' ? make({ type: 'string' }, name, maker) : pick(maker.random, ODD)).replace(
        /[\ud800-\udfff]/g,
        '?',
      ) || '-',
    ),
  )
  const { query } = schemasOf(route)
  const asked = placed(route, objectOf(query, maker), maker.merchant, maker.random)
  const changed = kind === 'nearly valid' ? asked : mutated(asked, maker.random)
  const pairs =
    typeof changed === 'object' && changed !== null && !Array.isArray(changed) ? Object.entries(changed) : []
  const text = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, asText(value)])).toString()
  return text === '' ? path : `${path}?${text}`
}

const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `token` opens the merchant's routes; `basic` those that ask for both keys; `session` those of people. */
export function requestFor(
  route: Route,
  maker: Maker,
  keys: { readonly token: string; readonly basic: string; readonly session: string },
  signed: (path: string, body: string) => Record<string, string>,
): Sent {
  const { random } = maker
  const kind = kindOf(random)
  const { body: schema } = schemasOf(route)
  const made = route.body
    ? route.oneOrMany
      ? [objectOf((schema['items'] ?? schema) as typeof schema, maker)]
      : make(schema, '', maker)
    : {}
  const valid = isObject(made) ? placed(route, made, maker.merchant, random) : made
  const path = pathOf(route, kind, maker)
  const hasBody = route.method !== 'GET' && (route.body !== undefined || kind === 'raw')
  const body = !hasBody
    ? undefined
    : kind === 'raw'
      ? rawBody(random, valid)
      : JSON.stringify(kind === 'mutated' ? mutated(valid, random) : valid)
  const authorization = chance(random, 0.02)
    ? 'Bearer nobody'
    : route.auth === 'basic'
      ? keys.basic
      : sideOf(route)
        ? keys.session
        : `Bearer ${keys.token}`
  const headers: Record<string, string> = {
    ...((route.auth === 'none' && !sideOf(route)) || route.auth === 'bank' ? {} : { authorization }),
    ...(body === undefined ? {} : { 'content-type': chance(random, 0.98) ? 'application/json' : 'text/plain' }),
    ...(chance(random, 0.05)
      ? { 'idempotency-key': pick(random, ['one', 'two', 'k'.repeat(300), 'ü']).replace('ü', 'u') }
      : {}),
    ...(route.auth === 'bank' && typeof body === 'string' && chance(random, 0.9) ? signed(path, body) : {}),
  }
  return { route, kind, path, headers, body }
}

export const basicOf = ({ apiKey, secretKey }: ChaosMerchant): string =>
  `Basic ${Buffer.from(`${apiKey}:${secretKey}`).toString('base64')}`
