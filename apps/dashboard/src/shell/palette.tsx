// Find anything: paste a reference, an account number, an e-mail address or an id of the bank, and go where
// it is shown (found.ts). Screens are found by their names. Arrows move, Enter goes, Escape closes.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { koboOf } from '../money.ts'
import { Icon } from '../parts/drawing.tsx'
import { Money, State, type StateTone, When } from '../parts/figures.tsx'
import { Failed } from '../parts/notice.tsx'
import css from './find.module.css'
import { type Finding, type FoundRow, find, nothingOf, PLACEHOLDER } from './found.ts'
import type { NavGroup, NavItem } from './nav-list.ts'

const WAIT_MS = 180
const SHORTEST = 3

const TONES: Readonly<Record<string, StateTone>> = {
  ...{ PAID: 'good', COMPLETED: 'good', SUCCESS: 'good', ACTIVE: 'good', RESERVED: 'good' },
  ...{ PENDING: 'wait', PAYING: 'wait', IN_PROGRESS: 'wait', PENDING_AUTHORIZATION: 'wait' },
  ...{ PARTIALLY_PAID: 'care', OVERPAID: 'care', PAUSED: 'care' },
  ...{ LIVE: 'good', SENT: 'wait', HELD: 'care', OPEN: 'care', IN_REVIEW: 'care', SUSPENDED: 'bad' },
  ...{ FAILED: 'bad', RETURNED: 'bad', REVERSED: 'bad' },
}
const wordOf = (state: string): string => state.charAt(0) + state.slice(1).toLowerCase().replaceAll('_', ' ')

/** What is typed is asked for once somebody pauses; what is pasted nearly at once. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), WAIT_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/** The path of a found thing may have a query: the router takes it apart. */
const linkOf = (path: string) => {
  const [to = '/', search = ''] = path.split('?')
  return { to: decodeURIComponent(to), search: Object.fromEntries(new URLSearchParams(search)) }
}

const Row = ({ found, onPick }: { readonly found: FoundRow; readonly onPick: () => void }) => (
  <li>
    <Link {...linkOf(found.path)} onClick={onPick}>
      <Icon name={found.icon} />
      <span className={css['what']}>
        <b>
          {found.word}
          {found.amount === null ? null : (
            <>
              {' '}
              <Money kobo={koboOf(found.amount)} />
            </>
          )}
        </b>
        {found.lines.map((line) => (
          <small key={line}>{line}</small>
        ))}
      </span>
      <span className={css['how']}>
        {found.state === null ? null : <State tone={TONES[found.state] ?? 'off'}>{wordOf(found.state)}</State>}
        {found.at === null ? null : <When at={found.at} />}
      </span>
    </Link>
  </li>
)

/** What a cell has that did not answer is missing from the list: an empty one says nothing then. */
const Silent = ({ cells }: { readonly cells: readonly string[] }) =>
  cells.length === 0 ? null : (
    <div className={css['silent']} role="alert">
      <Icon name="care" />
      {cells.map((cell) => `Cell ${cell} did not answer.`).join(' ')} What it has is missing here.
    </div>
  )

const Screens = ({ items, onPick }: { readonly items: readonly NavItem[]; readonly onPick: () => void }) =>
  items.length === 0 ? null : (
    <div>
      <h3>Screens</h3>
      <ul>
        {items.map(({ to, word, icon }) => (
          <li key={to}>
            <Link to={to} onClick={onPick}>
              <Icon name={icon} />
              <span className={css['what']}>{word}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )

/** Up and down through the box and all links below it. */
function move(event: KeyboardEvent<HTMLDialogElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, ul a')]
  const at = stops.indexOf(document.activeElement as HTMLElement)
  stops.at((at + step + stops.length) % stops.length)?.focus()
}

/** Says what would be found, what is not there, or that it is looked for. */
const answerOf = (text: string, busy: boolean, rows: readonly FoundRow[] | undefined): string => {
  if (text.length < SHORTEST) return ''
  if (busy || rows === undefined) return 'Looking it up …'
  if (rows.length === 0) return nothingOf(text)
  return rows.length === 1 ? 'One thing found' : `${rows.length} things found`
}

const Frame = ({ onClose, children }: { readonly onClose: () => void; readonly children: ReactNode }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={css['palette']}
      aria-label="Find anything"
      onKeyDown={move}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      {children}
    </dialog>
  )
}

export function Palette({ groups, onClose }: { readonly groups: readonly NavGroup[]; readonly onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const text = useSettled(typed.trim())
  const navigate = useNavigate()
  const asked = useQuery({
    queryKey: ['find', text],
    queryFn: () => find(text),
    enabled: text.length >= SHORTEST,
  })
  const finding: Finding | undefined = text.length >= SHORTEST ? asked.data : undefined
  const found = finding?.rows
  const word = typed.trim().toLowerCase()
  const items = groups.flatMap((group) => group.items).filter((item) => item.word.toLowerCase().includes(word))
  const goToFirst = (): void => {
    const first = found?.[0]
    const screen = items[0]
    if (typed.trim() !== text || (!first && !screen)) return
    onClose()
    void navigate(first ? linkOf(first.path) : { to: screen?.to ?? '/' })
  }
  return (
    <Frame onClose={onClose}>
      <form
        className={css['ask']}
        onSubmit={(event) => {
          event.preventDefault()
          goToFirst()
        }}
      >
        <Icon name="search" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type into it
          autoFocus
          aria-label="Find anything"
          placeholder={PLACEHOLDER}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <button type="button" className={css['close']} onClick={onClose}>
          Close
        </button>
      </form>
      <div className={css['menu']}>
        <p role="status">{answerOf(text, asked.isFetching, found)}</p>
        <Failed error={text.length >= SHORTEST ? asked.error : null} />
        <Silent cells={finding?.silent ?? []} />
        {found === undefined || found.length === 0 ? null : (
          <ul>
            {found.map((one) => (
              <Row key={one.key} found={one} onPick={onClose} />
            ))}
          </ul>
        )}
        <Screens items={items} onPick={onClose} />
      </div>
      <p className={css['keys']}>
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> move
        </span>
        <span>
          <kbd>Enter</kbd> go
        </span>
        <span>
          <kbd>Esc</kbd> close
        </span>
      </p>
    </Frame>
  )
}
