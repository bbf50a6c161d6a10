// One reserved account: its numbers, what it has taken, and from whom.
import type { getReservedAccount, listReservedTransactions } from '@cowrie/contract/collections/reserved-accounts'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useParam } from '../../address.ts'
import { call } from '../../api/call.ts'
import { koboOf } from '../../money.ts'
import { Money, State, When } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import { stateColumn, Tail, Up } from '../../parts/lists/cells.tsx'
import { Loaded, RowList } from '../../parts/lists/rows.tsx'
import { AccountNumber, LargeMoney } from '../../parts/money-box.tsx'
import { Empty, Facts, Page, Section } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { isoOf } from './moments.ts'
import { PAYMENT_WORDS, wordOf } from './words.ts'

type Account = ReplyOf<typeof getReservedAccount>
type Payment = ReplyOf<typeof listReservedTransactions>['content'][number]

const PAYMENTS: readonly Column<Payment>[] = [
  { head: 'Paid', end: true, cell: ({ amountPaid }) => <Money kobo={koboOf(amountPaid)} /> },
  stateColumn(({ paymentStatus }) => wordOf(PAYMENT_WORDS, paymentStatus)),
  {
    head: 'Payment',
    cell: ({ transactionReference }) => (
      <Link to="/payments/$reference" params={{ reference: transactionReference }}>
        <Tail text={transactionReference} />
      </Link>
    ),
  },
  { head: 'When, WAT', end: true, cell: ({ createdOn }) => <When at={isoOf(createdOn)} /> },
]

const NUMBERS: readonly Column<Account['accounts'][number]>[] = [
  { head: 'Number', plain: true, cell: ({ accountNumber }) => <AccountNumber number={accountNumber} /> },
  { head: 'Bank', cell: ({ bankName }) => bankName },
  { head: 'Name that the payer sees', cell: ({ accountName }) => accountName },
]

const Whole = ({ account }: { readonly account: Account }) => (
  <div className={layout['stack']}>
    <LargeMoney kobo={koboOf(account.totalAmount)}>
      {account.status === 'ACTIVE' ? <State tone="good">Takes money</State> : <State tone="off">No open invoice</State>}
    </LargeMoney>
    <p className={layout['soft']}>
      {account.transactionCount === 1 ? 'From one transfer.' : `From ${account.transactionCount} transfers.`}
    </p>
    <Table
      name="Numbers"
      columns={NUMBERS}
      rows={account.accounts}
      idOf={({ accountNumber, bankCode }) => bankCode + accountNumber}
    />
    <Facts
      facts={[
        [
          'Customer',
          `${account.customerName === '' ? account.accountName : account.customerName}, ${account.customerEmail}`,
        ],
        ['Identity number', account.bvn ?? account.nin ?? 'None'],
        ['Who may pay in', account.restrictPaymentSource ? 'Only the allowed accounts' : 'Anybody'],
        ['For', account.reservedAccountType === 'INVOICE' ? 'Open invoices' : 'Any transfer'],
        ['Reserved, WAT', <When key="c" at={isoOf(account.createdOn)} />],
        ['Contract', account.contractCode],
      ]}
    />
  </div>
)

export function OneAccount() {
  const reference = useParam('reference')
  const found = useQuery({
    queryKey: ['reserved-account', reference],
    queryFn: () => call<typeof getReservedAccount>('reservedAccounts.get', { params: { accountReference: reference } }),
  })
  return (
    <Page title="Reserved account" lead={<Up to="/accounts" word="Reserved accounts" here={reference} />}>
      <Loaded query={found}>
        {(account) => (
          <>
            <Whole account={account} />
            <Section title="Payments">
              <RowList
                name="payments"
                id={['reserved-payments', reference]}
                load={async ({ page = '0' }) => {
                  const got = await call<typeof listReservedTransactions>('reservedAccounts.transactions', {
                    query: { accountReference: reference, page, size: '50' },
                  })
                  return { content: got.content, page: got }
                }}
                rows={{ columns: PAYMENTS, idOf: ({ transactionReference }) => transactionReference }}
                empty={
                  <Empty title="Nothing was paid in yet.">Every transfer to one of the numbers stands here.</Empty>
                }
              />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}
