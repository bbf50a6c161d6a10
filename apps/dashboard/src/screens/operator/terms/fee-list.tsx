// Fees of all merchants: who is charged what for which method, since when, and what comes. A new one is set
// here too, with two people.
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type { overviewFees } from '@cowrie/contract/settlements/fees'
import { useFilters } from '../../../address.ts'
import { Empty, Loading, Page } from '../../../parts/page.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { ActButton, optionsOf, useActing } from '../kit/acting.tsx'
import { CellFaults, Tabs } from '../kit/bits.tsx'
import { rowsOf, useEachCell } from '../kit/cells.ts'
import { FEE_STATES, feeColumns, feePlan, METHODS } from './fees.tsx'
import { More, Narrow, whoseColumn } from './narrow.tsx'

type Row = ViewReplyOf<typeof overviewFees>['schedules'][number] & { readonly cell: string }
const COLUMNS: readonly Column<Row>[] = [whoseColumn, ...feeColumns.map((column) => ({ ...column, plain: false }))]
const TABS = [
  { value: '', word: FEE_STATES.IN_FORCE[1] },
  { value: 'COMING', word: FEE_STATES.COMING[1] },
  { value: 'PAST', word: FEE_STATES.PAST[1] },
]

export function FeeList() {
  const [{ state = '', method = '', search = '' }] = useFilters()
  const acting = useActing()
  const list = useEachCell<typeof overviewFees>('fees.overview', {
    state: state === '' ? 'IN_FORCE' : state,
    ...(method ? { method } : {}),
    ...(search ? { search } : {}),
  })
  const rows = rowsOf(list, ({ schedules }) => schedules)
  const filtered = method !== '' || search !== ''
  return (
    <Page
      title="Fees"
      lead="Each is a version: it begins at an instant and is never edited. Who has none for a method pays the tariff for all."
      acts={<ActButton plan={feePlan()} acting={acting} />}
    >
      {acting.notice}
      <Tabs name="States" param="state" tabs={TABS} now={state} />
      <Narrow param="method" label="Method" options={optionsOf(METHODS)} />
      <CellFaults of={list} />
      {list.pending ? <Loading lines={6} /> : null}
      {!list.pending && rows.length === 0 ? (
        <Empty title={filtered ? 'No schedule fits these filters.' : 'There is none.'}>
          {filtered
            ? 'Choose another method, or search for less.'
            : state === 'COMING'
              ? 'A fee that was set from a later day on stands here until it begins.'
              : 'What two people set for a merchant stands here.'}
        </Empty>
      ) : null}
      {rows.length > 0 ? <Table name="Fees" columns={COLUMNS} rows={rows} idOf={({ cell, id }) => cell + id} /> : null}
      <More shown={list.parts.some(({ data }) => data.more)} />
      {acting.dialog}
    </Page>
  )
}
