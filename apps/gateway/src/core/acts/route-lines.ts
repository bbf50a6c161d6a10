// Lines of the audit trail about what merchants do with their API key: routes that change settings, keys,
// addresses or destinations say `trail` in the contract. What one of their people does through any route has
// a line, with the person's name. Of the body names and short values are kept, nothing secret and nothing
// about persons.
import { isRawNumber } from '@cowrie/contract/kit/exact-json'
import type { Route } from '@cowrie/contract/kit/spec'
import type { Tx } from '#kit/ctx.ts'
import type { Merchant } from '../access/merchants.ts'
import type { StoreResponse } from '../idempotency.ts'
import { record } from './trail.ts'

export type Caller = { readonly merchant: Merchant; readonly address: string; readonly requestId: string }

const HIDDEN = '(hidden)'
/** Names of fields whose values are not kept, whatever a route says of them. */
const PERSONAL =
  /name|mail|phone|bvn|^nin$|birth|address$|secret|password|token|pin$|otp$|code$|logo|colou?r|description/i
const CODES = /^(bankCode|currencyCode|contractCode|subAccountCode|settlementBankCode)$/
const ACCOUNT = /account_?number/i
const LONGEST = 120
const ITEMS_MAX = 20
const DEPTH_MAX = 4

/** Without what may hold a secret: user, password and query. */
function shortUrl(text: string): string {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) ? `${url.origin}${url.pathname}`.slice(0, LONGEST) : text
}
const shortText = (text: string): string => (text.length > LONGEST ? `(${text.length} characters)` : shortUrl(text))

export function masked(value: unknown, secret: readonly string[] = [], name = '', depth = 0): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value
  if (secret.includes(name) || (PERSONAL.test(name) && !CODES.test(name))) return HIDDEN
  if (typeof value === 'string') return ACCOUNT.test(name) ? `…${value.slice(-4)}` : shortText(value)
  if (typeof value !== 'object' || isRawNumber(value)) return value
  if (depth >= DEPTH_MAX) return HIDDEN
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((item) => masked(item, secret, name, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, masked(inner, secret, key, depth + 1)] as const),
  )
}

/** In the transaction of the change itself. */
export const recordRoute = (t: Tx, { merchant, address, requestId }: Caller, route: Route, body: unknown) =>
  record(t, {
    merchantId: merchant.id,
    by: merchant.person ?? {
      kind: 'key',
      side: 'merchant',
      personId: null,
      name: merchant.key?.apiKey ?? merchant.apiKey,
      role: null,
      address,
      requestId,
    },
    what: route.id,
    reason: '',
    after: body === undefined ? null : { body: masked(body, route.secretFields) },
  })

/** Keeps the line where the answer is kept, also an early one: in the transaction that does the work, of a
 *  route that has several. */
export function storingLine<Reply>(store: StoreResponse<Reply>, line: (t: Tx) => Promise<void>): StoreResponse<Reply> {
  const withLine = (keep: (t: Tx, reply: Reply) => Promise<unknown>) => async (t: Tx, reply: Reply) => {
    await line(t)
    return keep(t, reply)
  }
  const { early, late, claim, filing } = store
  return Object.assign(withLine(store), { early: withLine(early), late, claim, filing, line })
}
