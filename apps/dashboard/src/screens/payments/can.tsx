// What can be done with a payment now, and why not where it cannot: the gateway says both.

import type { resendEvent } from '@cowrie/contract/events/feed'
import type { PaymentView } from '@cowrie/contract/screens/payments'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { call } from '../../api/call.ts'
import { useDoing } from '../../doing/doing.tsx'
import { nairaOf } from '../../money.ts'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Icon, type IconName } from '../../parts/drawing.tsx'
import { Failed, Notice } from '../../parts/notice.tsx'
import css from './payment.module.css'

type Can = PaymentView['can'][number]
const sentence = (why: string): string => (/[.!?]$/.test(why) ? why : `${why}.`)

const Item = ({ icon, title, children }: { icon: IconName; title: ReactNode; children: ReactNode }) => (
  <li>
    <Icon name={icon} />
    <div>
      <b>{title}</b>
      {children}
    </div>
  </li>
)
const Not = ({ icon, word, why }: { icon: IconName; word: string; why: string }) => (
  <Item icon={icon} title={<span className={css['not']}>{word}</span>}>
    <p>Not possible: {sentence(why)}</p>
  </Item>
)

const Refund = ({ can, reference }: { can: Can; reference: string }) =>
  can.possible ? (
    <Item
      icon="refund"
      title={
        <Link to="/refunds/new" search={{ transactionReference: reference }}>
          Refund
        </Link>
      }
    >
      <p>Up to {nairaOf(can.most ?? 0)}, out of the wallet.</p>
    </Item>
  ) : (
    <Not icon="refund" word="Refund" why={can.why} />
  )

function Resend({ can, page }: { can: Can; page: PaymentView }) {
  const resend = useDoing((eventId: string, { key }) =>
    call<typeof resendEvent>('events.resend', { params: { eventId }, body: {}, key }),
  )
  if (!can.possible) return <Not icon="bolt" word="Send the webhook again" why={can.why} />
  return (
    <Item icon="bolt" title="Send the webhook again">
      <p>To every endpoint that gets it, with all its retries.</p>
      <ul className={css['events']}>
        {page.events.rows.slice(0, 5).map(({ eventId, eventType }) => (
          <li key={eventId}>
            <Button small icon="again" busy={resend.busy} onClick={() => resend.go(eventId)}>
              {eventType}
            </Button>
          </li>
        ))}
      </ul>
      {resend.result ? (
        <Notice tone="good">
          {resend.result.recordsFound > 0
            ? 'It is being sent again.'
            : 'No endpoint gets this event. Nothing was sent.'}
        </Notice>
      ) : null}
      <Failed error={resend.error} />
      {resend.dialog}
    </Item>
  )
}

export function WhatYouCanDo({ page }: { readonly page: PaymentView }) {
  const of = (what: Can['what']): Can =>
    page.can.find((one) => one.what === what) ?? { what, possible: false, why: '', most: null }
  return (
    <Card title="What you can do now">
      <ul className={css['can']}>
        <Refund can={of('REFUND')} reference={page.payment.transactionReference} />
        <Resend can={of('RESEND')} page={page} />
        <Not icon="close" word="Cancel" why={of('CANCEL').why} />
      </ul>
    </Card>
  )
}
