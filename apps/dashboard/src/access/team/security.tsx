// Security events: what happened to people, rights, keys and destinations, newest first. The same columns
// serve a merchant's people, the operator's, and somebody's own account.
import type { listOwnSecurity, SecurityEvent } from '@cowrie/contract/access/security'
import type { Static } from 'typebox'
import { useFilters } from '../../address.ts'
import { view } from '../../api/call.ts'
import { Button } from '../../parts/button.tsx'
import { State, When } from '../../parts/figures.tsx'
import { ListScreen } from '../../parts/lists/list-screen.tsx'
import { useRows } from '../../parts/lists/rows.tsx'
import { Empty } from '../../parts/page.tsx'
import type { Column } from '../../parts/table.tsx'
import css from './team.module.css'

type Event = Static<typeof SecurityEvent>

const TONES = { INFO: 'off', LOW: 'off', MEDIUM: 'care', HIGH: 'bad', CRITICAL: 'bad' } as const
const WORDS: Readonly<Record<Event['severity'], string>> = {
  INFO: 'Information',
  LOW: 'Low',
  MEDIUM: 'Medium',
  HIGH: 'High',
  CRITICAL: 'Critical',
}
const byOf = ({ by, person }: Event): string => {
  if (by.kind === 'nobody') return 'somebody who was not let in'
  if (by.name === person) return 'the same person'
  return `${by.kind === 'key' ? 'API key ' : ''}${by.name}${by.side === 'operator' && by.name !== 'operator' ? ', of the operator' : ''}`
}

export const COLUMNS: readonly Column<Event>[] = [
  {
    head: 'What',
    plain: true,
    cell: ({ says, kind, at }) => (
      <span>
        <b>{says}</b>
        <small>
          <When at={at} /> · {kind}
        </small>
      </span>
    ),
  },
  { head: 'Severity', cell: ({ severity }) => <State tone={TONES[severity]}>{WORDS[severity]}</State> },
  { head: 'Person', cell: ({ person, merchant }) => person ?? merchant ?? 'Nobody by name' },
  {
    head: 'By',
    cell: (event) => (
      <span className={css['wrap']}>
        {byOf(event)}
        {event.address === null ? null : <small>{event.address}</small>}
      </span>
    ),
  },
  {
    head: 'More',
    end: true,
    plain: true,
    cell: ({ details }) =>
      details === null ? null : (
        <details className={css['more']}>
          <summary>Details</summary>
          <pre>{JSON.stringify(details, null, 1)}</pre>
        </details>
      ),
  },
]
export const idOf = ({ cell, id }: Event): string => `${cell}-${id}`

const LEAST = [
  ['', 'Everything'],
  ['MEDIUM', 'Medium and above'],
  ['HIGH', 'High and above'],
] as const
/** How much an event matters at least. */
export const Choice = () => {
  const [{ least = '' }, setFilters] = useFilters()
  return (
    <nav className={css['choices']} aria-label="How much it matters">
      {LEAST.map(([value, word]) => (
        <Button
          key={value}
          small
          look={least === value ? 'main' : 'quiet'}
          aria-pressed={least === value}
          onClick={() => setFilters({ least: value, before: '' })}
        >
          {word}
        </Button>
      ))}
    </nav>
  )
}
export const NOTHING = (
  <Empty title="Nothing of that sort.">Log-ins, wrong codes, new keys and changed addresses stand here.</Empty>
)

export function Security() {
  const list = useRows(['security'], ({ least, before }) =>
    view<typeof listOwnSecurity>('security.list', { ...(least ? { least } : {}), ...(before ? { before } : {}) }),
  )
  return (
    <ListScreen
      title="Security"
      lead="What happened to your people, rights, keys and the places that money and data go to. Owners are mailed what matters."
      choice={<Choice />}
      name="security events"
      list={list}
      rows={{ columns: COLUMNS, idOf }}
      empty={NOTHING}
    />
  )
}
