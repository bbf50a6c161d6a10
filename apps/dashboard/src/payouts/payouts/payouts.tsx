// Payouts, newest first: single ones and rows of batches. Filters are the address; the total is of the
// filter. Whoever may not see the wallet sees single payouts, without filters, because the search asks for
// the wallet.
import type { listTransfers, searchTransfers } from '@cowrie/contract/payouts/disbursements'
import { Link } from '@tanstack/react-router'
import { type Filters, useFilters } from '../../address.ts'
import { call } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { dayEnd, dayStart } from '../../clock.ts'
import { koboOf } from '../../money.ts'
import { classOfButton } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { When } from '../../parts/figures.tsx'
import { AmountLink, Receiver, Reference, stateColumn } from '../../parts/lists/cells.tsx'
import { FilterForm } from '../../parts/lists/filter.tsx'
import { ListScreen } from '../../parts/lists/list-screen.tsx'
import { useRows } from '../../parts/lists/rows.tsx'
import { AccountNumber } from '../../parts/money-box.tsx'
import { Empty } from '../../parts/page.tsx'
import { SavedViews } from '../../parts/saved/saved.tsx'
import { nairaTyped } from '../../parts/sending/typed.ts'
import { useWallet } from '../../parts/sending/use-wallet.ts'
import type { Column } from '../../parts/table.tsx'
import { Views } from '../../parts/views.tsx'
import { type Payout, stateOf } from './states.ts'

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
      <AmountLink to="/payouts/$reference" params={{ reference }} kobo={koboOf(amount)} />
    ),
  },
  stateColumn(stateOf),
  {
    head: 'To',
    cell: ({ destinationAccountName, destinationBankName, destinationBankCode, destinationAccountNumber }) => (
      <Receiver
        name={destinationAccountName}
        below={
          <>
            {destinationBankName ?? destinationBankCode} <AccountNumber number={destinationAccountNumber} />
          </>
        }
      />
    ),
  },
  { head: 'Reference', cell: ({ reference }) => <Reference text={reference} /> },
  { head: 'When, WAT', end: true, cell: ({ createdOn }) => <When at={createdOn} /> },
]

const queryOf = ({ from, to, least, most, bound }: Filters) => ({
  ...(from ? { startDate: dayStart(from) } : {}),
  ...(bound || to ? { endDate: bound || dayEnd(to ?? '') } : {}),
  ...(least ? { amountFrom: least } : {}),
  ...(most ? { amountTo: most } : {}),
})

const PayoutFilters = () => {
  const [filters, filter] = useFilters()
  return (
    <FilterForm
      label="Filter payouts"
      filters={filters}
      onFilter={({ from = '', to = '', least = '', most = '' }) =>
        filter({ from, to, least: nairaTyped(least) ?? '', most: nairaTyped(most) ?? '', bound: '' })
      }
    >
      <Field label="From" name="from" type="date" defaultValue={filters['from']} />
      <Field label="To" name="to" type="date" defaultValue={filters['to']} />
      <Field label="At least, ₦" name="least" inputMode="decimal" defaultValue={filters['least']} />
      <Field label="At most, ₦" name="most" inputMode="decimal" defaultValue={filters['most']} />
    </FilterForm>
  )
}

function usePayouts(wallet: ReturnType<typeof useWallet>) {
  const sourceAccountNumber = wallet.data?.walletNumber ?? ''
  return useRows(
    ['payouts', sourceAccountNumber],
    async (filters) => {
      const paging = { pageNo: filters['page'] ?? '0', pageSize: SIZE }
      const found = wallet.allowed
        ? await call<typeof searchTransfers>('transfers.search', {
            query: { sourceAccountNumber, ...paging, ...queryOf(filters) },
          })
        : await call<typeof listTransfers>('transfers.list', { query: paging })
      return { content: found.content, page: found }
    },
    !wallet.allowed || wallet.data !== undefined,
  )
}

export function Payouts() {
  const maySend = may(useMe(), 'payouts.send')
  const wallet = useWallet()
  const [filters] = useFilters()
  const list = usePayouts(wallet)
  const filtered = ['from', 'to', 'least', 'most'].some((name) => filters[name])
  /** What is newer than the first look stays out of the pages, so that no row shifts. */
  const bound = filters['bound'] ?? list.data?.content[0]?.createdOn ?? ''
  return (
    <ListScreen
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
      choice={
        <>
          <PayoutViews here="payouts" />
          {wallet.allowed ? <SavedViews list="payouts" /> : null}
          {wallet.allowed ? <PayoutFilters /> : null}
        </>
      }
      name="payouts"
      list={list}
      error={wallet.error}
      rows={{ columns: PAYOUT_COLUMNS, idOf: ({ reference }) => reference }}
      keep={(page) => ({ bound: page === 0 ? '' : bound })}
      empty={
        filtered ? (
          <Empty title="No payout fits these filters.">
            <Link to="/payouts">Show all payouts</Link>
          </Empty>
        ) : (
          <Empty title="Nothing was paid out yet.">Payouts that people or your server send stand here.</Empty>
        )
      }
    />
  )
}
