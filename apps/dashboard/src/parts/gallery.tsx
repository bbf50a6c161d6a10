// Every part in every state that it has: the visual test of the look. Only in the sandbox.
import { type ReactNode, useState } from 'react'
import { Away, Refused } from '../api/call.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Face, Mark } from './drawing.tsx'
import { Field, Form } from './field.tsx'
import { Money, State, When } from './figures.tsx'
import css from './gallery.module.css'
import { Failed, Notice } from './notice.tsx'
import { Empty, Facts, Loading, Page, Section } from './page.tsx'
import { Table } from './table.tsx'

const AT = '2026-11-15T14:45:21.492Z'
const ROWS = [
  { who: 'Adaeze Chukwuemeka-Okonkwo', kobo: 1_850_000n },
  { who: 'Ṣọlá Ọdẹ́yẹmí', kobo: 27_750n },
]
const Row = ({ children }: { readonly children: ReactNode }) => <div className={css['row']}>{children}</div>
const refused = new Refused(
  'The code is wrong or was used before',
  { code: 'CODE_REFUSED', hint: 'Use the next code of your authenticator app.', requestId: '0b7c7f4e-1d3a' },
  null,
  null,
)

const Buttons = () => (
  <Section title="Button" lead="One filled button per page.">
    <Row>
      <Button look="main">Ask for a payment</Button>
      <Button icon="key">Quiet, with an icon</Button>
      <Button look="plain">Plain</Button>
      <Button look="bad">End it</Button>
      <Button busy>Being done</Button>
      <Button disabled>Not possible</Button>
      <Button small>Small</Button>
    </Row>
  </Section>
)

const Fields = () => (
  <Section title="Field">
    <Form onSend={() => undefined} label="Fields">
      <Field label="With a hint" name="a" hint="What it is for." />
      <Field label="With a fault" name="b" defaultValue="short" wrong="At least twelve characters." />
    </Form>
  </Section>
)

const Figures = () => (
  <Section title="Money, when, state">
    <Facts
      facts={[
        ['Money', <Money key="m" kobo={18_440_211_840n} />],
        ['Less than nothing', <Money key="n" kobo={-27_750n} />],
        ['When', <When key="w" at={AT} />],
        ['To the second', <When key="s" at={AT} form="clock" />],
      ]}
    />
    <Row>
      <State tone="good">Paid</State>
      <State tone="wait">Waiting</State>
      <State tone="care">Part paid</State>
      <State tone="bad">Failed</State>
      <State tone="unknown">Outcome unknown</State>
      <State tone="off">Expired</State>
    </Row>
  </Section>
)

const Notices = () => (
  <Section title="Notice, and errors with their request">
    <div className={css['stack']}>
      <Notice title="Calm.">Something to know.</Notice>
      <Notice tone="good">Changed. Your other sessions have ended.</Notice>
      <Notice tone="care" title="Care.">
        Something to look at.
      </Notice>
      <Failed error={refused} />
      <Failed error={new Away(null)} />
    </div>
  </Section>
)

export function Parts() {
  const [open, setOpen] = useState(false)
  return (
    <Page title="Parts" lead="Each in every state that it has. The frame around this page is one of them.">
      <Buttons />
      <Fields />
      <Figures />
      <Section title="Table" lead="Cards on a phone.">
        <Table
          name="Payments"
          rows={ROWS}
          idOf={({ who }) => who}
          columns={[
            { head: 'Customer', plain: true, cell: ({ who }) => <b>{who}</b> },
            { head: 'State', cell: () => <State tone="good">Paid</State> },
            { head: 'When, WAT', cell: () => <When at={AT} /> },
            { head: 'Amount', end: true, cell: ({ kobo }) => <Money kobo={kobo} /> },
          ]}
        />
      </Section>
      <Notices />
      <Section title="Empty and loading">
        <div className={css['stack']}>
          <Empty title="No payment fits these filters.">1,284 are outside them.</Empty>
          <Loading />
        </div>
      </Section>
      <Section title="Dialog, mark, face">
        <Row>
          <Button onClick={() => setOpen(true)}>Open a dialog</Button>
          <Mark />
          <Face name="Funmilayo Adeyemi" />
          <Face name="Adire Stores" square />
        </Row>
        {open ? (
          <Dialog title="Log out everywhere?" onClose={() => setOpen(false)}>
            <p>All your sessions end at once.</p>
            <Button look="main">Log out everywhere</Button>
          </Dialog>
        ) : null}
      </Section>
    </Page>
  )
}
