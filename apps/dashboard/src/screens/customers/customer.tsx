// One customer: what they paid in all, their last payments, and what is kept under their address: cards,
// accounts, mandates.

import type { searchTransactions } from '@cowrie/contract/collections/search'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { getCustomer } from '@cowrie/contract/screens/customers'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useParam } from '../../address.ts'
import { call, Refused } from '../../api/call.ts'
import { koboOf } from '../../money.ts'
import { classOfButton } from '../../parts/button.tsx'
import { Money, State, type StateTone, When } from '../../parts/figures.tsx'
import { Failed } from '../../parts/notice.tsx'
import { Empty, Facts, Loading, Page, Section } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import css from './customers.module.css'
import { isWhole, momentOf, type Payment, stateOf } from './payments.ts'

type Customer = ReplyOf<typeof getCustomer>
type Card = Customer['cards'][number]
type Account = Customer['reservedAccounts'][number]
type Mandate = Customer['mandates'][number]

const PAYMENTS: readonly Column<Payment>[] = [
  {
    head: 'Payment',
    plain: true,
    cell: ({ transactionReference, paymentDescription }) => (
      <span>
        <Link to="/payments/$reference" params={{ reference: transactionReference }}>
          {paymentDescription === '' ? transactionReference : paymentDescription}
        </Link>
        <small>{transactionReference}</small>
      </span>
    ),
  },
  {
    head: 'State',
    cell: ({ paymentStatus }) => {
      const [tone, word] = stateOf(paymentStatus)
      return <State tone={tone}>{word}</State>
    },
  },
  { head: 'Made, WAT', cell: ({ createdOn }) => <When at={momentOf(createdOn)} /> },
  { head: 'Amount', end: true, cell: ({ amount }) => <Money kobo={koboOf(amount)} /> },
]

const CARDS: readonly Column<Card>[] = [
  {
    head: 'Card',
    plain: true,
    cell: ({ cardType, last4, bankName }) => (
      <span>
        <b>
          {cardType} …{last4}
        </b>
        <small>{bankName ?? 'Bank not known'}</small>
      </span>
    ),
  },
  { head: 'Ends', cell: ({ expMonth, expYear }) => `${expMonth}/${expYear}` },
  { head: 'Stored, WAT', end: true, cell: ({ createdOn }) => <When at={createdOn} /> },
]

const ACCOUNTS: readonly Column<Account>[] = [
  {
    head: 'Account',
    plain: true,
    cell: ({ accountReference, accountName }) => (
      <span>
        <Link to="/accounts/$reference" params={{ reference: accountReference }}>
          {accountName}
        </Link>
        <small>{accountReference}</small>
      </span>
    ),
  },
  {
    head: 'State',
    cell: ({ status }) => (status === 'RESERVED' ? <State tone="good">Open</State> : <State tone="off">Closed</State>),
  },
  { head: 'Opened, WAT', end: true, cell: ({ createdOn }) => <When at={createdOn} /> },
]

const MANDATE_STATES: Readonly<Record<Mandate['mandateStatus'], readonly [StateTone, string]>> = {
  INITIATED: ['wait', 'Waits for the customer'],
  ACTIVE: ['good', 'Active'],
  FAILED: ['bad', 'Declined'],
  EXPIRED: ['off', 'Expired'],
  CANCELLED: ['off', 'Cancelled'],
}
const MANDATES: readonly Column<Mandate>[] = [
  {
    head: 'Mandate',
    plain: true,
    cell: ({ mandateCode, mandateReference }) => (
      <span>
        <Link to="/mandates/$reference" params={{ reference: mandateReference }}>
          {mandateReference}
        </Link>
        <small>{mandateCode}</small>
      </span>
    ),
  },
  {
    head: 'State',
    cell: ({ mandateStatus }) => {
      const [tone, word] = MANDATE_STATES[mandateStatus]
      return <State tone={tone}>{word}</State>
    },
  },
  { head: 'Collected', end: true, cell: ({ debitedAmount }) => <Money kobo={koboOf(debitedAmount)} /> },
  {
    head: 'Up to',
    end: true,
    cell: ({ mandateAmount }) => (mandateAmount === null ? 'Any amount' : <Money kobo={koboOf(mandateAmount)} />),
  },
]

/** How many are not shown, where the gateway keeps more than it lists. */
const rest = (count: number, shown: number): string | undefined =>
  count > shown ? `The newest ${shown} of ${count.toLocaleString('en')}.` : undefined

