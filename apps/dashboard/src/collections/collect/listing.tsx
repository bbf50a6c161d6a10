// What the simple lists and single objects share: the frame while something is read, rows, the way to older
// ones, and why there are none.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFilters } from '../../address.ts'
import { Button } from '../../parts/button.tsx'
import { type Paged, Pager } from '../../parts/lists/pager.tsx'
import { Failed } from '../../parts/notice.tsx'
import { Empty, Loading, Page } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import css from './collect.module.css'

/** By number of page with a total, or by where the page before ended. */
export type Rows<Row> = {
  readonly content: readonly Row[]
  readonly page?: Paged
  readonly next?: string | null
}

/** Its content once it is there; before that the frame, and where it was refused the refusal. */
export function Shown<T>({
  query,
  children,
  lines = 4,
}: {
  readonly query: UseQueryResult<T>
  readonly children: (data: T) => ReactNode
  readonly lines?: number
}) {
  return (
    <>
      <Failed error={query.error} />
      {query.isPending ? <Loading lines={lines} /> : null}
      {query.data === undefined ? null : children(query.data)}
    </>
  )
}

const Older = ({
  count,
  next,
  onOlder,
  onNewest,
}: {
  readonly count: number
  readonly next: string | null
  readonly onOlder: (next: string) => void
  readonly onNewest: (() => void) | null
}) =>
  next === null && onNewest === null ? null : (
    <div className={css['more']}>
      <p>{count} shown, newest first</p>
      <span>
        {onNewest === null ? null : (
          <Button small onClick={onNewest}>
            Newest
          </Button>
        )}
        <Button small disabled={next === null} onClick={() => next !== null && onOlder(next)}>
          Older
        </Button>
      </span>
    </div>
  )

/** Rows and the way through them; `page` and `before` stand in the address. */
export function RowList<Row>({
  name,
  id,
  load,
  columns,
  idOf,
  empty,
}: {
  /** What is counted: `invoices`. */
  readonly name: string
  readonly id: readonly string[]
  readonly load: (filters: Readonly<Record<string, string>>) => Promise<Rows<Row>>
  readonly columns: readonly Column<Row>[]
  readonly idOf: (row: Row) => string
  readonly empty: ReactNode
}) {
  const [filters, setFilters] = useFilters()
  const list = useQuery({ queryKey: [...id, filters], queryFn: () => load(filters) })
  const before = filters['before'] ?? ''
  return (
    <Shown query={list}>
      {({ content, page, next = null }) => (
        <>
          {content.length === 0 ? empty : <Table name={name} columns={columns} rows={content} idOf={idOf} />}
          {page ? (
            <Pager page={page} of={name} onPage={(number) => setFilters({ page: String(number) })} />
          ) : (
            <Older
              count={content.length}
              next={next}
              onOlder={(older) => setFilters({ before: older })}
              onNewest={before === '' ? null : () => setFilters({ before: '' })}
            />
          )}
        </>
      )}
    </Shown>
  )
}

/** One list and nothing else on its screen. */
export const ListPage = <Row,>({
  title,
  lead,
  acts,
  filters,
  ...list
}: Parameters<typeof RowList<Row>>[0] & {
  readonly title: string
  readonly lead: ReactNode
  readonly acts?: ReactNode
  readonly filters?: ReactNode
}) => (
  <Page title={title} lead={lead} acts={acts}>
    {filters ? <div className={css['filters']}>{filters}</div> : null}
    <RowList {...list} />
  </Page>
)

export { Empty }

/** The way to what it is one of. */
export const Up = ({ to, word, here }: { readonly to: string; readonly word: string; readonly here: string }) => (
  <>
    <Link to={to}>{word}</Link> / <span className={css['text']}>{here}</span>
  </>
)

/** Long references lose their head, never their tail; the whole is on hover. */
export const Tail = ({ text }: { readonly text: string }) => (
  <span title={text}>{text.length > 22 ? `…${text.slice(-18)}` : text}</span>
)
