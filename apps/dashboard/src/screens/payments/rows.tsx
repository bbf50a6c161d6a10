// The rows of the list by day, and the few latest of the first screen; each is a link to its payment. Below
// 640 px they are cards: who and how on the left, how much and what became of it on the right. Roles are
// given, because a grid takes them away.
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { memo } from 'react'
import type { Filters } from '../../address.ts'
import { HOME } from '../../api/call.ts'
import { dayInWords, dayOf, endOfDay, startOfDay } from '../../clock.ts'
import { koboOf } from '../../money.ts'
import { Money, State, When } from '../../parts/figures.tsx'
import { askedOf, count, momentOf, type Row } from './filter.ts'
import css from './list.module.css'
import { methodOf, payments, stateOf } from './words.ts'

const HEADS: readonly (readonly [word: string, end?: boolean])[] = [
  ['Amount', true],
  ['State'],
  ['Customer'],
  ['By'],
  ['Your reference'],
  ['When, WAT', true],
]

/** A plain link: the router's own looks at every change of the address, which a slow phone feels with a page
 *  of them. */
function RowLink({ reference, who }: { readonly reference: string; readonly who: string }) {
  const navigate = useNavigate()
  return (
    <a
      href={`${HOME}/payments/${encodeURIComponent(reference)}`}
      title={who}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
        event.preventDefault()
        void navigate({ to: '/payments/$reference', params: { reference } })
      }}
    >
      {who}
    </a>
  )
}

/** Rows do not change under a reader, whatever else of the list does. */
const Line = memo(({ row, form }: { readonly row: Row; readonly form: 'day' | 'clock' }) => {
  const [tone, word] = stateOf(row.paymentStatus, row.flagged)
  const { name, email } = row.customerDTO
  return (
    <tr role="row">
      <td role="cell" className={css['sum']}>
        <Money kobo={koboOf(row.amount)} />
      </td>
      <td role="cell" className={css['state']}>
        <State tone={tone}>{word}</State>
      </td>
      <td role="cell" className={css['who']}>
        <RowLink reference={row.transactionReference} who={name || email} />
      </td>
      <td role="cell" className={css['how']}>
        {methodOf(row.paymentMethod)}
      </td>
      <td role="cell" className={css['ref']} title={row.paymentReference}>
        <span>{row.paymentReference}</span>
      </td>
      <td role="cell" className={css['when']}>
        <When at={momentOf(row)} form={form} />
      </td>
    </tr>
  )
})
Line.displayName = 'Line'

const Heads = () => (
  <thead role="rowgroup">
    <tr role="row">
      {HEADS.map(([word, end]) => (
        <th key={word} scope="col" role="columnheader" className={end ? css['end'] : undefined}>
          {word}
        </th>
      ))}
    </tr>
  </thead>
)

/** A few rows of any day, each with its date. */
export const LatestRows = ({ rows }: { readonly rows: readonly Row[] }) => (
  <table className={[css['rows'], css['latest']].join(' ')} aria-label="Latest payments" role="table">
    <Heads />
    <tbody role="rowgroup">
      {rows.map((row) => (
        <Line key={row.transactionReference} row={row} form="day" />
      ))}
    </tbody>
  </table>
)

/** How many a day has within the filter, whatever of it is on this page. */
const ofDay = (filters: Filters, day: string, until: number) => {
  const asked = askedOf(filters, Math.min(until, endOfDay(day)))
  return count({ ...asked, from: String(Math.max(startOfDay(day), Number(asked.from ?? 0))) })
}

type Counted = { readonly filters: Filters; readonly day: string; readonly until: number }
function DayCount({ filters, day, until }: Counted) {
  const { data } = useQuery(ofDay(filters, day, until))
  return <span>{data === undefined ? '' : payments(data)}</span>
}

type Props = { readonly rows: readonly Row[]; readonly filters: Filters; readonly until: number }
export function Rows({ rows, filters, until }: Props) {
  const days = [...Map.groupBy(rows, (row) => dayOf(momentOf(row)))]
  return (
    <table className={css['rows']} aria-label="Payments, newest first" role="table">
      <Heads />
      {days.map(([day, own]) => (
        <tbody key={day} role="rowgroup">
          <tr role="row" className={css['day']}>
            <th colSpan={HEADS.length} scope="rowgroup">
              {dayInWords(day)} <DayCount filters={filters} day={day} until={until} />
            </th>
          </tr>
          {own.map((row) => (
            <Line key={row.transactionReference} row={row} form="clock" />
          ))}
        </tbody>
      ))}
    </table>
  )
}