function Kept<Row>({
  title,
  count,
  columns,
  rows,
  idOf,
  empty,
}: {
  readonly title: string
  readonly count: number
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly idOf: (row: Row) => string
  readonly empty: ReactNode
}): ReactNode {
  return (
    <Section title={title} lead={rest(count, rows.length)}>
      {rows.length === 0 ? (
        <Empty title="None.">{empty}</Empty>
      ) : (
        <Table name={title} columns={columns} rows={rows} idOf={idOf} />
      )}
    </Section>
  )
}

const Head = ({ customer }: { readonly customer: Customer }) => {
  const { customerNames, transactionCount, paidCount, paidAmount, firstTransactionOn, lastTransactionOn } = customer
  return (
    <>
      <p className={css['sum']}>
        <Money kobo={koboOf(paidAmount)} />
        <span>
          received in {paidCount.toLocaleString('en')} {paidCount === 1 ? 'payment' : 'payments'}
        </span>
      </p>
      <Facts
        facts={[
          ['E-mail address', customer.customerEmail],
          ...(customerNames.length > 1 ? [['Names given', customerNames.join(', ')] as const] : []),
          [
            'Asked to pay',
            `${transactionCount.toLocaleString('en')} times, ${paidCount.toLocaleString('en')} of them paid`,
          ],
          ['First, WAT', firstTransactionOn === null ? 'Never' : <When key="first" at={firstTransactionOn} />],
          ['Last, WAT', lastTransactionOn === null ? 'Never' : <When key="last" at={lastTransactionOn} />],
        ]}
      />
    </>
  )
}

function Latest({ email }: { readonly email: string }) {
  const list = useQuery({
    queryKey: ['transactions', 'of customer', email],
    queryFn: () => call<typeof searchTransactions>('transactions.search', { query: { customerEmail: email } }),
  })
  const total = list.data?.totalElements ?? 0
  const all = (
    <Link className={classOfButton('quiet', false, true)} to="/payments" search={{ email }}>
      All payments
    </Link>
  )
  return (
    <Section title="Payments" lead={rest(total, list.data?.content.length ?? 0)} acts={total > 0 ? all : null}>
      <Failed error={list.error} />
      {list.isPending ? <Loading /> : null}
      {list.data && total === 0 ? <Empty title="None.">This address was never asked for a payment.</Empty> : null}
      {list.data && total > 0 ? (
        <Table
          name="Payments"
          columns={PAYMENTS}
          rows={list.data.content}
          idOf={({ transactionReference }) => transactionReference}
        />
      ) : null}
    </Section>
  )
}

const Unknown = ({ email }: { readonly email: string }) => (
  <Empty title={`Nobody is known as ${email}.`}>
    {isWhole(email)
      ? 'With a payment, a stored card, a reserved account or a mandate under this address the customer stands here.'
      : 'Your role sees addresses in part. Ask for the whole address, and look for that.'}
  </Empty>
)

export function CustomerPage() {
  const email = useParam('email')
  const found = useQuery({
    queryKey: ['customer', email],
    queryFn: () => call<typeof getCustomer>('customers.get', { params: { email } }),
  })
  const unknown = found.error instanceof Refused && found.error.code === 'CUSTOMER_NOT_FOUND'
  const customer = found.data
  return (
    <Page title={customer?.customerName ?? email} lead={<Link to="/customers">All customers</Link>}>
      {unknown ? <Unknown email={email} /> : <Failed error={found.error} />}
      {found.isPending ? <Loading /> : null}
      {customer ? (
        <>
          <Head customer={customer} />
          <Latest email={email} />
          <Kept
            title="Stored cards"
            count={customer.cardCount}
            columns={CARDS}
            rows={customer.cards}
            idOf={({ cardToken, createdOn, last4 }) => `${cardToken} ${createdOn} ${last4}`}
            empty="A card that pays is stored if the customer agrees; it can then be charged again."
          />
          <Kept
            title="Reserved accounts"
            count={customer.reservedAccountCount}
            columns={ACCOUNTS}
            rows={customer.reservedAccounts}
            idOf={({ accountReference }) => accountReference}
            empty="An account number of their own, for transfers at any time."
          />
          <Kept
            title="Mandates"
            count={customer.mandateCount}
            columns={MANDATES}
            rows={customer.mandates}
            idOf={({ mandateCode }) => mandateCode}
            empty="A mandate lets you collect from their bank account."
          />
        </>
      ) : null}
    </Page>
  )
}
