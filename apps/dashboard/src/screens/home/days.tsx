// Seven days as bars, with the figures behind them. Each bar leads to the payments of its day.
import type { HomeFigures } from '@cowrie/contract/screens/home'
import { Link } from '@tanstack/react-router'
import { dayOf, dayOfMonth, weekday } from '../../clock.ts'
import { koboOf } from '../../money.ts'
import { Money } from '../../parts/figures.tsx'
import { Table } from '../../parts/table.tsx'
import css from './home.module.css'

type Day = HomeFigures['days'][number]

const [WIDE, HIGH, TOP, FOOT] = [392, 128, 18, 20]

/** Its whole day, both ends included, as the search takes it. */
export const spanOf = (from: string): { from: string; to: string } => ({
  from: dayOf(from),
  to: dayOf(from),
})

const THOUSANDS: readonly (readonly [number, string])[] = [
  [1_000_000_000, 'bn'],
  [1_000_000, 'm'],
  [1_000, 'k'],
]
/** `1.2m`, over a bar; the table has every kobo. */
function shortOf(amount: number): string {
  const [unit, word] = THOUSANDS.find(([least]) => amount >= least) ?? [1, '']
  return `${(amount / unit).toLocaleString('en', { maximumSignificantDigits: 3 })}${word}`
}

const Bar = ({ day, at, most }: { readonly day: Day; readonly at: number; readonly most: number }) => {
  const step = WIDE / 7
  const height = most === 0 ? 0 : Math.round((day.amount / most) * (HIGH - TOP - FOOT))
  const middle = at * step + step / 2
  const base = HIGH - FOOT
  return (
    <g>
      <rect
        className={day.amount === 0 ? css['barNone'] : at === 6 ? css['barToday'] : css['bar']}
        x={at * step + 6}
        y={base - Math.max(height, 2)}
        width={step - 12}
        height={Math.max(height, 2)}
        rx="2"
      />
      <text className={css['barSum']} x={middle} y={base - Math.max(height, 2) - 5} textAnchor="middle">
        {day.amount === 0 ? '' : shortOf(day.amount)}
      </text>
      <text className={css['barDay']} x={middle} y={HIGH - 4} textAnchor="middle">
        {at === 6 ? 'Today' : weekday(day.from)}
      </text>
    </g>
  )
}

export function Days({ days }: { readonly days: readonly Day[] }) {
  const most = Math.max(...days.map(({ amount }) => amount))
  if (most === 0) return null // seven bars of nothing say nothing
  return (
    <figure className={css['days']}>
      <svg
        viewBox={`0 0 ${WIDE} ${HIGH}`}
        role="img"
        aria-label="Collected on each of the last seven days; the figures are in the table below"
      >
        {days.map((day, at) => (
          <Bar key={day.day} day={day} at={at} most={most} />
        ))}
      </svg>
      <figcaption>
        <details>
          <summary>Seven days as a table</summary>
          <Table
            name="Collected on each of the last seven days"
            rows={days.toReversed()}
            idOf={({ day }) => day}
            columns={[
              {
                head: 'Day',
                plain: true,
                cell: ({ from }) => (
                  <Link to="/payments" search={spanOf(from)}>
                    {dayOfMonth(from)}
                  </Link>
                ),
              },
              { head: 'Paid', end: true, cell: ({ payments }) => payments.toLocaleString('en') },
              { head: 'Collected', end: true, cell: ({ amount }) => <Money kobo={koboOf(amount)} /> },
            ]}
          />
        </details>
      </figcaption>
    </figure>
  )
}
