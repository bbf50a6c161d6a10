// The one box: a button in the bar, `/` or Ctrl-K. What it opens is loaded when somebody first does.
import { lazy, Suspense, useEffect, useState } from 'react'
import { Icon } from '../parts/drawing.tsx'
import css from './find.module.css'
import type { NavGroup } from './nav-list.ts'

const Palette = lazy(() => import('./palette.tsx').then((found) => ({ default: found.Palette })))

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, select, textarea, dialog') !== null

export function Find({ groups }: { readonly groups: readonly NavGroup[] }) {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const chord = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k'
      const plain = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey && !isTyping(event.target)
      if (!chord && !plain) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button type="button" className={css['find']} onClick={() => setOpen(true)}>
        <Icon name="search" />
        <span>Find anything</span>
        <kbd>Ctrl K</kbd>
      </button>
      {open ? (
        <Suspense fallback={null}>
          <Palette groups={groups} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
