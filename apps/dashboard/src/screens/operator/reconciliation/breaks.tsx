// Reconciliation: where the bank's statement and our books differ, the statement on the left, our books on
// the right, the break between.
import type { listBreaksView } from '@cowrie/contract/settlements/breaks'
import { Link } from '@tanstack/react-router'
import { useFilters } from '../../../address.ts'
import { useMe } from '../../../api/session.ts'
import { State } from '../../../parts/figures.tsx'
import { Empty, Loading, Page } from '../../../parts/page.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { CellFaults, MerchantLink, Naira, some, Tabs } from '../kit/bits.tsx'
import { rowsOf, useEachCell } from '../kit/cells.ts'
import css from './reconciliation.module.css'
import { type Break, CLASS_NAMES, classOf } from './words.ts'

type Row = Break & { readonly cell: string }
const Side = ({ amount }: { readonly amount: string | null }) =>
  amount === null ? (
    <i className={css['none']}>nothing here</i>
  ) : (
    <b>
      <Naira amount={amount} />
    </b>
  )

const COLUMNS: readonly Column<Row>[] = [
  {
    head: 'Break',
    plain: true,
    cell: ({ id, cell, day, kind }) => (
      <span>
        <Link to="/reconciliation/$cell/$id" params={{ cell, id }}>
          <b>{id}</b>
        </Link>
        <small>
          {kind.toLowerCase().replaceAll('_', ' ')} of {day}, cell {cell}
        </small>
      </span>
    ),
  },
  { head: 'Bank statement', end: true, cell: ({ bank }) => <Side amount={bank} /> },
  {
    head: 'Class, age',
    cell: ({ class: name, ageDays, state }) => (
      <span className={css['between']}>
        <State tone={state === 'OPEN' ? classOf(name)[0] : 'off'}>{classOf(name)[1]}</State>
        <small>{state === 'OPEN' ? (ageDays === 0 ? 'today' : some(ageDays, 'day', 'days')) : 'resolved'}</small>
      </span>
    ),
  },
  { head: 'Our books', end: true, cell: ({ ours }) => <Side amount={ours} /> },
  { head: 'Whose', cell: ({ merchant }) => <MerchantLink which={merchant} /> },
  { head: 'With', cell: ({ assignedTo }) => assignedTo ?? 'Nobody yet' },
]

export function Breaks() {
  const me = useMe()
  const [{ show = '' }] = useFilters()
  const all = show === 'all'
  const list = useEachCell<typeof listBreaksView>('breaks.list', all ? { all: 'true' } : {})
  const open: Row[] = rowsOf(list, ({ content }) => content)
  const rows = open.filter(
    (row) => show === '' || all || (show === 'mine' ? row.assignedTo === me.email : row.class === show),
  )
  const count = (name: string) => open.filter((row) => row.class === name && row.state === 'OPEN').length
  const tabs = [
    { value: '', word: 'Open', count: open.filter(({ state }) => state === 'OPEN').length },
    { value: 'mine', word: 'With you' },
    ...CLASS_NAMES.filter((name) => count(name) > 0 || name === show).map((name) => ({
      value: name,
      word: classOf(name)[1],
      count: count(name),
    })),
    { value: 'all', word: 'Resolved too' },
  ]
  return (
    <Page
      title="Reconciliation"
      lead="Each night the bank's statement is compared with our books, in both directions. What differs stands here until somebody decides."
    >
      <Tabs name="Breaks" param="show" tabs={tabs} now={show} />
      <CellFaults of={list} />
      {list.pending ? <Loading lines={6} /> : null}
      {!list.pending && rows.length === 0 ? (
        <Empty title={show === '' || all ? 'No difference with the bank is open.' : 'No break fits this view.'}>
          {show === '' || all
            ? 'The next comparison makes rows here if statement and books differ.'
            : `${some(open.length, 'break is', 'breaks are')} outside it.`}
        </Empty>
      ) : null}
      {rows.length > 0 ? (
        <Table name="Breaks" columns={COLUMNS} rows={rows} idOf={({ id, cell }) => cell + id} />
      ) : null}
    </Page>
  )
}
