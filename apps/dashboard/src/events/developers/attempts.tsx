// Deliveries as they look on the screens: small marks in a list, a timeline on the event's own page.
import type { getEvent } from '@cowrie/contract/events/feed'
import type { LoggedEvent } from '@cowrie/contract/events/log'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { ReactNode } from 'react'
import type { Static } from 'typebox'
import { dayAndTime } from '../../clock.ts'
import { Icon } from '../../parts/drawing.tsx'
import { State, type StateTone, When } from '../../parts/figures.tsx'
import css from './developers.module.css'

type Delivery = ReplyOf<typeof getEvent>['deliveries'][number]
type Attempt = Delivery['attempts'][number]
type Logged = Static<typeof LoggedEvent>
type Outcome = { readonly tone: StateTone; readonly word: string; readonly says: ReactNode }

const MARKS_MAX = 3

const answered = (status: number | null, ms: number | null): string =>
  `${status ?? 'no answer'} in ${(ms ?? 0).toLocaleString('en')} ms`

/** The worst of its deliveries: that is what somebody looks for. */
export function outcomeOf({ deliveries }: Logged): Outcome {
  if (deliveries.length === 0) return { tone: 'off', word: 'Sent nowhere', says: 'No endpoint takes this kind' }
  const worst =
    deliveries.find(({ state }) => state === 'GIVEN_UP') ??
    deliveries.find(({ state }) => state === 'PENDING') ??
    deliveries[0]
  if (!worst) return { tone: 'off', word: 'Sent nowhere', says: '' }
  const last = worst.attempts === 0 ? '' : answered(worst.status, worst.durationMs)
  if (worst.state === 'GIVEN_UP') return { tone: 'bad', word: 'Given up', says: `last ${last}` }
  if (worst.state === 'DELIVERED') return { tone: 'good', word: 'Taken', says: last }
  if (worst.attempts === 0 || worst.nextAttemptAt === null)
    return { tone: 'wait', word: 'Waiting', says: 'not tried yet' }
  return {
    tone: 'care',
    word: 'Retrying',
    says: (
      <>
        next <When at={worst.nextAttemptAt} form="clock" />
      </>
    ),
  }
}

/** One mark for each attempt; beyond three a cross and their number. */
export function Tries({ event }: { readonly event: Logged }): ReactNode {
  const attempts = event.deliveries.reduce((sum, delivery) => sum + delivery.attempts, 0)
  const taken = event.deliveries.filter(({ state }) => state === 'DELIVERED').length
  const due = event.deliveries.filter(({ state }) => state === 'PENDING').length
  const failed = Math.max(0, attempts - taken)
  const marks = (name: string, icon: 'tick' | 'close' | 'clock', count: number) =>
    count > MARKS_MAX ? (
      <>
        <i className={css[name]}>
          <Icon name={icon} />
        </i>
        × {count}
      </>
    ) : (
      Array.from({ length: count }, (_, at) => (
        <i key={String(at)} className={css[name]}>
          <Icon name={icon} />
        </i>
      ))
    )
  return (
    <span className={css['tries']} title={`${failed} failed, ${taken} taken, ${due} to come`}>
      {marks('failed', 'close', failed)}
      {marks('took', 'tick', taken)}
      {marks('due', 'clock', due)}
      {attempts + due === 0 ? 'None' : null}
    </span>
  )
}

const STATES: Readonly<Record<Delivery['state'], readonly [StateTone, string]>> = {
  PENDING: ['care', 'Not taken yet'],
  DELIVERED: ['good', 'Taken'],
  GIVEN_UP: ['bad', 'Given up'],
}

/** Beside the time to the second. */
const dayOf = (at: string): string => dayAndTime(at).split(',')[0] ?? ''

const Tried = ({ attempt, number }: { readonly attempt: Attempt; readonly number: number }) => {
  const good = attempt.status === 200
  return (
    <li>
      <span className={[css['knot'], good ? css['took'] : css['failed']].join(' ')}>
        <Icon name={good ? 'tick' : 'close'} />
      </span>
      <b>{attempt.status === null ? 'Your server did not answer' : `Your server answered ${attempt.status}`}</b>
      <p>
        Attempt {number}, {dayOf(attempt.at)}, <When at={attempt.at} form="clock" />, after{' '}
        {attempt.durationMs.toLocaleString('en')} ms{attempt.error === undefined ? '' : `: ${attempt.error}`}
      </p>
      {attempt.answer === null || attempt.answer === '' ? null : <blockquote>{attempt.answer}</blockquote>}
    </li>
  )
}

export function DeliveryTimeline({ delivery, act }: { readonly delivery: Delivery; readonly act: ReactNode }) {
  const [tone, word] = STATES[delivery.state]
  const newestFirst = delivery.attempts.map((attempt, at) => ({ attempt, number: at + 1 })).toReversed()
  return (
    <div className={css['place']}>
      <h3>
        <span>{delivery.url}</span>
        <State tone={tone}>{word}</State>
      </h3>
      <ol className={css['timeline']}>
        {delivery.nextAttemptAt === null ? null : (
          <li>
            <span className={[css['knot'], css['due']].join(' ')}>
              <Icon name="clock" />
            </span>
            <b>{delivery.attempts.length === 0 ? 'It is sent' : 'It is sent again'}</b>
            <p>
              <When at={delivery.nextAttemptAt} zone />
            </p>
          </li>
        )}
        {newestFirst.map(({ attempt, number }) => (
          <Tried key={`${attempt.at} ${number}`} attempt={attempt} number={number} />
        ))}
      </ol>
      {delivery.nextAttemptAt === null && delivery.attempts.length === 0 ? (
        <p>It was never tried: the endpoint was removed before.</p>
      ) : null}
      {act}
    </div>
  )
}
