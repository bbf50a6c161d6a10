// Filters are the address: what somebody looks at can be kept, sent and opened again. Values are plain text;
// what is empty is not there.
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'

export type Filters = Readonly<Record<string, string>>

export const readSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text))
export function writeSearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [[name, value]] : [],
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}

/** What the address asks for, and how to ask for something else. A change of filters goes back to the first
 *  page. */
export function useFilters(): readonly [Filters, (change: Filters) => void] {
  const search: Filters = useSearch({ strict: false })
  const navigate = useNavigate()
  return [search, (change) => void navigate({ to: '.', search: { ...search, page: '', ...change } })]
}

/** A parameter of the path: `useParam('reference')` of `/payments/$reference`. */
export const useParam = (name: string): string => {
  const params: Filters = useParams({ strict: false })
  return params[name] ?? ''
}
