// What the operator has set: limits and fees. Shown, not changed here.

import type { myLimits } from '@cowrie/contract/access/limits'
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type { myFees } from '@cowrie/contract/settlements/fees'
import { useQuery } from '@tanstack/react-query'
import { view } from '../../api/call.ts'
import { koboOfText } from '../../money.ts'
import { Money, State, type StateTone, When } from '../../parts/figures.tsx'
import { Failed } from '../../parts/notice.tsx'
import { Empty, Loading, Section } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'

type Limit = ViewReplyOf<typeof myLimits>['inForce'][number]
type Schedule = ViewReplyOf<typeof myFees>['schedules'][number]

const amountOf = (text: string | null) => (text === null ? 'No limit' : <Money kobo={koboOfText(text)} />)
const LIMITS: readonly Column<Limit>[] = [
  { head: 'Of', plain: true, cell: ({ kind }) => <b>{kind === 'COLLECTIONS' ? 'Collecting' : 'Paying out'}</b> },
  { head: 'One payment', end: true, cell: ({ perPayment }) => amountOf(perPayment) },
  { head: 'A day', end: true, cell: ({ perDay }) => amountOf(perDay) },
  {
    head: 'Since, WAT',
    end: true,
    cell: ({ validFrom }) => (validFrom === null ? 'The account was opened' : <When at={validFrom} />),
  },
]

export function Limits() {
  const list = useQuery({ queryKey: ['limits'], queryFn: () => view<typeof myLimits>('limits.mine') })
  return (
    <Section title="Limits" lead="Set by the operator, with two people. Ask them to change one.">
      <Failed error={list.error} />
      {list.isPending ? <Loading /> : null}
      {list.data ? <Table name="Limits" columns={LIMITS} rows={list.data.inForce} idOf={({ kind }) => kind} /> : null}
    </Section>
  )
}

const METHODS: Readonly<Record<Schedule['method'], string>> = {
  ANY: 'Every other way to pay',
  ACCOUNT_TRANSFER: 'Bank transfer',
  USSD: 'USSD',
  CARD: 'Card',
  DIRECT_DEBIT: 'Direct debit',
  PAYOUT: 'Payout',
  REFUND: 'Refund',
  VERIFICATION: 'Verification',
}
const STATES: Readonly<Record<Schedule['state'], readonly [StateTone, string]>> = {
  IN_FORCE: ['good', 'In force'],
  COMING: ['wait', 'Coming'],
  PAST: ['off', 'Past'],
}
const percentOf = (basisPoints: number): string => `${(basisPoints / 100).toLocaleString('en')} %`

const FEES: readonly Column<Schedule>[] = [
  {
    head: 'For',
    plain: true,
    cell: ({ method, bearer }) => (
      <span>
        <b>{METHODS[method]}</b>
        <small>{bearer === 'CUSTOMER' ? 'The customer pays it' : 'You pay it'}</small>
      </span>
    ),
  },
  {
    head: 'Fee',
    end: true,
    cell: ({ basisPoints, flat }) => (
      <span>
        {percentOf(basisPoints)} + <Money kobo={koboOfText(flat)} />
      </span>
    ),
  },
  { head: 'At most', end: true, cell: ({ cap }) => <Money kobo={koboOfText(cap)} /> },
  {
    head: 'State',
    cell: ({ state }) => {
      const [tone, word] = STATES[state]
      return <State tone={tone}>{word}</State>
    },
  },
  { head: 'From, WAT', end: true, cell: ({ validFrom }) => <When at={validFrom} /> },
]

export function Fees() {
  const list = useQuery({ queryKey: ['fees'], queryFn: () => view<typeof myFees>('fees.mine') })
  return (
    <Section title="Fees" lead="Dated, never edited: what was charged by one stays as it was.">
      <Failed error={list.error} />
      {list.isPending ? <Loading /> : null}
      {list.data?.schedules.length === 0 ? (
        <Empty title="You have no schedule of your own.">The tariff for all applies.</Empty>
      ) : null}
      {list.data && list.data.schedules.length > 0 ? (
        <Table name="Fees" columns={FEES} rows={list.data.schedules} idOf={({ id }) => id} />
      ) : null}
    </Section>
  )
}
