// Reserved accounts, newest first.

import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type { listReservedAccounts } from '@cowrie/contract/screens/collecting'
import { Link } from '@tanstack/react-router'
import { view } from '../../api/call.ts'
import { State, When } from '../../parts/figures.tsx'
import { AccountNumber } from '../../parts/money-box.tsx'
import type { Column } from '../../parts/table.tsx'
import css from './collect.module.css'
import { Empty, ListPage } from './listing.tsx'
import { isoOf } from './moments.ts'

type Account = ViewReplyOf<typeof listReservedAccounts>['content'][number]

const COLUMNS: readonly Column<Account>[] = [
  {
    head: 'Customer',
    plain: true,
    cell: ({ customerName, accountName, accountReference }) => (
      <span>
        <Link to="/accounts/$reference" params={{ reference: accountReference }}>
          <b className={css['cut']} title={customerName}>
            {customerName === '' ? accountName : customerName}
          </b>
        </Link>
        <small className={css['cut']} title={accountReference}>
          {accountReference}
        </small>
      </span>
    ),
  },
  {
    head: 'State',
    cell: ({ status }) =>
      status === 'ACTIVE' ? <State tone="good">Takes money</State> : <State tone="off">No open invoice</State>,
  },
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

export const Accounts = () => (
  <ListPage
    title="Reserved accounts"
    lead="Account numbers that belong to one customer permanently. Every transfer to one is a payment of its own."
    name="reserved accounts"
    id={['reserved-accounts']}
    load={({ before = '' }) =>
      view<typeof listReservedAccounts>('reservedAccounts.list', before === '' ? {} : { before })
    }
    columns={COLUMNS}
    idOf={({ reservationReference }) => reservationReference}
    empty={
      <Empty title="There are no reserved accounts.">
        Your program reserves them by the API, with the customer’s identity number; each stands here from then on.
      </Empty>
    }
  />
)
