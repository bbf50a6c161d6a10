// Settlement runs: what would be paid now, who is held and why, what was paid day by day, who owes us, and
// the calendar.
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type {
  listHeldSettlements,
  listReceivables,
  listSettlementRuns,
  previewSettlements,
} from '@cowrie/contract/settlements/operations'
import { useFilters } from '../../../address.ts'
import { koboOfText } from '../../../money.ts'
import { Money, State, When } from '../../../parts/figures.tsx'
import { Empty, Loading, Page } from '../../../parts/page.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { ActButton, type Acting, useActing } from '../kit/acting.tsx'
import { CellFaults, MerchantLink, Naira, some, Tabs } from '../kit/bits.tsx'
import { rowsOf, useEachCell, useVersions } from '../kit/cells.ts'
import { holidayPlan, releasePlan } from './plans.ts'
import css from './settlements.module.css'

type InCell<T> = T & { readonly cell: string }
type Run = InCell<ViewReplyOf<typeof listSettlementRuns>['content'][number]>
type Would = InCell<ViewReplyOf<typeof previewSettlements>['content'][number]>
type Held = InCell<ViewReplyOf<typeof listHeldSettlements>['content'][number]>
type Owed = InCell<ViewReplyOf<typeof listReceivables>['content'][number]>

const runColumns: readonly Column<Run>[] = [
  {
    head: 'Day',
    plain: true,
    cell: ({ day, cell }) => (
      <span>
        <b>{day}</b>
        <small>cell {cell}</small>
      </span>
    ),
  },
  { head: 'Amount', end: true, cell: ({ amount }) => <Naira amount={amount} /> },
  { head: 'Settlements', end: true, cell: ({ settlements }) => settlements },
  { head: 'Completed', end: true, cell: ({ completed }) => completed },
  { head: 'With the bank', end: true, cell: ({ paying }) => paying },
  { head: 'Returned', end: true, cell: ({ returned }) => returned },
  {
    head: 'State',
    cell: ({ paying, returned }) =>
      returned > 0 ? (
        <State tone="bad">Some returned</State>
      ) : paying > 0 ? (
        <State tone="wait">Being paid</State>
      ) : (
        <State tone="good">Paid</State>
      ),
  },
]
function Runs() {
  const runs = useEachCell<typeof listSettlementRuns>('settlements.runs')
  const rows: Run[] = rowsOf(runs, ({ content }) => content).toSorted((a, b) => (a.day < b.day ? 1 : -1))
  return (
    <>
      <p className={css['next']}>
        {runs.parts.map(({ cell, data }) => (
          <span key={cell}>
            Cell {cell}:{' '}
            {data.nextRunAt ? (
              <>
                next run <When at={data.nextRunAt} /> WAT
              </>
            ) : (
              'no run is due; nothing waits to be settled'
            )}
          </span>
        ))}
      </p>
      <CellFaults of={runs} />
      {runs.pending ? <Loading lines={6} /> : null}
      {!runs.pending && rows.length === 0 ? (
        <Empty title="Nothing was settled in the last 60 days.">A run makes a row here, with what it paid.</Empty>
      ) : null}
      {rows.length > 0 ? (
        <Table name="Runs" columns={runColumns} rows={rows} idOf={({ day, cell }) => day + cell} />
      ) : null}
    </>
  )
}

