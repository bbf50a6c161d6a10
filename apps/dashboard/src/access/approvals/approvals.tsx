// What waits for a second person, and what was decided; newest first. Deciding has the act's own page, which
// shows every word of it.
import type { listApprovals } from '@cowrie/contract/access/approvals'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useFilters } from '../../address.ts'
import { view } from '../../api/call.ts'
import { useMe } from '../../api/session.ts'
import { Button, classOfButton } from '../../parts/button.tsx'
import { Money, State } from '../../parts/figures.tsx'
import { Failed } from '../../parts/notice.tsx'
import { Empty, Loading, Page } from '../../parts/page.tsx'
import { Views } from '../../parts/views.tsx'
import css from './approvals.module.css'
import { TwoPeople } from './two-people.tsx'
import { type Approval, amountOf, headOf, kindOf, STATES, subjectOf } from './words.ts'

/** The gateway answers with so many at most. */
const PAGE = 100
type Queue = 'you' | 'yours' | 'others' | 'decided'
const EMPTY: Readonly<Record<Queue, readonly [title: string, why: string]>> = {
  you: ['Nothing waits for you.', 'What somebody else asks for, and you may approve, stands here until it is decided.'],
  yours: ['Nothing that you asked for waits.', 'What you ask for, and needs a second person, stands here.'],
  others: ['Nothing else waits.', 'What waits, and your role does not approve, stands here.'],
  decided: ['Nothing was decided yet.', 'What was approved, rejected or expired stays here.'],
}
const queueOf = (approval: Approval, email: string): Queue => {
  if (approval.state !== 'WAITING') return 'decided'
  if (approval.requestedBy.name === email) return 'yours'
  return approval.mayApprove ? 'you' : 'others'
}

const Ask = ({ approval }: { readonly approval: Approval }) => {
  const { state, reference, mayApprove } = approval
  const [head, rest] = headOf(approval)
  const kobo = amountOf(approval)
  return (
    <article className={css['ask']} aria-label={`${kindOf(approval)}: ${subjectOf(approval)}`}>
      <div className={css['much']}>
        {kobo === null ? null : (
          <b>
            <Money kobo={kobo} />
          </b>
        )}
        <span>{kindOf(approval)}</span>
      </div>
      <div className={css['what']}>
        <h2>
          <Link to="/approvals/$reference" params={{ reference }}>
            {head}
          </Link>
        </h2>
        <p>{rest}</p>
        {state === 'WAITING' ? null : <State tone={STATES[state][0]}>{STATES[state][1]}</State>}
      </div>
      <div className={css['do']}>
        <TwoPeople approval={approval} />
        {mayApprove ? (
          <Link className={classOfButton('quiet')} to="/approvals/$reference" params={{ reference }}>
            Look and decide
          </Link>
        ) : null}
      </div>
    </article>
  )
}

export function Approvals() {
  const { email } = useMe()
  const [{ queue: asked = 'you', before = '' }, filter] = useFilters()
  const queue = asked in EMPTY ? (asked as Queue) : 'you'
  const waiting = useQuery({
    queryKey: ['approvals', 'WAITING'],
    queryFn: () => view<typeof listApprovals>('approvals.list', { state: 'WAITING' }),
  })
  const decided = useQuery({
    queryKey: ['approvals', 'all', before],
    queryFn: () => view<typeof listApprovals>('approvals.list', before === '' ? {} : { before }),
    enabled: queue === 'decided',
  })
  const list = queue === 'decided' ? decided : waiting
  const all = list.data?.content ?? []
  const shown = all.filter((one) => queueOf(one, email) === queue)
  const countOf = (one: Queue): number | undefined =>
    waiting.data?.content.filter((approval) => queueOf(approval, email) === one).length
  const link = (one: Queue, word: string) => ({
    to: '/approvals',
    search: { queue: one },
    word,
    count: one === 'decided' ? undefined : countOf(one),
    here: one === queue,
  })
  return (
    <Page title="Approvals" lead="Done when two different people agree. What nobody approves in time is not done.">
      <Views
        label="Queue"
        views={[
          link('you', 'For you'),
          link('yours', 'Asked by you'),
          link('others', 'For others'),
          link('decided', 'Decided'),
        ]}
      />
      <Failed error={list.error} />
      {list.isPending ? <Loading /> : null}
      {list.data && shown.length === 0 ? <Empty title={EMPTY[queue][0]}>{EMPTY[queue][1]}</Empty> : null}
      {shown.map((approval) => (
        <Ask key={approval.reference} approval={approval} />
      ))}
      {queue === 'decided' && all.length === PAGE ? (
        <p className={css['older']}>
          <Button small onClick={() => filter({ before: all.at(-1)?.reference ?? '' })}>
            Older
          </Button>
        </p>
      ) : null}
    </Page>
  )
}
