// Endpoints: where events are sent, how healthy each receiver is, and what can be done about it.
import type {
  changeEndpoint,
  createEndpoint,
  disableEndpoint,
  Endpoint as EndpointRecord,
  enableEndpoint,
  listEndpoints,
  removeEndpoint,
} from '@cowrie/contract/events/endpoints'
import type { resendRange } from '@cowrie/contract/events/feed'
import type { eventLog } from '@cowrie/contract/events/log'
import type { BodyOf } from '@cowrie/contract/kit/spec'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { Static } from 'typebox'
import { call, view } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { useDoing } from '../../doing/doing.tsx'
import { Button, classOfButton } from '../../parts/button.tsx'
import { Checks, chosenOf } from '../../parts/choice.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { State, When } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Empty, Facts, Loading, Page, Section } from '../../parts/page.tsx'
import css from './developers.module.css'
import { EVENT_WORDS } from './words.ts'

type Endpoint = Static<typeof EndpointRecord>
type Values = Readonly<Record<string, string>>
type EventTypes = BodyOf<typeof createEndpoint>['eventTypes']

const EVERY = '*'
const KINDS = [[EVERY, 'Every kind, also those to come'], ...Object.entries(EVENT_WORDS)] as const
const kindsOf = (values: Values): EventTypes => {
  const chosen = chosenOf(values, 'eventTypes')
  return (chosen.includes(EVERY) ? [EVERY] : chosen) as EventTypes
}

/** A new one, or another address and other kinds for one that is there. */
function Change({ endpoint, onClose }: { readonly endpoint: Endpoint | null; readonly onClose: () => void }) {
  const doing = useDoing((values: Values, { key }) => {
    const body = { url: values['url'] ?? '', eventTypes: kindsOf(values), description: values['description'] ?? '' }
    return endpoint === null
      ? call<typeof createEndpoint>('endpoints.create', { body, key })
      : call<typeof changeEndpoint>('endpoints.change', { params: { endpointId: endpoint.endpointId }, body, key })
  }, onClose)
  const title = endpoint === null ? 'Add an endpoint' : 'Change the endpoint'
  return (
    <Dialog title={title} onClose={onClose}>
      <Form onSend={doing.go} label={title}>
        <Field
          label="Address"
          name="url"
          type="url"
          defaultValue={endpoint?.url ?? ''}
          maxLength={2000}
          hint={
            endpoint === null ? 'It gets events that happen from now on.' : 'Events that wait go to the new address.'
          }
          required
        />
        <Field label="Description" name="description" defaultValue={endpoint?.description ?? ''} maxLength={200} />
        <Checks legend="Kinds of events" name="eventTypes" options={KINDS} chosen={endpoint?.eventTypes ?? [EVERY]} />
        <Failed error={doing.error} />
        <Button look="main" wide submit busy={doing.busy}>
          {endpoint === null ? 'Add it' : 'Change it'}
        </Button>
      </Form>
      {doing.dialog}
    </Dialog>
  )
}

function Remove({ endpoint, onClose }: { readonly endpoint: Endpoint; readonly onClose: () => void }) {
  const doing = useDoing(
    (endpointId: string, { key }) => call<typeof removeEndpoint>('endpoints.remove', { params: { endpointId }, key }),
    onClose,
  )
  return (
    <Dialog title="Remove the endpoint?" onClose={onClose}>
      <p>
        Nothing more is sent to {endpoint.url}.{' '}
        {endpoint.waiting === 0 ? '' : `${endpoint.waiting} events that wait for it are not sent to it.`} The events
        themselves stay in the log.
      </p>
      <Failed error={doing.error} />
      <Button look="bad" wide busy={doing.busy} onClick={() => doing.go(endpoint.endpointId)}>
        Remove it
      </Button>
      {doing.dialog}
    </Dialog>
  )
}

const DISABLED: Readonly<Record<string, string>> = {
  GONE: 'It answered 410, gone. Repair it, then send again.',
  FAILING: 'Nothing but failures for five days. Repair it, then send again.',
  BY_MERCHANT: 'Paused by one of you.',
}

function healthOf({ status, failingSince, restingUntil, disabledReason }: Endpoint): ReactNode {
  if (status === 'DISABLED')
    return (
      <>
        <State tone={disabledReason === 'BY_MERCHANT' ? 'off' : 'bad'}>
          {disabledReason === 'BY_MERCHANT' ? 'Paused' : 'Given up'}
        </State>{' '}
        {DISABLED[disabledReason ?? ''] ?? ''} Its events are kept, in order.
      </>
    )
  if (failingSince !== null)
    return (
      <>
        <State tone="care">Failing</State> since <When at={failingSince} />
        {restingUntil === null ? null : (
          <>
            ; the next try is at <When at={restingUntil} form="clock" />
          </>
        )}
      </>
    )
  return <State tone="good">Takes what it is sent</State>
}

