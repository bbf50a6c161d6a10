// Refunds, newest first, by state and by payment. Filters are the address; the total is of the filter.
import type { listRefunds } from '@cowrie/contract/payouts/refunds'
import { Link } from '@tanstack/react-router'
import { type Filters, useFilters } from '../../address.ts'
import { call } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { dayEnd, dayStart } from '../../clock.ts'
import { koboOf } from '../../money.ts'
import { classOfButton } from '../../parts/button.tsx'
import { Select } from '../../parts/choice.tsx'
import { Field } from '../../parts/field.tsx'
import { When } from '../../parts/figures.tsx'
import { AmountLink, Receiver, Reference, stateColumn } from '../../parts/lists/cells.tsx'
import { FilterForm } from '../../parts/lists/filter.tsx'
import { ListScreen } from '../../parts/lists/list-screen.tsx'
import { useRows } from '../../parts/lists/rows.tsx'
import { Empty } from '../../parts/page.tsx'
import { SavedViews } from '../../parts/saved/saved.tsx'
import type { Column } from '../../parts/table.tsx'
import { destinationOf, momentOf, type Refund, stateOf } from './states.ts'

const COLUMNS: readonly Column<Refund>[] = [
  {
    head: 'Amount',
    end: true,
    cell: ({ refundAmount, refundReference: reference }) => (
      <AmountLink to="/refunds/$reference" params={{ reference }} kobo={koboOf(refundAmount)} />
    ),
  },
  stateColumn(stateOf),
  {
    head: 'To',
    cell: (refund) => <Receiver name={destinationOf(refund)} below={refund.refundReason} />,
  },
  {
    head: 'Payment',
    cell: ({ transactionReference }) => (
      <Link to="/payments/$reference" params={{ reference: transactionReference }}>
        <Reference text={transactionReference} />
      </Link>
    ),
  },
  { head: 'When, WAT', end: true, cell: ({ createdOn }) => <When at={momentOf(createdOn)} /> },
]
const STATUSES = [
  ['', 'All'],
  ['PENDING', 'Under way'],
  ['COMPLETED', 'Refunded'],
  ['FAILED', 'Not refunded'],
] as const

const RefundFilters = () => {
  const [filters, filter] = useFilters()
  return (
    <FilterForm
      label="Filter refunds"
      filters={filters}
      onFilter={({ refundStatus = '', transactionReference = '', from = '', to = '' }) =>
        filter({ refundStatus, transactionReference: transactionReference.trim(), from, to })
      }
    >
      <Select label="State" name="refundStatus" options={STATUSES} defaultValue={filters['refundStatus'] ?? ''} />
      <Field label="Payment" name="transactionReference" defaultValue={filters['transactionReference']} />
      <Field label="From" name="from" type="date" defaultValue={filters['from']} />
      <Field label="To" name="to" type="date" defaultValue={filters['to']} />
    </FilterForm>
  )
}

const queryOf = ({ refundStatus, transactionReference, from, to, page }: Filters) => ({
  page: page ?? '0',
  size: '25',
  ...(refundStatus ? { refundStatus } : {}),
  ...(transactionReference ? { transactionReference } : {}),
  ...(from ? { from: dayStart(from) } : {}),
  ...(to ? { to: dayEnd(to) } : {}),
})

export function Refunds() {
  const maySend = may(useMe(), 'refunds.send')
  const [filters] = useFilters()
  const list = useRows(['refunds'], async (chosen) => {
    const found = await call<typeof listRefunds>('refunds.list', { query: queryOf(chosen) })
    return { content: found.content, page: found }
  })
  const filtered = ['refundStatus', 'transactionReference', 'from', 'to'].some((name) => filters[name])
  return (
    <ListScreen
      title="Refunds"
      lead="Money of a payment that goes back to its payer, out of your wallet."
      acts={
        maySend ? (
          <Link className={classOfButton('main')} to="/refunds/new">
            Refund a payment
          </Link>
        ) : null
      }
      choice={
        <>
          <SavedViews list="refunds" />
          <RefundFilters />
        </>
      }
      name="refunds"
      list={list}
      rows={{ columns: COLUMNS, idOf: ({ reference }) => reference }}
      empty={
        filtered ? (
          <Empty title="No refund fits these filters.">
            <Link to="/refunds">Show all refunds</Link>
          </Empty>
        ) : (
          <Empty title="Nothing was refunded yet.">
            A payment by transfer or card can be refunded, whole or in parts.
          </Empty>
        )
      }
    />
  )
}
