// One event: its body as it was sent, each delivery with all its attempts and what the receiver answered, and
// sending it again.

import type { getEvent, resendEvent } from '@cowrie/contract/events/feed'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useParam } from '../../address.ts'
import { call } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { useDoing } from '../../doing/doing.tsx'
import { Button } from '../../parts/button.tsx'
import { Code } from '../../parts/code.tsx'
import { When } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Empty, Facts, Loading, Page, Section } from '../../parts/page.tsx'
import { DeliveryTimeline } from './attempts.tsx'
import css from './developers.module.css'
import { EVENT_WORDS } from './words.ts'

const REFETCH_MS = 3_000

/** To one endpoint, or to all that take it. */
function Resend({ eventId, endpointId }: { readonly eventId: string; readonly endpointId?: string }) {
  const doing = useDoing((_: null, { key }) =>
    call<typeof resendEvent>('events.resend', {
      params: { eventId },
      body: endpointId === undefined ? {} : { endpointId },
      key,
    }),
  )
  return (
    <div className={layout['stack']}>
      <div>
        <Button
          look={endpointId === undefined ? 'main' : 'quiet'}
          small={endpointId !== undefined}
          busy={doing.busy}
          onClick={() => doing.go(null)}
        >
          {endpointId === undefined ? 'Resend now' : 'Resend to this one'}
        </Button>
      </div>
      <Failed error={doing.error} />
      {doing.result ? <Notice tone="good">It is sent again, with the whole schedule of retries.</Notice> : null}
      {doing.dialog}
    </div>
  )
}

const bodyText = (body: unknown): string => JSON.stringify(body, null, 2)

/** A payment has a screen of its own under this reference. */
const About = ({
  event,
}: {
  readonly event: Pick<ReplyOf<typeof getEvent>, 'eventType' | 'object' | 'objectVersion'>
}) => (
  <>
    {/_TRANSACTION$|^REJECTED_PAYMENT$/.test(event.eventType) ? (
      <Link to="/payments/$reference" params={{ reference: event.object }}>
        {event.object}
      </Link>
    ) : (
      event.object
    )}
    , version {event.objectVersion}
  </>
)

export function EventPage() {
  const id = useParam('id')
  const me = useMe()
  const found = useQuery({
    queryKey: ['event', id],
    queryFn: () => call<typeof getEvent>('events.get', { params: { eventId: id } }),
    // What is being sent just now is worth watching.
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(({ nextAttemptAt }) => nextAttemptAt !== null) ? REFETCH_MS : false,
  })
  const event = found.data
  const whole = may(me, 'personalData.read')
  const canResend = may(me, 'events.resend') && event !== undefined && event.body !== null
  return (
    <Page
      title={event ? `Event ${event.number.toLocaleString('en')}` : 'Event'}
      lead={<Link to="/developers/events">All events</Link>}
      acts={canResend && event.deliveries.length > 0 ? <Resend eventId={id} /> : null}
    >
      <Failed error={found.error} />
      {found.isPending ? <Loading lines={8} /> : null}
      {event ? (
        <>
          <Facts
            facts={[
              ['What', `${EVENT_WORDS[event.eventType] ?? event.eventType} (${event.eventType})`],
              ['About', <About key="about" event={event} />],
              ['When, WAT', <When key="when" at={event.createdAt} />],
              ['Id', event.eventId],
            ]}
          />
          <div className={css['pair']}>
            <Section title="Deliveries">
              {event.deliveries.length === 0 ? (
                <Empty title="It was sent nowhere.">
                  No endpoint took this kind when it happened.{' '}
                  <Link to="/developers/endpoints">Add one, and send it there.</Link>
                </Empty>
              ) : null}
              {event.deliveries.map((delivery) => (
                <DeliveryTimeline
                  key={delivery.endpointId}
                  delivery={delivery}
                  act={canResend ? <Resend eventId={id} endpointId={delivery.endpointId} /> : null}
                />
              ))}
            </Section>
            <Section title="Body">
              {event.body === null ? (
                <Empty title="The body has been deleted.">Its time of retention is over; the event stays.</Empty>
              ) : (
                <Code
                  title={whole ? 'As it was sent, indented' : 'Without personal data'}
                  text={bodyText(event.body)}
                />
              )}
            </Section>
          </div>
        </>
      ) : null}
    </Page>
  )
}
