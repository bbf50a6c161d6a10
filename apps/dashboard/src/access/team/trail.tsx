// The audit trail: who did what, when, from where and why, as a chain that shows when a line was changed or
// left out. Newest first.
import type { listOwnTrail, TrailLine } from '@cowrie/contract/access/trail'
import { Link } from '@tanstack/react-router'
import type { Static } from 'typebox'
import { useFilters } from '../../address.ts'
import { view } from '../../api/call.ts'
import { classOfButton } from '../../parts/button.tsx'
import { Code } from '../../parts/code.tsx'
import { When } from '../../parts/figures.tsx'
import { ListScreen } from '../../parts/lists/list-screen.tsx'
import { useRows } from '../../parts/lists/rows.tsx'
import { Empty, Facts } from '../../parts/page.tsx'
import css from './team.module.css'

type Line = Static<typeof TrailLine>

const KINDS: Readonly<Record<Line['by']['kind'], string>> = {
  person: '',
  key: 'API key ',
  command: 'Command of ',
  timer: 'Timer ',
}
const whoOf = ({ kind, name, role, side }: Line['by']): string =>
  `${KINDS[kind]}${name}${role === null ? '' : `, ${role}`}${side === 'operator' ? ' of the operator' : ''}`

const factsOf = (line: Line): (readonly [string, string])[] =>
  (
    [
      ['Act', line.what],
      ['From', line.address],
      ['Request', line.requestId],
      ['Approval', line.approval],
      ['Concerns', line.concerns],
      ['Hash', line.hash],
    ] as const
  ).flatMap(([name, value]) => (value === null || value === '' ? [] : [[name, value] as const]))

const TrailItem = ({ line }: { readonly line: Line }) => (
  <li>
    <div className={css['line']}>
      <span>
        <b>{line.title}</b>, by {whoOf(line.by)}
      </span>
      <small>
        No. {line.number}, <When at={line.at} />
      </small>
    </div>
    {line.reason === '' ? null : <p className={css['why']}>{line.reason}</p>}
    <details>
      <summary>Whole line</summary>
      <div className={css['facts']}>
        <Facts facts={factsOf(line)} />
        {line.before === null ? null : <Code title="Before" text={JSON.stringify(line.before, null, 2)} />}
        {line.after === null ? null : <Code title="After" text={JSON.stringify(line.after, null, 2)} />}
      </div>
    </details>
  </li>
)

const Of = ({ of, word, chosen }: { readonly of: string; readonly word: string; readonly chosen: boolean }) => (
  <Link
    className={classOfButton(chosen ? 'main' : 'quiet', false, true)}
    to="/trail"
    search={{ of }}
    aria-current={chosen ? 'true' : undefined}
  >
    {word}
  </Link>
)

export function Trail() {
  const [{ of = 'MERCHANT' }] = useFilters()
  const list = useRows(['trail'], ({ of: which = 'MERCHANT', before }) =>
    view<typeof listOwnTrail>('trail.list', { of: which, ...(before ? { before } : {}) }),
  )
  return (
    <ListScreen
      title="Audit trail"
      lead="Every change of settings, keys, money and people, with a name. Lines are linked by hashes and cannot be edited."
      choice={
        <nav className={css['choices']} aria-label="Which trail">
          <Of of="MERCHANT" word="What was done" chosen={of === 'MERCHANT'} />
          <Of of="AGENTS" word="Calls of agents" chosen={of === 'AGENTS'} />
          <Of of="TEAM" word="People and log-ins" chosen={of === 'TEAM'} />
        </nav>
      }
      name="lines"
      list={list}
      rows={(lines) => (
        <ol className={css['lines']}>
          {lines.map((line) => (
            <TrailItem key={line.number} line={line} />
          ))}
        </ol>
      )}
      empty={
        <Empty title="No line yet.">
          {of === 'AGENTS'
            ? 'What is read or proposed with an API key for agents stands here.'
            : 'The first change of a setting, a key or a member stands here.'}
        </Empty>
      }
    />
  )
}
