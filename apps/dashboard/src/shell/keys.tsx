// The keyboard: `?` lists what there is, `j` and `k` go through the rows of a list, `g` and a letter go to a
// screen. Nothing is taken from somebody who types into a field.
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { SIDE } from '../api/call.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Facts } from '../parts/page.tsx'
import { keyedOf } from './nav-keys.ts'
import type { NavGroup } from './nav-list.ts'
import { stepRow } from './rows.ts'

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, select, textarea, dialog') !== null

export function Shortcuts({ groups }: { readonly groups: readonly NavGroup[] }) {
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const going = useRef(false)
  const keyed = keyedOf(SIDE, groups)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const item = going.current ? keyed.find(({ key }) => key === event.key) : undefined
      const goes = going.current
      going.current = !goes && event.key === 'g'
      if (item) void navigate({ to: item.to })
      else if (goes) return
      else if (event.key === '?') setOpen(true)
      else if (event.key === 'j') stepRow(1)
      else if (event.key === 'k') stepRow(-1)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
  if (!open) return null
  return (
    <Dialog title="Keyboard" closeWord="Close" onClose={() => setOpen(false)}>
      <Facts
        facts={[
          ['?', 'This list'],
          ['/ or Ctrl K', 'Find anything'],
          ['j, k', 'The next row of a list; the one before'],
          ['Enter', 'Open the row'],
          ...keyed.map(({ key, word }) => [`g then ${key}`, word] as const),
          ['Tab', 'To the next thing'],
          ['Escape', 'Close a dialog'],
        ]}
      />
    </Dialog>
  )
}