/** The newest event once more: what a test needs, with the real body and the real signature. */
function Try({ endpointId }: { readonly endpointId: string }) {
  const newest = useQuery({ queryKey: ['events', 'log', {}], queryFn: () => view<typeof eventLog>('events.log') })
  const number = newest.data?.lastNumber ?? 0
  const doing = useDoing((at: number, { key }) =>
    call<typeof resendRange>('events.resendRange', { body: { from: at, to: at, endpointId }, key }),
  )
  const event = newest.data?.content[0]
  return (
    <>
      <Button small disabled={number === 0} busy={doing.busy} onClick={() => doing.go(number)}>
        {number === 0 ? 'Nothing to try it with yet' : `Try it with event ${number.toLocaleString('en')}`}
      </Button>
      {doing.dialog}
      <Failed error={doing.error} />
      {doing.result && event ? (
        <Notice tone="good">
          It is sent now.{' '}
          <Link to="/developers/events/$id" params={{ id: event.eventId }}>
            See the answer
          </Link>
        </Notice>
      ) : null}
    </>
  )
}

function Pause({ endpoint }: { readonly endpoint: Endpoint }) {
  const paused = endpoint.status === 'DISABLED'
  const doing = useDoing((endpointId: string, { key }) =>
    paused
      ? call<typeof enableEndpoint>('endpoints.enable', { params: { endpointId }, key })
      : call<typeof disableEndpoint>('endpoints.disable', { params: { endpointId }, key }),
  )
  return (
    <>
      <Button small busy={doing.busy} onClick={() => doing.go(endpoint.endpointId)}>
        {paused ? 'Send again' : 'Pause'}
      </Button>
      {doing.dialog}
      <Failed error={doing.error} />
    </>
  )
}

const kindsText = ({ eventTypes, activities }: Endpoint): string =>
  [
    ...(eventTypes.includes(EVERY) ? ['Every kind'] : eventTypes.map((type) => EVENT_WORDS[type] ?? type)),
    ...activities.map((activity) => `webhook address of ${activity}`),
  ].join(', ') || 'None'

function One({
  endpoint,
  onChange,
  onRemove,
}: {
  readonly endpoint: Endpoint
  readonly onChange: () => void
  readonly onRemove: () => void
}) {
  const me = useMe()
  const { waiting, createdAt, description, endpointId } = endpoint
  return (
    <Section title={endpoint.url} {...(description === '' ? {} : { lead: description })}>
      <div className={layout['stack']}>
        <Facts
          facts={[
            ['Health', healthOf(endpoint)],
            ['Events', kindsText(endpoint)],
            ['Waiting', waiting === 0 ? 'None' : waiting.toLocaleString('en')],
            ['Added, WAT', <When key="added" at={createdAt} />],
          ]}
        />
        <div className={css['row']}>
          {may(me, 'events.resend') ? <Try endpointId={endpointId} /> : null}
          {may(me, 'webhooks.write') ? (
            <>
              <Pause endpoint={endpoint} />
              <Button small onClick={onChange}>
                Change…
              </Button>
              <Button small look="bad" onClick={onRemove}>
                Remove…
              </Button>
            </>
          ) : null}
        </div>
      </div>
    </Section>
  )
}

type Asking = { readonly what: 'change' | 'remove'; readonly endpoint: Endpoint } | { readonly what: 'add' } | null

export function Endpoints() {
  const canWrite = may(useMe(), 'webhooks.write')
  const list = useQuery({
    queryKey: ['endpoints'],
    queryFn: () => call<typeof listEndpoints>('endpoints.list'),
  })
  const [asking, setAsking] = useState<Asking>(null)
  const close = (): void => setAsking(null)
  const acts = (
    <>
      <Link className={classOfButton()} to="/developers/events">
        Events
      </Link>
      {canWrite ? (
        <Button look="main" onClick={() => setAsking({ what: 'add' })}>
          Add an endpoint
        </Button>
      ) : null}
    </>
  )
  return (
    <Page title="Endpoints" lead="Where events are sent. Only the answer 200 counts as taken." acts={acts}>
      <Failed error={list.error} />
      {list.isPending ? <Loading /> : null}
      {list.data?.length === 0 ? (
        <Empty title="Nothing is sent to you yet.">
          {canWrite
            ? 'Add the address of your server. Events are kept meanwhile, and can be read from the log.'
            : 'Owners and developers add the address of your server.'}
        </Empty>
      ) : null}
      {list.data?.map((endpoint) => (
        <One
          key={endpoint.endpointId}
          endpoint={endpoint}
          onChange={() => setAsking({ what: 'change', endpoint })}
          onRemove={() => setAsking({ what: 'remove', endpoint })}
        />
      ))}
      {asking?.what === 'add' ? <Change endpoint={null} onClose={close} /> : null}
      {asking?.what === 'change' ? <Change endpoint={asking.endpoint} onClose={close} /> : null}
      {asking?.what === 'remove' ? <Remove endpoint={asking.endpoint} onClose={close} /> : null}
    </Page>
  )
}
