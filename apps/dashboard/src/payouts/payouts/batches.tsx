// Batches of payouts, newest first.

import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { listBatches } from '@cowrie/contract/payouts/batches'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useFilters } from '../../address.ts'
import { call } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { koboOf } from '../../money.ts'
import { classOfButton } from '../../parts/button.tsx'
import { Money, State, When } from '../../parts/figures.tsx'
import { Pager } from '../../parts/lists/pager.tsx'
import { Failed } from '../../parts/notice.tsx'
import { Empty, Loading, Page } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import css from './payouts.module.css'
import { PayoutViews } from './payouts.tsx'
import { batchStateOf } from './states.ts'

type Batch = ReplyOf<typeof listBatches>['content'][number]
const COLUMNS: readonly Column<Batch>[] = [
  {
    head: 'Amount',
    end: true,
    cell: ({ totalAmount, batchReference: reference }) => (
      <Link className={css['amount']} to="/payouts/batches/$reference" params={{ reference }}>
        <Money kobo={koboOf(totalAmount)} />
      </Link>
    ),
  },
  {
    head: 'State',
    cell: ({ batchStatus }) => {
      const [tone, word] = batchStateOf(batchStatus)
      return <State tone={tone}>{word}</State>
    },
  },
  { head: 'Rows', cell: ({ totalTransactionsCount }) => totalTransactionsCount.toLocaleString('en-GB') },
  { head: 'Fees', end: true, cell: ({ totalFee }) => <Money kobo={koboOf(totalFee)} /> },
  { head: 'Reference', cell: ({ batchReference }) => <span className={css['reference']}>{batchReference}</span> },
  { head: 'When, WAT', end: true, cell: ({ dateCreated }) => <When at={dateCreated} /> },
]

export function Batches() {
  const maySend = may(useMe(), 'payouts.send')
  const [{ page = '0' }, filter] = useFilters()
  const list = useQuery({
    queryKey: ['batches', page],
    queryFn: () => call<typeof listBatches>('batches.list', { query: { pageNo: page, pageSize: '25' } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Page
      title="Batches"
      lead="Many payouts in one file, each paid independently."
      acts={
        maySend ? (
          <Link className={classOfButton('main')} to="/payouts/batches/new">
            New batch
          </Link>
        ) : null
      }
    >
      <PayoutViews here="batches" />
      <Failed error={list.error} />
      {list.isPending ? <Loading lines={4} /> : null}
      {list.data?.totalElements === 0 ? (
        <Empty title="No batch was sent yet.">
          A batch is a file of payouts, checked row by row before it is sent.
        </Empty>
      ) : null}
      {list.data && list.data.totalElements > 0 ? (
        <>
          <Table
            name="Batches"
            columns={COLUMNS}
            rows={list.data.content}
            idOf={(row) => row.transactionBatchReference}
          />
          <Pager page={list.data} of="batches" onPage={(number) => filter({ page: String(number) })} />
        </>
      ) : null}
    </Page>
  )
}
