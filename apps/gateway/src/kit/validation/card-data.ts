// Card numbers in texts that a merchant sends: refused before anything is stored, and not repeated in the
// answer.
import {
  cardGuard,
  type Guard,
  holdSplitCardNumber,
  holdsCardNumber,
  mayHoldCardNumber,
} from '@cowrie/contract/kit/card-data'
import { isRawNumber } from '@cowrie/contract/kit/exact-json'
import type { Route } from '@cowrie/contract/kit/spec'
import { fail } from '../fail.ts'
import type { JsonValue } from './json.ts'

function textOf(value: JsonValue): string | null {
  if (isRawNumber(value)) return value.rawJSON
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : null
}

/** The path of the first field with a card number, or null. */
function findIn(guard: Guard, value: JsonValue | undefined, path: string): string | null {
  if (value === undefined || value === null) return null
  if (guard === 'deep') return findDeep(value, path)
  if (guard === 'text') {
    const text = textOf(value)
    return text !== null && holdsCardNumber(text) ? path : null
  }
  const below = (key: string | number): string => (path === '' ? String(key) : `${path}.${key}`)
  if ('items' in guard) {
    if (!Array.isArray(value)) return null
    for (const [at, item] of value.entries()) {
      const found = findIn(guard.items, item, below(at))
      if (found !== null) return found
    }
    return null
  }
  if (typeof value !== 'object' || Array.isArray(value)) return null
  for (const key in guard.keys) {
    const found = findIn(guard.keys[key] as Guard, value[key], below(key))
    if (found !== null) return found
  }
  return null
}

/** The names inside a map are the merchant's own and may hold a number too: the path ends above them. */
function findDeep(value: JsonValue, path: string): string | null {
  const text = textOf(value)
  if (text !== null) return holdsCardNumber(text) ? path : null
  if (typeof value !== 'object' || value === null) return null
  if (holdSplitCardNumber(Object.values(value).map(textOf))) return path
  for (const [key, inner] of Object.entries(value))
    if ((!Array.isArray(value) && holdsCardNumber(key)) || findDeep(inner, path) !== null) return path
  return null
}

/** Refuses a body of the route that has a card number in a name, a description or its metaData. Costs one
 *  regular expression where there is none. Banks are not refused: what they tell has happened. */
export function cardDataGuard(route: Route): (text: string, body: JsonValue) => void {
  const guard = route.auth === 'bank' || !route.body ? null : cardGuard(route.body)
  if (guard === null) return () => undefined
  return (text, body) => {
    if (!mayHoldCardNumber(text)) return
    const field = findIn(guard, body, '')
    if (field !== null) fail('CARD_DATA_REFUSED', { field })
  }
}
