// Who is logged in, and what becomes of it: asked once, shared by all screens, gone with the session.
import type { Me } from '@cowrie/contract/access/people'
import type { Permission } from '@cowrie/contract/kit/permissions'
import { MutationCache, QueryCache, QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import type { Static } from 'typebox'
import { people, Refused, VIEWED, viewer } from './call.ts'

export type Person = Static<typeof Me>

const OVER: ReadonlySet<string> = new Set(['SESSION_MISSING', 'SESSION_ENDED', 'SESSION_HALF'])
/** The hour in which an operator sees a merchant's screens has ended, or it never began. */
export const isUnviewed = (error: unknown): boolean => error instanceof Refused && error.code === 'VIEW_NOT_OPEN'
export const isOver = (error: unknown): boolean => error instanceof Refused && OVER.has(error.code)

let onOver = (): void => undefined
/** Called when an answer says that the session is over. Who is only logging in has none yet, and is not sent
 *  away. */
export const whenOver = (then: () => void): void => {
  onOver = then
}
const onError = (error: unknown): void => {
  // Whoever has not come in yet has nothing that could end.
  if ((isOver(error) || isUnviewed(error)) && queries.getQueryData(meQuery.queryKey) !== undefined) onOver()
}

export const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  // What was refused stays refused; what got no answer is asked again when the gateway answers.
  defaultOptions: { queries: { staleTime: 30_000, retry: false }, mutations: { networkMode: 'always' } },
})

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: (): Promise<Person> => (VIEWED === null ? people('me') : viewer()),
})
export const useMe = (): Person => useSuspenseQuery(meQuery).data
export const may = (person: Person, permission: Permission): boolean => person.permissions.includes(permission)

/** After whatever changed the person's own account. */
export const accountChanged = (): Promise<void> => queries.invalidateQueries()
