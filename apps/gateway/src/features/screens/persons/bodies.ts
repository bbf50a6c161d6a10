// A person's values in JSON that is stored as text: bodies of events, answers that are kept for a repeated
// request. Keys, order and numbers stay as they are, so a body keeps its shape.
import { isRawNumber, parseExact } from '@cowrie/contract/kit/exact-json'
import { erased } from '#core/personal/judging.ts'

export type Marks = {
  /** In lower case; erased wherever they stand. */
  readonly addresses: readonly string[]
  /** Our own references: an object that names one is about the person. */
  readonly references: ReadonlySet<string>
}

/** What is a person's in an object about them. */
const PERSONAL: ReadonlySet<string> = new Set([
  ...['name', 'email', 'customerName', 'customerEmail', 'customerEmailAddress', 'customerPhoneNumber'],
  ...['customerAddress', 'customerAccountName', 'customerAccountNumber', 'accountName', 'destinationAccountName'],
  ...['paymentDescription', 'mandateDescription', 'description', 'narration', 'customerNote', 'merchantReason'],
  ...['refundReason', 'authorizationMessage', 'authorizationLink', 'redirectUrl', 'bvn', 'nin'],
])
/** Whose account numbers are the payer's; others are numbers that we gave out. */
const SOURCES: ReadonlySet<string> = new Set(['paymentSourceInformation', 'accountPayments', 'accountDetails'])
const OPAQUE = 'metaData'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type Place = { readonly key: string; readonly own: boolean; readonly source: boolean }

const isObject = (value: Json | undefined): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)

/** Whether a text has an address in it, and not a longer one that it is a part of. `address` is in lower
 *  case. */
export function mentions(text: string, address: string): boolean {
  const lower = text.toLowerCase()
  for (let at = lower.indexOf(address); at >= 0; at = lower.indexOf(address, at + 1)) {
    const [before, behind] = [lower.slice(0, at), lower.slice(at + address.length)]
    if (!/[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]$/u.test(before) && !/^[.-]*[\p{L}\p{N}]/u.test(behind)) return true
  }
  return false
}

const hasAddress = ({ addresses }: Marks, value: Json): boolean =>
  typeof value === 'string' && addresses.some((address) => mentions(value, address))

/** Whether an object is about the person: it names one of their references, or their address. */
const isAbout = (marks: Marks, value: { readonly [key: string]: Json }): boolean =>
  Object.values(value).some(
    (inner) => (typeof inner === 'string' && marks.references.has(inner)) || hasAddress(marks, inner),
  ) ||
  (isObject(value['customer']) && Object.values(value['customer']).some((inner) => hasAddress(marks, inner)))

function without(marks: Marks, value: Json, place: Place): Json {
  if (typeof value === 'string') {
    const own = place.own && (PERSONAL.has(place.key) || (place.source && place.key === 'accountNumber'))
    return own || hasAddress(marks, value) ? erased(value) : value
  }
  if (Array.isArray(value)) return (value as readonly Json[]).map((inner) => without(marks, inner, place))
  if (!isObject(value)) return value
  const own = place.own || isAbout(marks, value)
  if (own && place.key === OPAQUE) return {}
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      without(marks, inner, { key, own, source: place.source || SOURCES.has(key) }),
    ]),
  )
}

/** The text without what is the person's; the same text when nothing is. `own`: all of it is about them. */
export const withoutPerson = (text: string, marks: Marks, own: boolean): string =>
  JSON.stringify(without(marks, parseExact(text) as Json, { key: '', own, source: false }))
