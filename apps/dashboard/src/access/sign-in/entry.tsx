// The frame of whoever is not logged in: one column, one thing to do.
import { type ReactNode, useEffect } from 'react'
import { SIDE } from '../../api/call.ts'
import { Mark } from '../../parts/drawing.tsx'
import css from './entry.module.css'

export function Entry({
  title,
  lead,
  children,
}: {
  readonly title: string
  readonly lead?: ReactNode
  readonly children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Cowrie`
  }, [title])
  return (
    <div className={[css['ground'], SIDE === 'operator' ? css['operator'] : ''].join(' ')}>
      <p className={css['logo']}>
        <Mark />
        Cowrie
        {SIDE === 'operator' ? <small>Operator</small> : null}
      </p>
      <main className={css['sheet']}>
        <h1>{title}</h1>
        {lead ? <p className={css['lead']}>{lead}</p> : null}
        {children}
      </main>
      <p className={css['foot']}>
        {SIDE === 'operator'
          ? 'For people who run this gateway. Everything done here is on record.'
          : 'For people of a merchant. Programs use API keys.'}
      </p>
    </div>
  )
}

export const Or = () => <p className={css['or']}>or</p>
