// Events: the merchant's numbered log, the newest first, each with what became of it. Numbers have no gaps,
// so a hole would be seen.
import type { resendRange } from '@cowrie/contract/events/feed'
import type { eventLog, LoggedEvent } from '@cowrie/contract/events/log'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Static } from 'typebox'
import { useFilters } from '../../address.ts'
import { call, view } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { useDoing } from '../../doing/doing.tsx'
import { Button, classOfButton } from '../../parts/button.tsx'
import { Select } from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { State, When } from '../../parts/figures.tsx'
import { FilterLine } from '../../parts/lists/filter.tsx'
import { ListScreen } from '../../parts/lists/list-screen.tsx'
import { useRows } from '../../parts/lists/rows.tsx'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Empty } from '../../parts/page.tsx'
import type { Column } from '../../parts/table.tsx'
import { outcomeOf, Tries } from './attempts.tsx'
import { EVENT_WORDS } from './words.ts'

type Logged = Static<typeof LoggedEvent>

const COLUMNS: readonly Column<Logged>[] = [
  { head: 'No.', cell: ({ number }) => number.toLocaleString('en') },
  {
    head: 'Event',
    plain: true,
    cell: ({ eventId, eventType }) => (
      <span>
        <Link to="/developers/events/$id" params={{ id: eventId }}>
          {EVENT_WORDS[eventType] ?? eventType}
        </Link>
        <small>{eventType}</small>
      </span>
    ),
  },
  { head: 'About', cell: ({ object }) => object },
  { head: 'Attempts', cell: (event) => <Tries event={event} /> },
  {
    head: 'Outcome',
    cell: (event) => {
      const { tone, word, says } = outcomeOf(event)
      return (
        <span>
          <State tone={tone}>{word}</State>
          <small>{says}</small>
        </span>
      )
    },
  },
  { head: 'When, WAT', end: true, cell: ({ createdAt }) => <When at={createdAt} /> },
]

function ResendRange({ last, onClose }: { readonly last: number; readonly onClose: () => void }) {
  const doing = useDoing(({ from = '', to = '', which = '' }: Readonly<Record<string, string>>, { key }) =>
    call<typeof resendRange>('events.resendRange', {
      body: { from: Number(from), to: Number(to), onlyFailed: which === 'failed' },
      key,
    }),
  )
  return (
    <Dialog title="Resend a range" closeWord={doing.result ? 'Close' : 'Cancel'} onClose={onClose}>
      {doing.result ? (
        <Notice tone="good">
          {doing.result.recordsFound === 0
            ? 'None of them had to be sent.'
            : `${doing.result.recordsFound.toLocaleString('en')} events are sent now, in the order of their numbers.`}
        </Notice>
      ) : (
        <Form onSend={doing.go} label="Resend a range">
          <Field label="From number" name="from" type="number" min={1} max={last} required />
          <Field label="To number" name="to" type="number" min={1} max={last} defaultValue={last} required />
          <Select
            label="Which of them"
            name="which"
            options={[
              ['failed', 'Only those that were not taken'],
              ['all', 'All of them'],
            ]}
          />
          <Failed error={doing.error} />
          <Button look="main" wide submit busy={doing.busy}>
            Resend
          </Button>
        </Form>
      )}
      {doing.dialog}
    </Dialog>
  )
}

export function Events() {
  const me = useMe()
  const [{ outcome = '' }, setFilters] = useFilters()
  const list = useRows(['events', 'log'], ({ before, outcome: which }) =>
    view<typeof eventLog>('events.log', { ...(before ? { before } : {}), ...(which ? { outcome: which } : {}) }),
  )
  const [asking, setAsking] = useState(false)
  const last = list.data?.lastNumber ?? 0
  const acts = (
    <>
      {may(me, 'webhooks.read') ? (
        <Link className={classOfButton()} to="/developers/endpoints">
          Endpoints
        </Link>
      ) : null}
      {may(me, 'events.resend') && last > 0 ? <Button onClick={() => setAsking(true)}>Resend a range…</Button> : null}
    </>
  )
  return (
    <ListScreen
      title="Events"
      lead="Numbered without gaps, kept as long as the books. Only the answer 200 counts as taken."
      acts={acts}
      choice={
        <FilterLine>
          <Select
            label="Outcome"
            value={outcome}
            onChange={(event) => setFilters({ outcome: event.target.value, before: '' })}
            options={[
              ['', 'All'],
              ['GIVEN_UP', 'Given up'],
            ]}
          />
        </FilterLine>
      }
      name="events"
      list={list}
      rows={{ columns: COLUMNS, idOf: ({ eventId }) => eventId }}
      empty={
        <Empty title={outcome ? 'Nothing was given up.' : 'No event yet.'}>
          {outcome
            ? `${last.toLocaleString('en')} events are outside this filter.`
            : 'The first one comes with the first payment, payout or refund that reaches its end.'}
        </Empty>
      }
    >
      {asking ? <ResendRange last={last} onClose={() => setAsking(false)} /> : null}
    </ListScreen>
  )
}
