// Lists that belong together, one beside the other: links, because each has an address.
import { Link } from '@tanstack/react-router'
import css from './views.module.css'

export type ViewLink = {
  readonly to: string
  readonly search?: Readonly<Record<string, string>>
  readonly word: string
  readonly count?: number | undefined
  readonly here: boolean
}

export const Views = ({ label, views }: { readonly label: string; readonly views: readonly ViewLink[] }) => (
  <nav className={css['views']} aria-label={label}>
    {views.map(({ to, search = {}, word, count, here }) => (
      // The filter is part of where one is, which the router does not compare here.
      <Link
        key={word}
        to={to}
        search={search}
        {...(here ? { 'data-here': true, 'aria-current': 'page' } : { activeProps: { 'aria-current': undefined } })}
      >
        {word}
        {count === undefined ? null : <span>{count}</span>}
      </Link>
    ))}
  </nav>
)
