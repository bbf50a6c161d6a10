// Settlements, newest first, by amount and by day: what was collected and is paid out to the merchant and its
// sub accounts.
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { listSettlements } from '@cowrie/contract/settlements/settlements'
import { Link } from '@tanstack/react-router'
import { type Filters, useFilters } from '../../address.ts'
import { call } from '../../api/call.ts'
import { dayEnd, dayStart } from '../../clock.ts'
import { koboOfText } from '../../money.ts'
import { classOfButton } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Money, When } from '../../parts/figures.tsx'
import { Named, stateColumn } from '../../parts/lists/cells.tsx'
import { FilterForm } from '../../parts/lists/filter.tsx'
import { ListScreen } from '../../parts/lists/list-screen.tsx'
import { useRows } from '../../parts/lists/rows.tsx'
import { AccountNumber } from '../../parts/money-box.tsx'
import { Empty } from '../../parts/page.tsx'
import { nairaTyped } from '../../parts/sending/typed.ts'
import type { Column } from '../../parts/table.tsx'
import { stateWord } from './words.ts'

type Settlement = ReplyOf<typeof listSettlements>['content'][number]

const COLUMNS: readonly Column<Settlement>[] = [
  { head: 'Amount', end: true, cell: ({ amount }) => <Money kobo={koboOfText(amount)} /> },
  stateColumn(({ status }) => stateWord(status)),
  {
    head: 'Settlement',
    plain: true,
    cell: ({ number, settlementReference, transactionsCount }) => (
      <Named
        to="/settlements/$reference"
        params={{ reference: settlementReference }}
        name={`No. ${number}`}
        below={transactionsCount === 1 ? 'One payment' : `${transactionsCount} payments`}
      />
    ),
  },
  {
    head: 'To',
    cell: ({ destination, beneficiaryType }) => (
      <span>
        {destination.type === 'WALLET' ? 'Your wallet' : destination.accountName}
        <small>
          {beneficiaryType === 'SUB_ACCOUNT' ? 'Sub account, ' : null}
          <AccountNumber number={destination.accountNumber} />
        </small>
      </span>
    ),
  },
  { head: 'Made, WAT', end: true, cell: ({ createdOn }) => <When at={createdOn} /> },
]

const SettlementFilters = () => {
  const [filters, filter] = useFilters()
  return (
    <FilterForm
      label="Filter settlements"
      filters={filters}
      onFilter={({ from = '', to = '', least = '', most = '' }) =>
        filter({ from, to, least: nairaTyped(least) ?? '', most: nairaTyped(most) ?? '' })
      }
    >
      <Field label="From" name="from" type="date" defaultValue={filters['from']} />
      <Field label="To" name="to" type="date" defaultValue={filters['to']} />
      <Field label="At least, ₦" name="least" inputMode="decimal" defaultValue={filters['least']} />
      <Field label="At most, ₦" name="most" inputMode="decimal" defaultValue={filters['most']} />
    </FilterForm>
  )
}

const queryOf = ({ from, to, least, most, page }: Filters) => ({
  page: page || '0',
  size: '50',
  ...(from ? { from: dayStart(from) } : {}),
  ...(to ? { to: dayEnd(to) } : {}),
  ...(least ? { fromAmount: least } : {}),
  ...(most ? { toAmount: most } : {}),
})

export function Settlements() {
  const [filters] = useFilters()
  const filtered = ['from', 'to', 'least', 'most'].some((name) => filters[name])
  const list = useRows(['settlements'], async (chosen) => {
    const found = await call<typeof listSettlements>('settlements.list', { query: queryOf(chosen) })
    return { content: found.content, page: found }
  })
  return (
    <ListScreen
      title="Settlements"
      lead="What your customers paid, less fees and shares, paid to you. Each comes with a statement that proves itself."
      acts={
        <Link className={classOfButton()} to="/settlements/account">
          Where and when
        </Link>
      }
      choice={<SettlementFilters />}
      name="settlements"
      list={list}
      rows={{ columns: COLUMNS, idOf: ({ settlementReference }) => settlementReference }}
      empty={
        filtered ? (
          <Empty title="No settlement fits these filters.">
            <Link to="/settlements">Show all settlements</Link>
          </Empty>
        ) : (
          <Empty title="Nothing was settled yet.">
            What is paid to you is settled by your schedule. The first settlement stands here then.
          </Empty>
        )
      }
    />
  )
}
