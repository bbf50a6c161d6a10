// Payments, newest first. The upper bound is fixed at the first look, so nothing shifts while somebody reads;
// what is new is offered. Totals are of the filter, not of the page.
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { type Filters, useFilters } from '../../address.ts'
import { queries } from '../../api/session.ts'
import { clockTime, dayNow, endOfDay } from '../../clock.ts'
import { Button, classOfButton } from '../../parts/button.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { ExportLink } from '../../parts/lists/export.tsx'
import { Failed } from '../../parts/notice.tsx'
import { Empty, Loading, Page } from '../../parts/page.tsx'
import { SavedViews } from '../../parts/saved/saved.tsx'
import { activeOf, askedOf, count, momentOf, type Query, type Row, search } from './filter.ts'
import { FilterBar, Presets } from './filters.tsx'
import css from './list.module.css'
import { PAGE } from './page-size.ts'
import { Rows } from './rows.tsx'
import { counted, STATES } from './words.ts'

const LOOK_EVERY_MS = 20_000
/** The search tells moments to the second: the bound is the end of it. */
const LIST_SECOND_MS = 999

/** False until the rows are on the screen: seven questions at once would keep a slow phone from showing
 *  them. */
function usePainted(): boolean {
  const [painted, setPainted] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPainted(true), 0)
    return () => clearTimeout(timer)
  }, [])
  return painted
}

/** How many there are of each state; they add up to the total, and each leads to its rows. */
function Totals({ filters, asked, total }: { filters: Filters; asked: Query; total: number }) {
  const painted = usePainted()
  const states = filters['state'] || !painted ? [] : Object.keys(STATES)
  const counts = useQueries({ queries: states.map((paymentStatus) => count({ ...asked, paymentStatus })) })
  return (
    <dl className={css['totals']}>
      <div>
        <dt>{filters['state'] ? (STATES[filters['state']]?.[1] ?? filters['state']) : 'Payments'}</dt>
        <dd>{counted(total)}</dd>
      </div>
      {states.map((state, nth) => {
        const some = counts[nth]?.data ?? 0
        return some === 0 ? null : (
          <div key={state}>
            <dt>{STATES[state]?.[1]}</dt>
            <dd>
              <Link to="/payments" search={{ ...filters, page: '', until: '', state }}>
                {counted(some)}
              </Link>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** What came since the newest row; asked for again and again while somebody looks. */
function Fresh({ filters, bound, onShow }: { filters: Filters; bound: number; onShow: () => void }) {
  const over = filters['to'] !== undefined && filters['to'] !== '' && endOfDay(filters['to']) <= bound
  const asked = { ...askedOf(filters), from: String(bound + 1) }
  const fresh = useQuery({ ...count(asked), staleTime: 0, refetchInterval: LOOK_EVERY_MS, enabled: !over })
  return (
    <p className={css['fresh']} aria-live="polite">
      {fresh.data ? (
        <Button look="plain" small icon="again" onClick={onShow}>
          {`${counted(fresh.data)} new since ${clockTime(new Date(bound).toISOString()).slice(0, 5)}, show ${fresh.data === 1 ? 'it' : 'them'}`}
        </Button>
      ) : null}
    </p>
  )
}

function Nothing({ filters }: { readonly filters: Filters }): ReactNode {
  const all = useQuery(count({}))
  if (activeOf(filters).length === 0)
    return (
      <Empty title="No payment yet.">
        It stands here from the moment you ask for one: by the API, an invoice, a payment link or a reserved account.
      </Empty>
    )
  return (
    <Empty title="No payment fits these filters.">
      {all.data === undefined ? null : `${counted(all.data)} ${all.data === 1 ? 'is' : 'are'} outside them. `}
      <Link to="/payments">Show all payments</Link>
    </Empty>
  )
}

function GoTo({ set }: { readonly set: (change: Filters) => void }) {
  return (
    <div className={css['goTo']}>
      <Form label="Go to date" onSend={({ day = '' }) => set({ from: '', to: day, until: '' })}>
        <Field label="Go to date" type="date" name="day" required max={dayNow()} />
        <Button submit>Go</Button>
      </Form>
    </div>
  )
}

type Pages = { filters: Filters; page: number; last: boolean; until: string; set: (change: Filters) => void }
const Turning = ({ filters, page, last, until, set }: Pages) => {
  const to = (number: number) => ({
    ...filters,
    page: number === 0 ? '' : String(number),
    until: number === 0 ? '' : until,
  })
  return (
    <nav className={css['turning']} aria-label="Pages">
      {page > 0 ? (
        <Link className={classOfButton()} to="/payments" search={to(page - 1)}>
          Newer
        </Link>
      ) : null}
      {last ? null : (
        <Link className={classOfButton()} to="/payments" search={to(page + 1)}>
          Older
        </Link>
      )}
      <GoTo set={set} />
    </nav>
  )
}

export function Payments() {
  const [filters, set] = useFilters()
  const page = Number(filters['page'] ?? 0)
  const until = filters['until'] ? Number(filters['until']) : null
  const asked = askedOf(filters, until)
  const list = useQuery(search({ ...asked, page: String(page), size: String(PAGE) }))
  const rows: readonly Row[] = list.data?.content ?? []
  // The bound of the first look: later pages and the totals keep to it.
  const bound = until ?? (rows[0] ? Date.parse(momentOf(rows[0])) + LIST_SECOND_MS : null)
  const showNew = () => {
    void queries.invalidateQueries({ queryKey: ['payments'] })
    set({ until: '' })
  }
  return (
    <Page title="Payments" acts={<ExportLink filters={asked} total={list.data?.totalElements} />}>
      <SavedViews list="payments" />
      <Presets filters={filters} />
      <FilterBar filters={filters} set={set} />
      <Failed error={list.error} />
      {list.isPending ? <Loading lines={8} /> : null}
      {list.data && rows.length > 0 && bound !== null ? (
        <>
          <Totals filters={filters} asked={askedOf(filters, bound)} total={list.data.totalElements} />
          <Fresh filters={filters} bound={bound} onShow={showNew} />
          <Rows rows={rows} filters={filters} until={bound} />
          <Turning filters={filters} page={page} last={list.data.last} until={String(bound)} set={set} />
        </>
      ) : null}
      {list.data && rows.length === 0 ? <Nothing filters={filters} /> : null}
    </Page>
  )
}
