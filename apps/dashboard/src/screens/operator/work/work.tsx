// Work under way: what waits for a bank and when it is asked next, timers that nobody does, and deliveries
// that were given up.
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type { askAgain, listWork, repairWork, resendDeliveries, WorkKind } from '@cowrie/contract/screens/work'
import { Link } from '@tanstack/react-router'
import { useFilters } from '../../../address.ts'
import { State, When } from '../../../parts/figures.tsx'
import { Empty, Loading, Page } from '../../../parts/page.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { ActButton, type Acting, type Plan, RowActs, sends, useActing } from '../kit/acting.tsx'
import { CellFaults, MerchantLink, Naira, some, Tabs, wordOf } from '../kit/bits.tsx'
import { type EachCell, rowsOf, useEachCell } from '../kit/cells.ts'
import css from './work.module.css'

type Reply = ViewReplyOf<typeof listWork>
type InCell<T> = T & { readonly cell: string }
export type WorkRow = Reply['content'][number]
type Timer = InCell<Reply['timers'][number]>
type Given = InCell<Reply['deliveries'][number]>

const KINDS: Readonly<Record<WorkKind, string>> = {
  PAYOUT: 'Payout',
  ORDER: 'Bank order',
  REFUND: 'Refund',
  CARD_CHARGE: 'Card charge',
  DISPUTE: 'Disputed charge',
  DEBIT: 'Direct debit',
  MANDATE: 'Mandate',
  BILL: 'Bill',
  RETURN: 'Return of suspense',
}
export const kindWord = (kind: WorkKind): string => KINDS[kind]
const DAY_MINUTES = 24 * 60
const ageWord = (minutes: number): string =>
  minutes < 120
    ? `${minutes} min`
    : minutes < 2 * DAY_MINUTES
      ? `${Math.floor(minutes / 60)} h`
      : `${Math.floor(minutes / DAY_MINUTES)} days`

export function workPlans({ kind, reference, merchant, ageMinutes }: WorkRow): Plan[] {
  const [at, input] = [{ merchant: merchant ?? '' }, { kind, reference }]
  const nobody = merchant === null ? 'no merchant owns it; it ends when suspense does.' : null
  const repairable = kind === 'PAYOUT' || kind === 'ORDER' || kind === 'CARD_CHARGE'
  const early = ageMinutes < DAY_MINUTES ? 'the bank has been silent for less than a day.' : null
  return [
    {
      word: 'Ask again',
      title: `Ask about ${reference} now`,
      says: 'Rather than when its timer falls due. Nothing is sent again.',
      permission: 'operator.work.repair',
      reason: 'optional',
      not: nobody,
      done: 'It is asked about now.',
      send: sends<typeof askAgain>('work.askagain', at, () => input),
    },
    {
      word: 'Repair',
      title: `Repair ${reference}`,
      says:
        kind === 'CARD_CHARGE'
          ? 'End a charge that its acquirer says nothing about. It must have confirmed in writing that it took nothing, or gave it back.'
          : 'Apply the outcome that a silent bank has confirmed in writing. Failed only if the bank bars it.',
      permission: 'operator.work.repair',
      two: 'always',
      bad: true,
      not: nobody ?? (repairable ? early : 'only payouts, bank orders and card charges are repaired by hand.'),
      done: 'It is repaired.',
      fields: [
        {
          name: 'outcome',
          label: 'What the bank says',
          kind: 'choice',
          options:
            kind === 'CARD_CHARGE'
              ? [{ value: 'FAILED', word: 'Nothing was taken, or it was given back' }]
              : [
                  { value: 'PAID', word: 'It was paid' },
                  { value: 'FAILED', word: 'It was not paid, and never will be' },
                ],
        },
        { name: 'evidence', label: 'Evidence', kind: 'area', hint: 'The bank’s letter or message, and its date.' },
      ],
      send: sends<typeof repairWork>('work.repair', at, ({ outcome, evidence = '' }) => ({
        kind: kind === 'ORDER' || kind === 'CARD_CHARGE' ? kind : 'PAYOUT',
        reference,
        outcome: outcome === 'PAID' ? 'PAID' : 'FAILED',
        evidence,
      })),
    },
  ]
}

const waitsColumns = (acting: Acting): readonly Column<InCell<WorkRow>>[] => [
  {
    head: 'What',
    plain: true,
    cell: ({ kind, reference, merchant }) => (
      <span className={css['what']}>
        {merchant === null ? (
          <b>{reference}</b>
        ) : (
          <Link to="/waiting/$merchant/$kind/$reference" params={{ merchant, kind, reference }}>
            <b>{reference}</b>
          </Link>
        )}
        <small>{KINDS[kind]}</small>
      </span>
    ),
  },
  { head: 'Amount', end: true, cell: ({ amount }) => (amount === null ? 'None' : <Naira amount={amount} />) },
  { head: 'State', cell: ({ state }) => <State tone="unknown">{wordOf(state)}</State> },
  { head: 'Whose', cell: ({ merchant }) => <MerchantLink which={merchant} /> },
  {
    head: 'Since, WAT',
    end: true,
    cell: ({ since, ageMinutes }) => (
      <span>
        <When at={since} />
        <small>{ageWord(ageMinutes)}</small>
      </span>
    ),
  },
  {
    head: 'Next question, WAT',
    end: true,
    cell: ({ nextAt, questions }) => (
      <span>
        {nextAt === null ? <b>Nobody will ask</b> : <When at={nextAt} />}
        <small>{questions === null ? '' : `asked ${some(questions, 'time', 'times')}`}</small>
      </span>
    ),
  },
  {
    head: 'Do',
    end: true,
    plain: true,
    cell: (row) => <RowActs plans={workPlans(row)} acting={acting} />,
  },
]

