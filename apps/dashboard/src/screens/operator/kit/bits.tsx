// Small things that several of the operator's screens show: an amount that came as text, a merchant as a
// link, figures that lead somewhere, a row of views over one list, and the ages of things.
import { MINUTE_MS } from '@cowrie/contract/kit/durations'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { koboOfText } from '../../../money.ts'
import { Money } from '../../../parts/figures.tsx'
import { Failed } from '../../../parts/notice.tsx'
import type { EachCell } from './cells.ts'
import css from './kit.module.css'

export const Naira = ({ amount }: { readonly amount: string }) => <Money kobo={koboOfText(amount)} />

/** A link that wraps its text where it must; API keys and references are long. */
export const MerchantLink = ({ which, name }: { readonly which: string | null; readonly name?: string }) =>
  which === null ? (
    <span className={css['nobody']}>Nobody yet</span>
  ) : (
    <Link to="/merchants/$which" params={{ which }}>
      {name ?? which}
    </Link>
  )

/** A word that is never broken. */
export const Whole = ({ children }: { readonly children: ReactNode }) => (
  <span className={css['nowrap']}>{children}</span>
)
const TAIL = 8
/** The tail of a long reference; the whole of it on hover. */
export const Tail = ({ of }: { readonly of: string }) => (
  <span className={css['nowrap']} title={of}>
    …{of.slice(-TAIL)}
  </span>
)

/** Which cells did not answer, and why: a list without them is not whole. */
export const CellFaults = ({ of }: { readonly of: EachCell<unknown> }) =>
  of.failed.map(({ cell, error }) => (
    <div key={cell} className={css['ended']}>
      {cell === '' ? null : <b>Cell {cell} is missing from what is shown.</b>}
      <Failed error={error} />
    </div>
  ))

export type Tile = {
  readonly label: string
  readonly figure: ReactNode
  readonly note: ReactNode
  readonly to: string
  readonly unknown?: boolean
}
export const Tiles = ({ tiles }: { readonly tiles: readonly Tile[] }) => (
  <ul className={css['tiles']}>
    {tiles.map(({ label, figure, note, to, unknown }) => (
      <li key={label}>
        <Link to={to}>
          <span className={css['label']}>{label}</span>
          <b className={unknown ? css['unknown'] : undefined}>{figure}</b>
          <small>{note}</small>
        </Link>
      </li>
    ))}
  </ul>
)

export type Tab = { readonly value: string; readonly word: string; readonly count?: number }
/** Views over one list: each is an address. */
export const Tabs = ({
  name,
  param,
  tabs,
  now,
}: {
  readonly name: string
  readonly param: string
  readonly tabs: readonly Tab[]
  readonly now: string
}) => (
  <nav className={css['tabs']} aria-label={name}>
    {tabs.map(({ value, word, count }) => (
      <Link
        key={value}
        to="."
        search={{ [param]: value }}
        aria-current={value === now ? 'page' : undefined}
        data-now={value === now || undefined}
      >
        {word}
        {count === undefined ? null : <span className={css['count']}>{count}</span>}
      </Link>
    ))}
  </nav>
)

/** `4 min`, `3 h`, `2 days`: only beside a real time. */
export function ageOf(from: string, to: string): string {
  const minutes = Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / MINUTE_MS))
  if (minutes < 1) return 'under a minute'
  if (minutes < 120) return `${minutes} min`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`
  return `${Math.floor(minutes / 1440)} days`
}

/** The word of a state or class, as people say it: `IN_REVIEW` is "In review". */
export const wordOf = (code: string): string => {
  const words = code.toLowerCase().replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
export const some = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count.toLocaleString('en-GB')} ${many}`

/** Two columns that become one: what there is, and what is decided about it. */
export const Beside = ({
  children,
  side,
  sideFirst,
}: {
  readonly children: ReactNode
  readonly side: ReactNode
  /** On a phone it stands above. It then holds nothing that is pressed. */
  readonly sideFirst?: boolean
}) => (
  <div className={css['beside']} data-first={sideFirst || undefined}>
    <div>{children}</div>
    <div className={css['side']}>{side}</div>
  </div>
)
export { Card as Box } from '../../../parts/card.tsx'
export const Crumb = ({ to, word, here }: { readonly to: string; readonly word: string; readonly here: string }) => (
  <nav className={css['crumb']} aria-label="Where you are">
    <Link to={to}>{word}</Link> <span aria-hidden="true">›</span> <span>{here}</span>
  </nav>
)
