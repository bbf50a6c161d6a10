// The frame around every screen of somebody who is logged in: rail, top, and on a phone a bar under the
// thumb.
import { useMutation } from '@tanstack/react-query'
import { Link, Outlet, useNavigate } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { people, SCREENS_OF, SIDE, VIEWED } from '../api/call.ts'
import { may, type Person, queries, useMe } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Face, Icon, Mark } from '../parts/drawing.tsx'
import { Find } from './find.tsx'
import { followHints } from './hints.ts'
import { Shortcuts } from './keys.tsx'
import { navFor } from './nav.ts'
import { MERCHANT_NAV, type NavGroup, type NavItem, OPERATOR_NAV, VIEWED_NAV } from './nav-list.ts'
import { isSandbox } from './page-facts.ts'
import css from './shell.module.css'

const NAV = SCREENS_OF === 'operator' ? OPERATOR_NAV : VIEWED === null ? MERCHANT_NAV : VIEWED_NAV
const BAR_MOST = 3

/** Not for what is below it, where that has an entry of its own. */
const exactly = ({ to }: NavItem): boolean =>
  to === '/' || NAV.some(({ items }) => items.some((other) => other.to.startsWith(`${to}/`)))

const Entry = ({ item, onPick }: { readonly item: NavItem; readonly onPick?: () => void }) => (
  <li>
    <Link to={item.to} activeOptions={{ exact: exactly(item) }} {...(onPick ? { onClick: onPick } : {})}>
      <Icon name={item.icon} />
      {item.word}
    </Link>
  </li>
)

const Groups = ({ groups, onPick }: { readonly groups: readonly NavGroup[]; readonly onPick?: () => void }) =>
  groups.map(({ title, items }) => (
    <div key={title ?? ''}>
      {title === null ? null : <h2>{title}</h2>}
      <ul>
        {items.map((item) => (
          <Entry key={item.to} item={item} {...(onPick ? { onPick } : {})} />
        ))}
      </ul>
    </div>
  ))

const Where = ({ person }: { readonly person: Person }) => (
  <div className={css['where']}>
    <Face name={person.merchant?.name ?? 'Cowrie'} square />
    <span>
      {person.merchant?.name ?? 'Cowrie'}
      <small>{isSandbox() ? 'Sandbox' : 'Live'}</small>
    </span>
  </div>
)

const Rail = ({ person, groups }: { readonly person: Person; readonly groups: readonly NavGroup[] }) => (
  <nav className={css['rail']} aria-label="Main">
    <div className={css['railIn']}>
      <Link className={css['logo']} to="/">
        <Mark />
        Cowrie
        {SIDE === 'operator' ? <small>Operator</small> : null}
      </Link>
      <Where person={person} />
      <Groups groups={groups} />
      <p className={css['foot']}>Times are West Africa Time</p>
    </div>
  </nav>
)

/** Somebody who has still to set up a factor can look at nothing. */
const finds = (person: Person): boolean =>
  !person.factorNeeded && may(person, SCREENS_OF === 'merchant' ? 'collections.read' : 'operator.merchants.read')

function Top({ person, groups }: { readonly person: Person; readonly groups: readonly NavGroup[] }) {
  const navigate = useNavigate()
  const leave = useMutation({
    mutationFn: () => people('logOut'),
    onSettled: async () => {
      await navigate({ to: '/log-in', search: { why: 'out' } })
      queries.clear()
    },
  })
  return (
    <header className={css['top']}>
      {finds(person) ? (
        <Find groups={groups} />
      ) : (
        <>
          <Link className={css['topLogo']} to="/" aria-label="Cowrie, home">
            <Mark />
          </Link>
          <span className={css['topWhere']}>{person.merchant?.name ?? 'Operator'}</span>
        </>
      )}
      <span className={css['end']}>
        {SIDE === 'merchant' ? (
          <a className={[css['topLink'], css['wide']].join(' ')} href="/docs">
            API reference
          </a>
        ) : null}
        {VIEWED === null ? (
          <>
            <Link className={[css['topLink'], css['me']].join(' ')} to="/account">
              <Face name={person.name} />
              <span className={css['name']}>{person.name}</span>
            </Link>
            <Button small icon="out" title="Log out" busy={leave.isPending} onClick={() => leave.mutate()}>
              <span className={css['name']}>Log out</span>
            </Button>
          </>
        ) : null}
      </span>
    </header>
  )
}

/** Below 640 px: the first screens, and all of them behind "More". */
function Bar({ groups }: { readonly groups: readonly NavGroup[] }) {
  const [open, setOpen] = useState(false)
  const items = groups.flatMap((group) => group.items)
  if (items.length === 0) return null
  const all = items.length <= BAR_MOST + 1
  return (
    <nav className={css['bar']} aria-label="Screens">
      <ul>
        {items.slice(0, all ? BAR_MOST + 1 : BAR_MOST).map((item) => (
          <Entry key={item.to} item={item} />
        ))}
        {all ? null : (
          <li>
            <button type="button" onClick={() => setOpen(true)}>
              <Icon name="menu" />
              More
            </button>
          </li>
        )}
      </ul>
      {open ? (
        <Dialog title="All screens" closeWord="Close" onClose={() => setOpen(false)}>
          <div className={css['all']}>
            <Groups groups={groups} onPick={() => setOpen(false)} />
          </div>
        </Dialog>
      ) : null}
    </nav>
  )
}

/** The rail is not there where the bar under the thumb is: thirty links that nobody sees cost a slow phone a
 *  tenth of a second. */
const narrow = window.matchMedia('(max-width: 860px)')
const watchWidth = (listener: () => void): (() => void) => {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

export function Shell() {
  const person = useMe()
  const isNarrow = useSyncExternalStore(watchWidth, () => narrow.matches)
  const groups = navFor(NAV, person)
  const follows = SIDE === 'merchant' && finds(person) && may(person, 'events.read')
  useEffect(() => (follows ? followHints() : undefined), [follows])
  return (
    <div className={[css['shell'], SIDE === 'operator' ? css['operator'] : ''].join(' ')}>
      <a className={css['skip']} href="#main">
        Skip to the content
      </a>
      {isNarrow ? null : <Rail person={person} groups={groups} />}
      <div className={css['stage']}>
        <Top person={person} groups={groups} />
        <main id="main" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <Bar groups={groups} />
      <Shortcuts groups={groups} />
    </div>
  )
}