const timerColumns: readonly Column<Timer>[] = [
  {
    head: 'Timer',
    plain: true,
    cell: ({ timer, cell }) => (
      <span>
        <b>{timer}</b>
        <small>cell {cell}</small>
      </span>
    ),
  },
  { head: 'Subject', cell: ({ subject }) => subject },
  { head: 'Whose', cell: ({ merchant }) => (merchant === null ? 'Ours' : <MerchantLink which={merchant} />) },
  { head: 'Tries', end: true, cell: ({ attempts }) => attempts },
  { head: 'Due since, WAT', end: true, cell: ({ dueAt }) => <When at={dueAt} /> },
]

const resendPlan = (merchant: string, firstEvent: string): Plan => ({
  word: 'Send again',
  title: 'Send again what was given up',
  says: 'One event, or everything that was given up in a span of time. A receiver may get an event twice.',
  permission: 'operator.work.repair',
  reason: 'optional',
  done: 'It is being sent again.',
  fields: [
    { name: 'event', label: 'Event', optional: true, initial: firstEvent, hint: 'Or leave it empty and give a span.' },
    { name: 'from', label: 'From', kind: 'date', optional: true },
    { name: 'to', label: 'To', kind: 'date', optional: true },
  ],
  send: sends<typeof resendDeliveries>('deliveries.resend', { merchant }, ({ event, from, to }) =>
    event ? { eventId: event } : { ...(from ? { startDate: from } : {}), ...(to ? { endDate: to } : {}) },
  ),
})
const givenColumns = (acting: Acting): readonly Column<Given>[] => [
  {
    head: 'Merchant',
    plain: true,
    cell: ({ merchant }) => (
      <b>
        <MerchantLink which={merchant} />
      </b>
    ),
  },
  { head: 'Endpoint', cell: ({ endpoint }) => endpoint },
  { head: 'Given up', end: true, cell: ({ givenUp }) => givenUp },
  { head: 'First event', cell: ({ firstEvent }) => <span className={css['what']}>{firstEvent}</span> },
  {
    head: 'Last try, WAT',
    end: true,
    cell: ({ lastAttemptAt }) => (lastAttemptAt ? <When at={lastAttemptAt} /> : 'Never'),
  },
  {
    head: 'Do',
    end: true,
    plain: true,
    cell: ({ merchant, firstEvent }) => <ActButton plan={resendPlan(merchant, firstEvent)} acting={acting} />,
  },
]

function Shown({
  list,
  show,
  acting,
}: {
  readonly list: EachCell<Reply>
  readonly show: string
  readonly acting: Acting
}) {
  const waits = rowsOf(list, ({ content }) => content)
  const timers = rowsOf(list, (reply) => reply.timers)
  const given = rowsOf(list, ({ deliveries }) => deliveries)
  if (show === 'timers')
    return timers.length === 0 ? (
      <Empty title="No timer is late.">One that is due for more than a minute stands here: nobody works on it.</Empty>
    ) : (
      <Table
        name="Timers"
        columns={timerColumns}
        rows={timers}
        idOf={({ cell, timer, subject }) => cell + timer + subject}
      />
    )
  if (show === 'deliveries')
    return given.length === 0 ? (
      <Empty title="No delivery was given up.">What a receiver did not take in all its tries stands here.</Empty>
    ) : (
      <Table name="Deliveries" columns={givenColumns(acting)} rows={given} idOf={({ endpoint }) => endpoint} />
    )
  return waits.length === 0 ? (
    <Empty title="Nothing waits for a bank.">
      What was sent and has no answer stands here, with the next question.
    </Empty>
  ) : (
    <Table
      name="Waiting"
      columns={waitsColumns(acting)}
      rows={waits}
      idOf={({ cell, kind, reference }) => cell + kind + reference}
    />
  )
}

export function WorkList() {
  const [{ show = '' }] = useFilters()
  const acting = useActing()
  const list = useEachCell<typeof listWork>('work.list')
  const tabs = [
    { value: '', word: 'Waits for a bank', count: rowsOf(list, ({ content }) => content).length },
    { value: 'timers', word: 'Late timers', count: rowsOf(list, ({ timers }) => timers).length },
    { value: 'deliveries', word: 'Deliveries given up', count: rowsOf(list, ({ deliveries }) => deliveries).length },
  ]
  return (
    <Page
      title="Work under way"
      lead="What has no answer is neither paid nor failed. It is asked about by its session; nothing is sent twice."
    >
      {acting.notice}
      <Tabs name="Work" param="show" tabs={tabs} now={show} />
      <CellFaults of={list} />
      {list.pending ? <Loading lines={6} /> : <Shown list={list} show={show} acting={acting} />}
      {acting.dialog}
    </Page>
  )
}
