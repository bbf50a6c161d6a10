// The rows of a list: read by what the address asks for, shown as a table, with the way to older ones and why
// there are none. Filters and the place in the list stand in the address.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Filters, useFilters } from '../../address.ts'
import { Button } from '../button.tsx'
import { Failed } from '../notice.tsx'
import { Loading } from '../page.tsx'
import { type Column, Table } from '../table.tsx'
import css from './pager.module.css'
import { type Paged, Pager } from './pager.tsx'

/** By number of page with a total, or by where the page before ended. */
export type RowPage<Row> = {
  readonly content: readonly Row[]
  readonly page?: Paged
  readonly next?: string | null
}
export type RowQuery<Row> = UseQueryResult<RowPage<Row>>

/** While another page is read, the one before stays. `id` names the list. */
export function useRows<Found extends RowPage<unknown>>(
  id: readonly string[],
  load: (filters: Filters) => Promise<Found>,
  enabled = true,
): UseQueryResult<Found> {
  const [search] = useFilters()
  const filters = Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ''))
  return useQuery({
    queryKey: [...id, filters],
    queryFn: () => load(filters),
    placeholderData: (before, query) => (id.every((part, at) => query?.queryKey[at] === part) ? before : undefined),
    enabled,
  })
}

/** Its content once it is there; before that the frame, and where it was refused the refusal. */
export const Loaded = <T,>({
  query,
  children,
  lines = 4,
}: {
  readonly query: UseQueryResult<T>
  readonly children: (data: T) => ReactNode
  readonly lines?: number
}) => (
  <>
    <Failed error={query.error} />
    {query.isPending && query.error === null ? <Loading lines={lines} /> : null}
    {query.data === undefined ? null : children(query.data)}
  </>
)

/** From page to page without numbers. `next`: where the older ones begin; null: there are none. */
function Older({ count, next }: { readonly count: number; readonly next: string | null }) {
  const [{ before = '' }, setFilters] = useFilters()
  if (next === null && before === '') return null
  return (
    <nav className={css['pager']} aria-label="Pages">
      <p>{count} shown, newest first</p>
      <span>
        {before === '' ? null : (
          <Button small onClick={() => setFilters({ before: '' })}>
            Newest
          </Button>
        )}
        <Button small disabled={next === null} onClick={() => next !== null && setFilters({ before: next })}>
          Older
        </Button>
      </span>
    </nav>
  )
}

export type RowsProps<Row> = {
  /** What is counted: `invoices`. */
  readonly name: string
  readonly list: RowQuery<Row>
  /** As a table, or in a form of their own. */
  readonly rows: Cells<Row> | ((rows: readonly Row[]) => ReactNode)
  /** Why there is nothing. */
  readonly empty: ReactNode
  /** In the order of a file, and not the newest first. */
  readonly inOrder?: boolean
  /** Why the list could not be asked for at all. */
  readonly error?: Error | null
  /** What the address keeps on the way to another page. */
  readonly keep?: (page: number) => Filters
  readonly lines?: number
}
type Cells<Row> = { readonly columns: readonly Column<Row>[]; readonly idOf: (row: Row) => string }

export function Rows<Row>({ name, list, rows, empty, inOrder = false, error, keep, lines = 6 }: RowsProps<Row>) {
  const [, setFilters] = useFilters()
  if (error) return <Failed error={error} />
  return (
    <Loaded query={list} lines={lines}>
      {({ content, page, next = null }) => {
        const isEmpty = page ? page.totalElements === 0 : content.length === 0
        const filled = typeof rows === 'function' ? rows(content) : <Table name={name} rows={content} {...rows} />
        return (
          <>
            {isEmpty ? empty : filled}
            {page ? (
              <Pager
                page={page}
                of={name}
                inOrder={inOrder}
                onPage={(number) => setFilters({ page: number === 0 ? '' : String(number), ...keep?.(number) })}
              />
            ) : (
              <Older count={content.length} next={next} />
            )}
          </>
        )
      }}
    </Loaded>
  )
}

/** A list among other things, that reads its rows itself. */
export function RowList<Row>({
  id,
  load,
  ...rest
}: Omit<RowsProps<Row>, 'list'> & {
  readonly id: readonly string[]
  readonly load: (filters: Filters) => Promise<RowPage<Row>>
}) {
  return <Rows list={useRows(id, load)} {...rest} />
}
