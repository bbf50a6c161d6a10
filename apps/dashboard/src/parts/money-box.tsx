// The one large amount of a page, sums that add up on the screen, and account numbers as they are read:
// 3-3-4.
import type { ReactNode } from 'react'
import { Money } from './figures.tsx'
import css from './money-box.module.css'

export const LargeMoney = ({ kobo, children }: { readonly kobo: bigint; readonly children?: ReactNode }) => (
  <div className={css['large']}>
    <b>
      <Money kobo={kobo} />
    </b>
    {children}
  </div>
)

export type SumLine = {
  readonly name: string
  readonly value: bigint | ReactNode
  readonly note?: ReactNode
  /** What the lines before it add up to. */
  readonly total?: boolean
}
export const Sum = ({ lines }: { readonly lines: readonly SumLine[] }) => (
  <dl className={css['sum']}>
    {lines.map(({ name, value, note, total }) => (
      <div key={name} className={total ? css['total'] : undefined}>
        <dt>{name}</dt>
        <dd>
          {typeof value === 'bigint' ? <Money kobo={value} /> : value}
          {note ? <small>{note}</small> : null}
        </dd>
      </div>
    ))}
  </dl>
)

/** The gaps are margins: what is copied is ten digits. Masked numbers stay as they came. */
export const AccountNumber = ({ number }: { readonly number: string }) =>
  /^\d{10}$/.test(number) ? (
    <span className={css['number']}>
      <span>{number.slice(0, 3)}</span>
      <span>{number.slice(3, 6)}</span>
      <span>{number.slice(6)}</span>
    </span>
  ) : (
    number
  )
