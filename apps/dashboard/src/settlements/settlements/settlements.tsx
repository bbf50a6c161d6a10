// Settlements, newest first: what was collected and is paid out to the merchant and its sub accounts.
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { listSettlements } from '@cowrie/contract/settlements/settlements'
import { Link } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { koboOfText } from '../../money.ts'
import { classOfButton } from '../../parts/button.tsx'
import { Money, When } from '../../parts/figures.tsx'
import { Named, stateColumn } from '../../parts/lists/cells.tsx'
import { ListScreen } from '../../parts/lists/list-screen.tsx'
import { useRows } from '../../parts/lists/rows.tsx'
import { AccountNumber } from '../../parts/money-box.tsx'
import { Empty } from '../../parts/page.tsx'
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

export function Settlements() {
  const list = useRows(['settlements'], async ({ page = '0' }) => {
    const found = await call<typeof listSettlements>('settlements.list', {
      query: { page: page === '' ? '0' : page, size: '50' },
    })
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
      name="settlements"
      list={list}
      rows={{ columns: COLUMNS, idOf: ({ settlementReference }) => settlementReference }}
      empty={
        <Empty title="Nothing was settled yet.">
          What is paid to you is settled by your schedule. The first settlement stands here then.
        </Empty>
      }
    />
  )
}
