// Refunds, newest first, by state and by payment. Filters are the address; the total is of the filter.
import type { listRefunds } from '@cowrie/contract/payouts/refunds'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Filters, useFilters } from '../../address.ts'
import { call } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { koboOf } from '../../money.ts'
import { Button, classOfButton } from '../../parts/button.tsx'
import { Select } from '../../parts/choice.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { Money, State, When } from '../../parts/figures.tsx'
import { Pager } from '../../parts/lists/pager.tsx'
import { Failed } from '../../parts/notice.tsx'
import { Empty, Loading, Page } from '../../parts/page.tsx'
import { SavedViews } from '../../parts/saved/saved.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import css from '../payouts/payouts.module.css'
import { destinationOf, momentOf, type Refund, stateOf } from './states.ts'

const COLUMNS: readonly Column<Refund>[] = [
  {
    head: 'Amount',
    end: true,
    cell: ({ refundAmount, refundReference: reference }) => (
      <Link className={css['amount']} to="/refunds/$reference" params={{ reference }}>
        <Money kobo={koboOf(refundAmount)} />
      </Link>
    ),
  },
  {
    head: 'State',
    cell: (refund) => {
      const [tone, word] = stateOf(refund)
      return <State tone={tone}>{word}</State>
    },
  },
  {
    head: 'To',
    cell: (refund) => (
      <span className={css['to']}>
        <b title={destinationOf(refund)}>{destinationOf(refund)}</b>
        <small>{refund.refundReason}</small>
      </span>
    ),
  },
  {
    head: 'Payment',
    cell: ({ transactionReference }) => (
      <Link
        className={css['reference']}
        to="/payments/$reference"
        params={{ reference: transactionReference }}
        title={transactionReference}
      >
        {transactionReference}
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

const FilterForm = ({ filters, onFilter }: { filters: Filters; onFilter: (change: Filters) => void }) => (
  <div className={css['filters']}>
    <Form
      key={JSON.stringify(filters)}
      label="Filter refunds"
      onSend={({ refundStatus = '', transactionReference = '', from = '', to = '' }) =>
        onFilter({ refundStatus, transactionReference: transactionReference.trim(), from, to })
      }
    >
      <Select label="State" name="refundStatus" options={STATUSES} defaultValue={filters['refundStatus'] ?? ''} />
      <Field label="Payment" name="transactionReference" defaultValue={filters['transactionReference']} />
      <Field label="From" name="from" type="date" defaultValue={filters['from']} />
      <Field label="To" name="to" type="date" defaultValue={filters['to']} />
      <Button submit>Filter</Button>
    </Form>
  </div>
)

const queryOf = ({ refundStatus, transactionReference, from, to, page }: Filters) => ({
  page: page ?? '0',
  size: '25',
  ...(refundStatus ? { refundStatus } : {}),
  ...(transactionReference ? { transactionReference } : {}),
  ...(from ? { from: `${from}T00:00:00+01:00` } : {}),
  ...(to ? { to: `${to}T23:59:59.999+01:00` } : {}),
})

export function Refunds() {
  const maySend = may(useMe(), 'refunds.send')
  const [filters, filter] = useFilters()
  const list = useQuery({
    queryKey: ['refunds', filters],
    queryFn: () => call<typeof listRefunds>('refunds.list', { query: queryOf(filters) }),
    placeholderData: keepPreviousData,
  })
  const filtered = ['refundStatus', 'transactionReference', 'from', 'to'].some((name) => filters[name])
  return (
    <Page
      title="Refunds"
      lead="Money of a payment that goes back to its payer, out of your wallet."
      acts={
        maySend ? (
          <Link className={classOfButton('main')} to="/refunds/new">
            Refund a payment
          </Link>
        ) : null
      }
    >
      <SavedViews list="refunds" />
      <FilterForm filters={filters} onFilter={filter} />
      <Failed error={list.error} />
      {list.isPending ? <Loading lines={6} /> : null}
      {list.data?.totalElements === 0 ? (
        filtered ? (
          <Empty title="No refund fits these filters.">
            <Link to="/refunds">Show all refunds</Link>
          </Empty>
        ) : (
          <Empty title="Nothing was refunded yet.">
            A payment by transfer or card can be refunded, whole or in parts.
          </Empty>
        )
      ) : null}
      {list.data && list.data.totalElements > 0 ? (
        <>
          <Table name="Refunds" columns={COLUMNS} rows={list.data.content} idOf={({ reference }) => reference} />
          <Pager page={list.data} of="refunds" onPage={(page) => filter({ page: String(page) })} />
        </>
      ) : null}
    </Page>
  )
}
