// An installation has one or several cells, and most of what the operator looks at is of one cell. A screen
// asks every cell and shows one list; a cell that refuses or is away is an error beside it, never a shorter
// list that looks whole.
import type { View, ViewReplyOf } from '@cowrie/contract/kit/act'
import type { showVersions } from '@cowrie/contract/screens/board'
import { useQueries, useQuery } from '@tanstack/react-query'
import { view } from '../../../api/call.ts'

type Query = Readonly<Record<string, string>>

export const useVersions = () =>
  useQuery({
    queryKey: ['versions'],
    queryFn: () => view<typeof showVersions>('versions.show'),
    staleTime: 10 * 60_000,
  })

export type OfCell<T> = { readonly cell: string; readonly data: T }
export type EachCell<T> = {
  readonly parts: readonly OfCell<T>[]
  /** The first of those that failed, with the cell it concerns. */
  readonly failed: readonly { readonly cell: string; readonly error: unknown }[]
  readonly pending: boolean
}

/** A view of a cell, asked of all of them at once. `only`: of one. `everyMs`: again, while the screen is
 *  open. */
export function useEachCell<V extends View>(
  id: V['id'],
  query: Query = {},
  {
    only = '',
    enabled = true,
    everyMs,
  }: { readonly only?: string; readonly enabled?: boolean; readonly everyMs?: number } = {},
): EachCell<ViewReplyOf<V>> {
  const versions = useVersions()
  const cells = (versions.data?.cells ?? []).map(({ cell }) => cell).filter((cell) => only === '' || cell === only)
  const asked = useQueries({
    queries: cells.map((cell) => ({
      queryKey: [id, query, cell],
      queryFn: () => view<V>(id, { ...query, cell }),
      enabled,
      refetchInterval: everyMs ?? false,
    })),
  })
  const parts: OfCell<ViewReplyOf<V>>[] = []
  const failed: { cell: string; error: unknown }[] = versions.error ? [{ cell: '', error: versions.error }] : []
  for (const [at, cell] of cells.entries()) {
    const one = asked[at]
    if (one?.data !== undefined) parts.push({ cell, data: one.data })
    if (one?.error) failed.push({ cell, error: one.error })
  }
  return { parts, failed, pending: enabled && (versions.isPending || asked.some((one) => one.isPending)) }
}

/** Rows of all cells in one list, each with its cell. */
export const rowsOf = <T, Row extends object>(
  { parts }: EachCell<T>,
  pick: (data: T) => readonly Row[],
): (Row & { readonly cell: string })[] => parts.flatMap(({ cell, data }) => pick(data).map((row) => ({ ...row, cell })))
