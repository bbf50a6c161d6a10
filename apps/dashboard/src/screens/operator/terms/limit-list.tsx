// Limits of all merchants, as they are in force. What was in force before stands on the page of each
// merchant.

import type { overviewLimits } from '@cowrie/contract/access/limits'
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import { useFilters } from '../../../address.ts'
import { Empty, Loading, Page } from '../../../parts/page.tsx'
import { type Column, Table } from '../../../parts/table.tsx'
import { ActButton, optionsOf, useActing } from '../kit/acting.tsx'
import { CellFaults } from '../kit/bits.tsx'
import { rowsOf, useEachCell } from '../kit/cells.ts'
import { amountColumns, KINDS, limitPlan } from './limits.tsx'
import { More, Narrow, whoseColumn } from './narrow.tsx'

type Row = ViewReplyOf<typeof overviewLimits>['limits'][number] & { readonly cell: string }
const COLUMNS: readonly Column<Row>[] = [
  whoseColumn,
  { head: 'Of', cell: ({ kind }) => <b>{KINDS[kind]}</b> },
  ...amountColumns,
]

export function LimitList() {
  const [{ kind = '', search = '' }] = useFilters()
  const acting = useActing()
  const list = useEachCell<typeof overviewLimits>('limits.overview', {
    ...(kind ? { kind } : {}),
    ...(search ? { search } : {}),
  })
  const rows = rowsOf(list, ({ limits }) => limits)
  return (
    <Page
      title="Limits"
      lead="Those in force. A merchant without one on what it collects may ask for any amount; payouts always have one."
      acts={<ActButton plan={limitPlan()} acting={acting} />}
    >
      {acting.notice}
      <Narrow param="kind" label="Of" options={optionsOf(KINDS)} />
      <CellFaults of={list} />
      {list.pending ? <Loading lines={6} /> : null}
      {!list.pending && rows.length === 0 ? (
        <Empty title="No limit fits these filters.">
          A merchant has limits on payouts from the day it is live, and on collections once two people set them.
        </Empty>
      ) : null}
      {rows.length > 0 ? (
        <Table
          name="Limits"
          columns={COLUMNS}
          rows={rows}
          idOf={({ cell, merchant, kind: of }) => `${cell} ${merchant} ${of}`}
        />
      ) : null}
      <More shown={list.parts.some(({ data }) => data.more)} />
      {acting.dialog}
    </Page>
  )
}
