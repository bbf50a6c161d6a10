// A box with a heading: what belongs together beside what else is on the screen. Never one inside another.
import type { ReactNode } from 'react'
import css from './card.module.css'

/** `plain` is dense; `loose` has air between its parts; `raised` is the whole act again, before it is
 *  done. */
export const Card = ({
  title,
  heading = title,
  look = 'plain',
  className,
  children,
}: {
  /** Its name, and its heading where no other is given. */
  readonly title: string
  readonly heading?: ReactNode
  readonly look?: 'plain' | 'loose' | 'raised'
  /** For what stands inside. */
  readonly className?: string | undefined
  readonly children: ReactNode
}): ReactNode => (
  <section className={[css['card'], css[look], className].filter(Boolean).join(' ')} aria-label={title}>
    <h2>{heading}</h2>
    {children}
  </section>
)
