// One timeline of a payment: newest on top, the future above it, silence as a row, and the record behind each
// row.
import type { PaymentView } from '@cowrie/contract/screens/payments'
import type { ReactNode } from 'react'
import { useFilters } from '../../address.ts'
import { clockTime, dayInWords, dayOf, thousandths, utc } from '../../clock.ts'
import { koboOf } from '../../money.ts'
import { Icon, type IconName } from '../../parts/drawing.tsx'
import { Money } from '../../parts/figures.tsx'
import {
  type Happened,
  happenedTo,
  isPosting,
  KINDS,
  type Kind,
  leftOut,
  lengthOf,
  type Posting,
  silenceOf,
  silences,
} from './happened.ts'
import css from './payment.module.css'

const ICONS: Readonly<Record<Kind, IconName>> = {
  STATE: 'tick',
  BANK: 'bank',
  BOOKS: 'scales',
  WEBHOOK: 'bolt',
  REFUND: 'refund',
  REQUEST: 'code',
  PERSON: 'person',
}
const UNSEEN: Readonly<Record<PaymentView['unseen'][number], string>> = {
  EVENTS: 'webhooks',
  REQUESTS: 'requests',
  PEOPLE: 'what people did',
  REFUNDS: 'refunds',
  SETTLEMENTS: 'settlements',
}

const plainly = (code: string): string => code.charAt(0) + code.slice(1).toLowerCase().replaceAll('_', ' ')
const PARTIES: Readonly<Record<string, string>> = { YOU: 'yours', COWRIE: 'ours' }

/** A credit makes what we owe grow; money at the bank is a debit. */
const Entries = ({ posting }: { readonly posting: Posting }) => (
  <table className={css['entries']} aria-label={`Entries of posting ${posting.id}`}>
    <thead>
      <tr>
        <th scope="col">Account</th>
        <th scope="col">Debit</th>
        <th scope="col">Credit</th>
      </tr>
    </thead>
    <tbody>
      {posting.entries.map(({ ledger, party, amount }) => (
        <tr key={`${ledger} ${party}`}>
          <td>
            {plainly(ledger)} <small>{PARTIES[party] ?? party}</small>
          </td>
          <td>{amount < 0 ? <Money kobo={-koboOf(amount)} /> : null}</td>
          <td>{amount > 0 ? <Money kobo={koboOf(amount)} /> : null}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Row = ({ row }: { readonly row: Happened }) => (
  <li className={[row.strong ? css['strong'] : '', row.later ? css['later'] : ''].join(' ')}>
    <time className={css['at']} dateTime={row.at} title={`${utc(row.at)} UTC`}>
      {clockTime(row.at)}
      <span>{thousandths(row.at)}</span>
    </time>
    <span className={[css['knot'], row.tone ? css[row.tone] : ''].join(' ')}>
      <Icon name={row.later ? 'clock' : ICONS[row.kind]} />
    </span>
    <details className={css['what']}>
      <summary>
        <span className={css['title']}>{row.title}</span>
        {row.figure ? (
          <span className={[css['figure'], row.tone ? css[row.tone] : ''].join(' ')}>{row.figure}</span>
        ) : null}
        <Icon name="down" />
        {row.facts ? <span className={css['facts']}>{row.facts}</span> : null}
      </summary>
      {isPosting(row.record) ? (
        <Entries posting={row.record} />
      ) : (
        <pre className={css['record']}>{JSON.stringify(row.record, null, 2)}</pre>
      )}
    </details>
  </li>
)

/** A row, with the day above it where it is another one, and the silence before what came next. */
function withBreaks(rows: readonly Happened[]): ReactNode[] {
  const gaps = silences(rows)
  return rows.flatMap((row, nth) => {
    const newer = rows[nth - 1]
    const gap = gaps[nth]
    const day = dayOf(row.at)
    return [
      ...(gap && newer
        ? [
            <li key={`${row.at} silence`} className={css['gap']}>
              <p>
                <b>{lengthOf(gap)}</b> {silenceOf(newer)}
              </p>
            </li>,
          ]
        : []),
      ...(newer === undefined || dayOf(newer.at) !== day
        ? [
            <li key={day} className={css['day']}>
              {dayInWords(day)}
            </li>,
          ]
        : []),
      <Row key={[row.at, row.kind, row.title, row.facts].join(' ')} row={row} />,
    ]
  })
}

export function Timeline({ page }: { readonly page: PaymentView }) {
  const [filters, set] = useFilters()
  const all = happenedTo(page)
  const chosen = KINDS.find(([kind]) => kind === filters['show'])?.[0]
  const rows = chosen ? all.filter(({ kind }) => kind === chosen) : all
  const more = leftOut(page)
  const of = (kind: Kind): number => all.filter((row) => row.kind === kind).length
  return (
    <section aria-label="What happened">
      <div className={css['happenedHead']}>
        <h2>What happened</h2>
        <p>
          Newest first, WAT. <span className={css['hover']}>Hover a time for UTC.</span>
        </p>
      </div>
      <fieldset className={css['kinds']} aria-label="Kinds of row">
        <button type="button" aria-pressed={!chosen} onClick={() => set({ show: '' })}>
          All <span>{all.length}</span>
        </button>
        {KINDS.filter(([kind]) => of(kind) > 0).map(([kind, word]) => (
          <button key={kind} type="button" aria-pressed={chosen === kind} onClick={() => set({ show: kind })}>
            <Icon name={ICONS[kind]} />
            {word} <span>{of(kind)}</span>
          </button>
        ))}
      </fieldset>
      <ol className={css['line']}>{withBreaks(rows)}</ol>
      {more > 0 ? <p className={css['left']}>and {more.toLocaleString('en-GB')} more, older than these</p> : null}
      {page.unseen.length > 0 ? (
        <p className={css['left']}>Your role does not see {page.unseen.map((kind) => UNSEEN[kind]).join(', ')}.</p>
      ) : null}
    </section>
  )
}
