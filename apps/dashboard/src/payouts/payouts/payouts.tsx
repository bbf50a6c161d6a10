// Payouts, newest first: single ones and rows of batches. Filters are the address; the total is of the
// filter. Whoever may not see the wallet sees single payouts, without filters, because the search asks for
// the wallet.
import type { listTransfers, searchTransfers } from '@cowrie/contract/payouts/disbursements'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Filters, useFilters } from '../../address.ts'
import { call } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { koboOf } from '../../money.ts'
import { Button, classOfButton } from '../../parts/button.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { Money, State, When } from '../../parts/figures.tsx'
import { Pager } from '../../parts/lists/pager.tsx'
import { AccountNumber } from '../../parts/money-box.tsx'
import { Failed } from '../../parts/notice.tsx'
import { Empty, Loading, Page } from '../../parts/page.tsx'
import { SavedViews } from '../../parts/saved/saved.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Views } from '../../parts/views.tsx'
import css from './payouts.module.css'
import { nairaTyped, type Payout, stateOf } from './states.ts'
import { useWallet } from './use-wallet.ts'

const SIZE = '25'

export const PayoutViews = ({ here }: { readonly here: 'payouts' | 'batches' }) => (
  <Views
    label="Payouts"
    views={[
      { to: '/payouts', word: 'Payouts', here: here === 'payouts' },
      { to: '/payouts/batches', word: 'Batches', here: here === 'batches' },
    ]}
  />
)

export const PAYOUT_COLUMNS: readonly Column<Payout>[] = [
  {
    head: 'Amount',
    end: true,
    cell: ({ amount, reference }) => (
      <Link className={css['amount']} to="/payouts/$reference" params={{ reference }}>
        <Money kobo={koboOf(amount)} />
      </Link>
    ),
  },
  {
    head: 'State',
    cell: (payout) => {
      const [tone, word] = stateOf(payout)
      return <State tone={tone}>{word}</State>
    },
  },
  {
    head: 'To',
    cell: ({ destinationAccountName, destinationBankName, destinationBankCode, destinationAccountNumber }) => (
      <span className={css['to']}>
        <b title={destinationAccountName}>{destinationAccountName ?? 'Not validated'}</b>
        <small>
          {destinationBankName ?? destinationBankCode} <AccountNumber number={destinationAccountNumber} />
        </small>
      </span>
    ),
  },
  { head: 'Reference', cell: ({ reference }) => <span className={css['reference']}>{reference}</span> },
  { head: 'When, WAT', end: true, cell: ({ createdOn }) => <When at={createdOn} /> },
]

/** Whole days of West Africa Time, both ends included. */
const dayStart = (day: string): string => `${day}T00:00:00+01:00`
const dayEnd = (day: string): string => `${day}T23:59:59.999+01:00`

const queryOf = ({ from, to, least, most, bound }: Filters) => ({
  ...(from ? { startDate: dayStart(from) } : {}),
  ...(bound || to ? { endDate: bound || dayEnd(to ?? '') } : {}),
  ...(least ? { amountFrom: least } : {}),
  ...(most ? { amountTo: most } : {}),
})

const FilterForm = ({ filters, onFilter }: { filters: Filters; onFilter: (change: Filters) => void }) => (
  <div className={css['filters']}>
    <Form
      key={JSON.stringify(filters)}
      label="Filter payouts"
      onSend={({ from = '', to = '', least = '', most = '' }) =>
        onFilter({ from, to, least: nairaTyped(least) ?? '', most: nairaTyped(most) ?? '', bound: '' })
      }
    >
      <Field label="From" name="from" type="date" defaultValue={filters['from']} />
      <Field label="To" name="to" type="date" defaultValue={filters['to']} />
      <Field label="At least, ₦" name="least" inputMode="decimal" defaultValue={filters['least']} />
      <Field label="At most, ₦" name="most" inputMode="decimal" defaultValue={filters['most']} />
      <Button submit>Filter</Button>
    </Form>
  </div>
)

function usePayouts(filters: Filters, wallet: ReturnType<typeof useWallet>) {
  const accountNumber = wallet.data?.walletNumber ?? ''
  const paging = { pageNo: filters['page'] ?? '0', pageSize: SIZE }
  return useQuery({
    queryKey: ['payouts', accountNumber, filters],
    queryFn: () =>
      wallet.allowed
        ? call<typeof searchTransfers>('transfers.search', {
            query: { sourceAccountNumber: accountNumber, ...paging, ...queryOf(filters) },
          })
        : call<typeof listTransfers>('transfers.list', { query: paging }),
    enabled: !wallet.allowed || wallet.data !== undefined,
    placeholderData: keepPreviousData,
  })
}

export function Payouts() {
  const maySend = may(useMe(), 'payouts.send')
  const wallet = useWallet()
  const [filters, filter] = useFilters()
  const list = usePayouts(filters, wallet)
  const filtered = ['from', 'to', 'least', 'most'].some((name) => filters[name])
  /** What is newer than the first look stays out of the pages, so that no row shifts. */
  const bound = filters['bound'] ?? list.data?.content[0]?.createdOn ?? ''
  return (
    <Page
      title="Payouts"
      lead="Money out of your wallet to bank accounts, single and by batch."
      acts={
        maySend ? (
          <>
            <Link className={classOfButton('quiet')} to="/payouts/batches/new">
              New batch
            </Link>
            <Link className={classOfButton('main')} to="/payouts/new">
              New payout
            </Link>
          </>
        ) : null
      }
    >
      <PayoutViews here="payouts" />
      {wallet.allowed ? <SavedViews list="payouts" /> : null}
      {wallet.allowed ? <FilterForm filters={filters} onFilter={filter} /> : null}
      <Failed error={wallet.error ?? list.error} />
      {list.isPending && wallet.error === null ? <Loading lines={6} /> : null}
      {list.data?.totalElements === 0 ? (
        filtered ? (
          <Empty title="No payout fits these filters.">
            <Link to="/payouts">Show all payouts</Link>
          </Empty>
        ) : (
          <Empty title="Nothing was paid out yet.">Payouts that people or your server send stand here.</Empty>
        )
      ) : null}
      {list.data && list.data.totalElements > 0 ? (
        <>
          <Table name="Payouts" columns={PAYOUT_COLUMNS} rows={list.data.content} idOf={({ reference }) => reference} />
          <Pager
            page={list.data}
            of="payouts"
            onPage={(page) => filter(page === 0 ? { bound: '' } : { page: String(page), bound })}
          />
        </>
      ) : null}
    </Page>
  )
}
