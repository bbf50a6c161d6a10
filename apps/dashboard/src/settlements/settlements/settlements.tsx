// Settlements, newest first: what was collected and is paid out to the merchant and its sub accounts.
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { listSettlements } from '@cowrie/contract/settlements/settlements'
import { Link } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { Empty, ListPage } from '../../collections/collect/listing.tsx'
import { koboOfText } from '../../money.ts'
import { classOfButton } from '../../parts/button.tsx'
import { Money, State, When } from '../../parts/figures.tsx'
import { AccountNumber } from '../../parts/money-box.tsx'
import type { Column } from '../../parts/table.tsx'
import { stateWord } from './words.ts'

type Settlement = ReplyOf<typeof listSettlements>['content'][number]

const COLUMNS: readonly Column<Settlement>[] = [
  { head: 'Amount', end: true, cell: ({ amount }) => <Money kobo={koboOfText(amount)} /> },
  {
    head: 'State',
    cell: ({ status }) => {
      const [tone, word] = stateWord(status)
      return <State tone={tone}>{word}</State>
    },
  },
  {
    head: 'Settlement',
    plain: true,
    cell: ({ number, settlementReference, transactionsCount }) => (
      <span>
        <Link to="/settlements/$reference" params={{ reference: settlementReference }}>
          <b>No. {number}</b>
        </Link>
        <small>{transactionsCount === 1 ? 'One payment' : `${transactionsCount} payments`}</small>
      </span>
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

export const Settlements = () => (
  <ListPage
    title="Settlements"
    lead="What your customers paid, less fees and shares, paid to you. Each comes with a statement that proves itself."
    acts={
      <Link className={classOfButton()} to="/settlements/account">
        Where and when
      </Link>
    }
    name="settlements"
    id={['settlements']}
    load={async ({ page = '0' }) => {
      const found = await call<typeof listSettlements>('settlements.list', {
        query: { page: page === '' ? '0' : page, size: '50' },
      })
      return { content: found.content, page: found }
    }}
    columns={COLUMNS}
    idOf={({ settlementReference }) => settlementReference}
    empty={
      <Empty title="Nothing was settled yet.">
        What is paid to you is settled by your schedule. The first settlement stands here then.
      </Empty>
    }
  />
)
