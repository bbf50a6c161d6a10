// What "Try it" of the reference needs to know of an operation: the recorded request, and which of its values
// are another reader's.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publicSchema } from '../../packages/contract/src/kit/fields.ts'
import type { Route } from '../../packages/contract/src/kit/spec.ts'
import { EXAMPLES, type Example } from '../../packages/contract/src/reference/examples.ts'
import { takesIdempotencyKey } from '../../packages/contract/src/reference/openapi.ts'

const ROOT = join(import.meta.dirname, '../..')

export type Call = {
  readonly method: string
  readonly path: string
  readonly auth: Route['auth']
  readonly group: string
  readonly values?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Takes an Idempotency-Key. */
  readonly key?: true
  /** Values of the recorded merchant, by the setting that the reader has instead. */
  readonly mine: readonly (readonly [setting: string, recorded: string])[]
  /** References that may be used once. */
  readonly fresh: readonly string[]
  /** Fields of the body that need not be there, by what a reader must have made before they can be. */
  readonly later: readonly (readonly [field: string, code: string])[]
}

/** A sandbox lets pages of other origins call its API, and nothing else of it. */
export const isTried = ({ path, auth }: Route): boolean => path.startsWith('/api/') && auth !== 'bank'

const text = (id: string, name: string): string => {
  const value = (EXAMPLES[id]?.body as Readonly<Record<string, unknown>> | undefined)?.[name]
  if (typeof value !== 'string') throw new Error(`the example of ${id} has no ${name}`)
  return value
}
const MINE: readonly (readonly [string, string])[] = [
  ['contractCode', text('transactions.init', 'contractCode')],
  ['wallet', text('transfers.initiate', 'sourceAccountNumber')],
  ['wallet', text('batches.initiate', 'sourceAccountNumber')],
  ['apiKey', text('cards.authorise3ds', 'apiKey')],
]

/** Codes that the gateway gave to something that was made before. */
const GIVEN = /^(?:mandate|limitProfile|subAccount|paymentLink)Code$/

function givenIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const [name] = Object.keys(value).filter((one) => GIVEN.test(one))
  return (
    name ??
    Object.values(value)
      .map(givenIn)
      .find((one) => one !== undefined)
  )
}

function laterIn(route: Route, body: unknown): Call['later'] {
  if (!route.body || typeof body !== 'object' || body === null || Array.isArray(body)) return []
  const { required } = publicSchema(route.body) as { required?: readonly string[] }
  return Object.entries(body).flatMap(([field, value]) => {
    const code = required?.includes(field) ? undefined : givenIn(value)
    return code === undefined ? [] : [[field, code] as const]
  })
}

const REFUSES_REPEATS = /^DUPLICATE_PAYMENT_REFERENCE$|_(?:USED|TAKEN)$/
const OWN_NAME = /^(?!transactionReference$)\w*(?:[rR]eference|ProfileName)$/

function ownNames(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(ownNames)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) =>
    typeof one === 'string' && OWN_NAME.test(name) ? [one] : ownNames(one),
  )
}

export function callOf(route: Route, { path = {}, query = {}, body }: Example): Call {
  const sent = JSON.stringify([path, query, body])
  return {
    ...{ method: route.method, path: route.path, auth: route.auth, group: route.group },
    ...(Object.keys(path).length > 0 ? { values: path } : {}),
    ...(Object.keys(query).length > 0 ? { query } : {}),
    ...(body === undefined ? {} : { body }),
    ...(takesIdempotencyKey(route) ? { key: true } : {}),
    mine: MINE.filter(([, recorded]) => sent.includes(JSON.stringify(recorded))),
    fresh: route.method === 'POST' && route.errors.some((code) => REFUSES_REPEATS.test(code)) ? ownNames(body) : [],
    later: laterIn(route, body),
  }
}

/** Where the form will be, in a page that is not yet HTML. */
export const placeOf = ({ id }: Route): string => `<div data-try="${id}"></div>`
export const PLACE = /<div data-try="([^"]+)"><\/div>/g

const SOURCE = join(ROOT, 'apps/docs/src/try.js')
/** The script, and the address of these very bytes. */
export function script(): { readonly address: string; readonly text: string } {
  const source = readFileSync(SOURCE, 'utf8')
  const digest = createHash('sha256').update(source).digest('base64url').slice(0, 10)
  return { address: `/_astro/try.${digest}.js`, text: source }
}

const attribute = (value: unknown): string =>
  JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** A page with what the script makes its forms of. Without the script there is nothing to see. */
export function withTries(html: string, callFor: (id: string) => Call, address: string): string {
  const filled = html.replace(
    PLACE,
    (_, id: string) => `<div class="try not-content" data-try="${attribute(callFor(id))}"></div>`,
  )
  return filled === html ? html : filled.replace('</head>', `<script src="${address}" defer></script></head>`)
}
