// From page to page without numbers: older, and to the newest again. The place is in the address.
import type { ReactNode } from 'react'
import { useFilters } from '../../address.ts'
import { Button } from '../button.tsx'
import css from '../page.module.css'

/** `next` is what the gateway answered; null: there is nothing older. */
export function Older({ next }: { readonly next: string | null }): ReactNode {
  const [{ before }, setFilters] = useFilters()
  if (next === null && before === undefined) return null
  return (
    <nav className={css['older']} aria-label="Pages">
      {before === undefined ? null : <Button onClick={() => setFilters({ before: '' })}>Newest</Button>}
      {next === null ? (
        <span>This is the oldest.</span>
      ) : (
        <Button onClick={() => setFilters({ before: next })}>Older</Button>
      )}
    </nav>
  )
}
