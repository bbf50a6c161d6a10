// The wallet: what is free, what is held, what is owed, where to send money to top it up, and every movement
// with the balance after it.
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { showOwnWallet } from '@cowrie/contract/payouts/own-wallet'
import type { getWalletStatement } from '@cowrie/contract/wallets/wallets'
import { Link } from '@tanstack/react-router'
import { type Filters, useFilters } from '../../address.ts'
import { call } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { koboOf, koboOfText } from '../../money.ts'
import { classOfButton } from '../../parts/button.tsx'
import { Field } from '../../parts/field.tsx'
import { Money, When } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import { Reference } from '../../parts/lists/cells.tsx'
import { FilterForm } from '../../parts/lists/filter.tsx'
import { RowList } from '../../parts/lists/rows.tsx'
import { AccountNumber, LargeMoney, Sum } from '../../parts/money-box.tsx'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Empty, Facts, Loading, Page, Section } from '../../parts/page.tsx'
import { SavedViews } from '../../parts/saved/saved.tsx'
import css from '../../parts/sending/sending.module.css'
import { useWallet } from '../../parts/sending/use-wallet.ts'
import type { Column } from '../../parts/table.tsx'

type Wallet = ViewReplyOf<typeof showOwnWallet>
type Movement = ReplyOf<typeof getWalletStatement>['content'][number]

const signed = ({ transactionType, amount }: Movement): bigint =>
  transactionType === 'DEBIT' ? -koboOf(amount) : koboOf(amount)
const COLUMNS: readonly Column<Movement>[] = [
  {
    head: 'Amount',
    end: true,
    cell: (movement) => (
      <b>
        <Money kobo={signed(movement)} />
      </b>
    ),
  },
  {
    head: 'What',
    cell: ({ message, narration }) => (
      <span>
        {message}
        {narration === message ? null : <small>{narration}</small>}
      </span>
    ),
  },
  {
    head: 'Reference',
    cell: ({ monnifyTransactionReference: reference }) => <Reference text={reference} />,
  },
  {
    head: 'Free after',
    end: true,
    cell: ({ availableBalanceAfter }) => <Money kobo={koboOf(availableBalanceAfter)} />,
  },
  { head: 'When, WAT', end: true, cell: ({ transactionDate }) => <When at={transactionDate} /> },
]

function Balance({ wallet }: { readonly wallet: Wallet }) {
  const [free, all, owed] = [wallet.availableBalance, wallet.ledgerBalance, wallet.receivable].map(koboOfText)
  const [available, total, receivable] = [free ?? 0n, all ?? 0n, owed ?? 0n]
  return (
    <>
      <LargeMoney kobo={available}>
        <span className={layout['soft']}>free to pay out</span>
      </LargeMoney>
      {receivable > 0n ? (
        <div className={css['now']}>
          <Notice tone="bad" title="You owe money that a bank reversed.">
            <Money kobo={receivable} /> is collected from the next money you receive. Until then nothing can be paid
            out.
          </Notice>
        </div>
      ) : null}
      <div className={css['halves']}>
        <Section title="What is in it">
          <Sum
            lines={[
              { name: 'Free', value: available },
              {
                name: 'Held for payouts and batches',
                value: total - available,
                note: total > available ? <Link to="/payouts">See payouts</Link> : null,
              },
              { name: 'In the wallet', value: total, total: true },
            ]}
          />
        </Section>
        <Section title="Top up" lead="A bank transfer to this account is credited to the wallet.">
          <Facts
            facts={[
              ['Bank', wallet.bankName],
              ['Account number', <AccountNumber key="number" number={wallet.walletNumber} />],
              ['Name', wallet.accountName],
            ]}
          />
        </Section>
      </div>
    </>
  )
}

const dayQuery = ({ from, to }: Filters) => ({
  ...(from ? { startDate: `${from}T00:00:00+01:00` } : {}),
  ...(to ? { endDate: `${to}T00:00:00+01:00` } : {}),
})

function Statement({ accountNumber }: { readonly accountNumber: string }) {
  const [filters, filter] = useFilters()
  return (
    <Section
      title="Statement"
      lead="Every movement, with what was free after it. Days are whole days of West Africa Time."
    >
      <SavedViews list="wallet" />
      <FilterForm
        label="Filter the statement"
        filters={filters}
        onFilter={({ from = '', to = '' }) => filter({ from, to })}
      >
        <Field label="From" name="from" type="date" defaultValue={filters['from']} />
        <Field label="To" name="to" type="date" defaultValue={filters['to']} />
      </FilterForm>
      <RowList
        name="movements"
        id={['statement', accountNumber]}
        load={async ({ page = '0', ...days }) => {
          const found = await call<typeof getWalletStatement>('wallets.statement', {
            params: { accountNumber },
            query: { pageNo: page, pageSize: '25', ...dayQuery(days) },
          })
          return { content: found.content, page: found }
        }}
        rows={{ columns: COLUMNS, idOf: (row) => row.walletTransactionReference + row.transactionType }}
        empty={<Empty title="No movement in this time.">Top-ups, settlements, payouts and refunds move it.</Empty>}
      />
    </Section>
  )
}

export function WalletPage() {
  const person = useMe()
  const wallet = useWallet()
  return (
    <Page
      title="Wallet"
      lead="What you can pay out. Settlements and top-ups fill it."
      acts={
        may(person, 'payouts.send') ? (
          <Link className={classOfButton('main')} to="/payouts/new">
            New payout
          </Link>
        ) : null
      }
    >
      <Failed error={wallet.error} />
      {wallet.isLoading ? <Loading lines={4} /> : null}
      {wallet.allowed ? null : (
        <Notice title="Your role does not see the wallet.">Owners, finance, developers and auditors do.</Notice>
      )}
      {wallet.data ? (
        <>
          <Balance wallet={wallet.data} />
          <Statement accountNumber={wallet.data.walletNumber} />
        </>
      ) : null}
    </Page>
  )
}
