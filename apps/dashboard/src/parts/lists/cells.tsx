// What the cells of lists have in common: a state, a name that leads to the whole, an amount, a reference.
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Money, State, type StateTone } from '../figures.tsx'
import type { Column } from '../table.tsx'
import css from './cells.module.css'

export type Word = readonly [tone: StateTone, word: string]
type Way = { readonly to: string; readonly params: Readonly<Record<string, string>> }

export const stateColumn = <Row,>(wordOf: (row: Row) => Word): Column<Row> => ({
  head: 'State',
  cell: (row) => {
    const [tone, word] = wordOf(row)
    return <State tone={tone}>{word}</State>
  },
})

/** Cut where there is no room; the whole is on hover. */
export const Cut = ({ text }: { readonly text: string }) => (
  <span className={css['cut']} title={text}>
    {text}
  </span>
)

/** What a row is, as the way to it, and a line that tells more. */
export const Named = ({ name, below, ...way }: Way & { readonly name: string; readonly below: ReactNode }) => (
  <span>
    <Link {...way}>
      <b className={css['cut']} title={name}>
        {name}
      </b>
    </Link>
    <small>{below}</small>
  </span>
)

/** An amount that leads to what it was of. */
export const AmountLink = ({ kobo, ...way }: Way & { readonly kobo: bigint }) => (
  <Link className={css['amount']} {...way}>
    <Money kobo={kobo} />
  </Link>
)

/** To whom, and a line that tells more. */
export const Receiver = ({ name, below }: { readonly name: string | null | undefined; readonly below: ReactNode }) => (
  <span className={css['to']}>
    <b title={name ?? ''}>{name ?? 'Not validated'}</b>
    <small>{below}</small>
  </span>
)

/** Its tail tells it from others, so that the head is cut. */
export const Reference = ({ text }: { readonly text: string }) => (
  <span className={css['reference']} title={text}>
    {text}
  </span>
)

/** Long references lose their head, never their tail; the whole is on hover. */
export const Tail = ({ text }: { readonly text: string }) => (
  <span title={text}>{text.length > 22 ? `…${text.slice(-18)}` : text}</span>
)

/** The way to the list that something is of. */
export const Up = ({ to, word, here }: { readonly to: string; readonly word: string; readonly here: string }) => (
  <>
    <Link to={to}>{word}</Link> / <span className={css['here']}>{here}</span>
  </>
)
