// Batches of payouts, newest first.
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { listBatches } from '@cowrie/contract/payouts/batches'
import { Link } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { koboOf } from '../../money.ts'
import { classOfButton } from '../../parts/button.tsx'
import { Money, When } from '../../parts/figures.tsx'
import { AmountLink, Reference, stateColumn } from '../../parts/lists/cells.tsx'
import { ListScreen } from '../../parts/lists/list-screen.tsx'
import { useRows } from '../../parts/lists/rows.tsx'
import { Empty } from '../../parts/page.tsx'
import type { Column } from '../../parts/table.tsx'
import { PayoutViews } from './payouts.tsx'
import { batchStateOf } from './states.ts'

type Batch = ReplyOf<typeof listBatches>['content'][number]
const COLUMNS: readonly Column<Batch>[] = [
  {
    head: 'Amount',
    end: true,
    cell: ({ totalAmount, batchReference: reference }) => (
      <AmountLink to="/payouts/batches/$reference" params={{ reference }} kobo={koboOf(totalAmount)} />
    ),
  },
  stateColumn(({ batchStatus }) => batchStateOf(batchStatus)),
  { head: 'Rows', cell: ({ totalTransactionsCount }) => totalTransactionsCount.toLocaleString('en-GB') },
  { head: 'Fees', end: true, cell: ({ totalFee }) => <Money kobo={koboOf(totalFee)} /> },
  { head: 'Reference', cell: ({ batchReference }) => <Reference text={batchReference} /> },
  { head: 'When, WAT', end: true, cell: ({ dateCreated }) => <When at={dateCreated} /> },
]

export function Batches() {
  const maySend = may(useMe(), 'payouts.send')
  const list = useRows(['batches'], async ({ page = '0' }) => {
    const found = await call<typeof listBatches>('batches.list', { query: { pageNo: page, pageSize: '25' } })
    return { content: found.content, page: found }
  })
  return (
    <ListScreen
      title="Batches"
      lead="Many payouts in one file, each paid independently."
      acts={
        maySend ? (
          <Link className={classOfButton('main')} to="/payouts/batches/new">
            New batch
          </Link>
        ) : null
      }
      choice={<PayoutViews here="batches" />}
      name="batches"
      list={list}
      rows={{ columns: COLUMNS, idOf: (row) => row.transactionBatchReference }}
      empty={
        <Empty title="No batch was sent yet.">
          A batch is a file of payouts, checked row by row before it is sent.
        </Empty>
      }
    />
  )
}
