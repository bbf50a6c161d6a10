// The frame of a screen: its head, its sections, and what stands in them while there is nothing to show.
import { type ReactNode, useEffect, useRef } from 'react'
import css from './page.module.css'

export function Page({
  title,
  heading: shown = title,
  lead,
  acts,
  children,
}: {
  readonly title: string
  /** What the heading shows, where it is more than the title's text: an amount. */
  readonly heading?: ReactNode
  readonly lead?: ReactNode
  readonly acts?: ReactNode
  readonly children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  // A new screen is announced: its title is the document's, and the focus is on its heading.
  useEffect(() => {
    document.title = `${title} · Cowrie`
    heading.current?.focus({ preventScroll: true })
  }, [title])
  return (
    <div className={css['page']}>
      <div className={css['head']}>
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {shown}
          </h1>
          {lead ? <p>{lead}</p> : null}
        </div>
        {acts ? <div className={css['acts']}>{acts}</div> : null}
      </div>
      {children}
    </div>
  )
}

export const Section = ({
  title,
  lead,
  acts,
  children,
}: {
  readonly title: string
  readonly lead?: ReactNode
  readonly acts?: ReactNode
  readonly children?: ReactNode
}) => (
  <section className={css['section']} aria-label={title}>
    <div className={css['sectionHead']}>
      <div>
        <h2>{title}</h2>
        {lead ? <p>{lead}</p> : null}
      </div>
      {acts ? <div className={css['acts']}>{acts}</div> : null}
    </div>
    {children}
  </section>
)

/** Says why there is nothing, and what would fill it. */
export const Empty = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <div className={css['empty']}>
    <b>{title}</b>
    <p>{children}</p>
  </div>
)

/** Bars where text will be; the frame stays, and no figure is guessed. */
export const Loading = ({ lines = 3 }: { readonly lines?: number }) => (
  <div className={css['loading']} role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, line) => (
      <span key={String(line)} />
    ))}
  </div>
)

/** Name and value, one under the other on a phone. */
export const Facts = ({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={css['facts']}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