const wouldColumns: readonly Column<Would>[] = [
  {
    head: 'To',
    plain: true,
    cell: ({ merchant, subAccount }) => (
      <span>
        <b>{merchant}</b>
        {subAccount ? <small>sub account {subAccount}</small> : null}
      </span>
    ),
  },
  { head: 'Amount', end: true, cell: ({ amount }) => <Naira amount={amount} /> },
  { head: 'Payments', end: true, cell: ({ lines }) => lines },
  { head: 'Into', cell: ({ destination }) => destination },
]
function Preview() {
  const would = useEachCell<typeof previewSettlements>('settlements.preview')
  const rows: Would[] = rowsOf(would, ({ content }) => content)
  const total = would.parts.reduce((sum, { data }) => sum + koboOfText(data.total), 0n)
  return (
    <>
      <CellFaults of={would} />
      {would.pending ? <Loading lines={6} /> : null}
      {!would.pending && rows.length === 0 ? (
        <Empty title="A run would pay nobody now.">What is collected and due stands here before it is paid.</Empty>
      ) : null}
      {rows.length > 0 ? (
        <>
          <p className={css['sum']}>
            <Money kobo={total} /> <span>to {some(rows.length, 'destination', 'destinations')}, if it ran now</span>
          </p>
          <Table
            name="What a run would pay"
            columns={wouldColumns}
            rows={rows}
            idOf={({ merchant, subAccount, destination, cell }) => [cell, merchant, subAccount, destination].join()}
          />
        </>
      ) : null}
    </>
  )
}

const heldColumns = (acting: Acting): readonly Column<Held>[] => [
  {
    head: 'Merchant',
    plain: true,
    cell: ({ merchant, name }) => (
      <b>
        <MerchantLink which={merchant} name={name} />
      </b>
    ),
  },
  { head: 'Why', cell: ({ reason }) => reason },
  { head: 'Since, WAT', end: true, cell: ({ since }) => <When at={since} /> },
  {
    head: 'Do',
    end: true,
    plain: true,
    cell: ({ merchant, name }) => <ActButton plan={releasePlan(merchant, name)} acting={acting} />,
  },
]
function HeldOnes({ acting }: { readonly acting: Acting }) {
  const held = useEachCell<typeof listHeldSettlements>('settlements.held')
  const rows: Held[] = rowsOf(held, ({ content }) => content)
  return (
    <>
      <CellFaults of={held} />
      {held.pending ? <Loading /> : null}
      {!held.pending && rows.length === 0 ? (
        <Empty title="No merchant is held.">Settlements are held on the page of a merchant, by one person.</Empty>
      ) : null}
      {rows.length > 0 ? (
        <Table name="Held" columns={heldColumns(acting)} rows={rows} idOf={({ merchant }) => merchant} />
      ) : null}
    </>
  )
}

const owedColumns: readonly Column<Owed>[] = [
  {
    head: 'Merchant',
    plain: true,
    cell: ({ merchant, name }) => (
      <b>
        <MerchantLink which={merchant} name={name} />
      </b>
    ),
  },
  { head: 'Owes', end: true, cell: ({ amount }) => <Naira amount={amount} /> },
  { head: 'Since, WAT', end: true, cell: ({ since }) => <When at={since} /> },
]
function Owing() {
  const owed = useEachCell<typeof listReceivables>('receivables.list')
  const rows: Owed[] = rowsOf(owed, ({ content }) => content)
  return (
    <>
      <CellFaults of={owed} />
      {owed.pending ? <Loading /> : null}
      {!owed.pending && rows.length === 0 ? (
        <Empty title="Nobody owes us anything.">A merchant owes when a bank reverses what it was paid already.</Empty>
      ) : null}
      {rows.length > 0 ? (
        <Table name="Owed" columns={owedColumns} rows={rows} idOf={({ merchant }) => merchant} />
      ) : null}
    </>
  )
}

const TABS = [
  { value: '', word: 'Runs' },
  { value: 'would', word: 'What it would pay' },
  { value: 'held', word: 'Held' },
  { value: 'owed', word: 'Owed to us' },
]

export function Settlements() {
  const [{ show = '' }] = useFilters()
  const acting = useActing()
  const cells = useVersions().data?.cells.map(({ cell }) => cell) ?? []
  return (
    <Page
      title="Settlements"
      lead="What merchants are paid of what was collected for them."
      acts={<ActButton plan={holidayPlan(cells)} acting={acting} />}
    >
      {acting.notice}
      <Tabs name="Settlements" param="show" tabs={TABS} now={show} />
      {show === '' ? <Runs /> : null}
      {show === 'would' ? <Preview /> : null}
      {show === 'held' ? <HeldOnes acting={acting} /> : null}
      {show === 'owed' ? <Owing /> : null}
      {acting.dialog}
    </Page>
  )
}
