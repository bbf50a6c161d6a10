// Reserved accounts, newest first.

import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type { listReservedAccounts } from '@cowrie/contract/screens/collecting'
import { view } from '../../api/call.ts'
import { When } from '../../parts/figures.tsx'
import { Cut, Named, stateColumn } from '../../parts/lists/cells.tsx'
import { ListScreen } from '../../parts/lists/list-screen.tsx'
import { useRows } from '../../parts/lists/rows.tsx'
import { AccountNumber } from '../../parts/money-box.tsx'
import { Empty } from '../../parts/page.tsx'
import type { Column } from '../../parts/table.tsx'
import { isoOf } from './moments.ts'

type Account = ViewReplyOf<typeof listReservedAccounts>['content'][number]

const COLUMNS: readonly Column<Account>[] = [
  {
    head: 'Customer',
    plain: true,
    cell: ({ customerName, accountName, accountReference: reference }) => (
      <Named
        to="/accounts/$reference"
        params={{ reference }}
        name={customerName === '' ? accountName : customerName}
        below={<Cut text={reference} />}
      />
    ),
  },
  stateColumn(({ status }) => (status === 'ACTIVE' ? ['good', 'Takes money'] : ['off', 'No open invoice'])),
  {
    head: 'Number',
    cell: ({ accounts: [first, ...more] }) =>
      first ? (
        <span>
          <AccountNumber number={first.accountNumber} />
          <small>{more.length === 0 ? first.bankName : `${first.bankName}, and at ${more.length} more`}</small>
        </span>
      ) : (
        'None'
      ),
  },
  { head: 'For', cell: ({ reservedAccountType }) => (reservedAccountType === 'INVOICE' ? 'Invoices' : 'Any transfer') },
  { head: 'Reserved, WAT', end: true, cell: ({ createdOn }) => <When at={isoOf(createdOn)} /> },
]

export function Accounts() {
  const list = useRows(['reserved-accounts'], ({ before = '' }) =>
    view<typeof listReservedAccounts>('reservedAccounts.list', before === '' ? {} : { before }),
  )
  return (
    <ListScreen
      title="Reserved accounts"
      lead="Account numbers that belong to one customer permanently. Every transfer to one is a payment of its own."
      name="reserved accounts"
      list={list}
      rows={{ columns: COLUMNS, idOf: ({ reservationReference }) => reservationReference }}
      empty={
        <Empty title="There are no reserved accounts.">
          Your program reserves them by the API, with the customer’s identity number; each stands here from then on.
        </Empty>
      }
    />
  )
}
