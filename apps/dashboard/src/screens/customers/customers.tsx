// Customers: the box for an e-mail address, and whoever paid last. A customer is an address; no list of all
// of them is kept.
import type { searchTransactions } from '@cowrie/contract/collections/search'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { koboOf } from '../../money.ts'
import { Button } from '../../parts/button.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { Money, When } from '../../parts/figures.tsx'
import { Failed } from '../../parts/notice.tsx'
import { Empty, Loading, Page, Section } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import css from './customers.module.css'
import { isWhole, momentOf, type Payment } from './payments.ts'

const PAYMENTS = '100'

/** The last payment of each address. */
function latestOf(payments: readonly Payment[]): Payment[] {
  const latest = new Map<string, Payment>()
  for (const payment of payments) {
    const email = payment.customerDTO.email.toLowerCase()
    if (!latest.has(email)) latest.set(email, payment)
  }
  return [...latest.values()]
}

const COLUMNS: readonly Column<Payment>[] = [
  {
    head: 'Customer',
    plain: true,
    cell: ({ customerDTO: { email, name } }) => (
      <span>
        {isWhole(email) ? (
          <Link to="/customers/$email" params={{ email }}>
            {name === '' ? email : name}
          </Link>
        ) : (
          <b>{name === '' ? email : name}</b>
        )}
        {name === '' ? null : <small>{email}</small>}
      </span>
    ),
  },
  { head: 'Last payment, WAT', cell: ({ createdOn }) => <When at={momentOf(createdOn)} /> },
  { head: 'Amount', end: true, cell: ({ amount }) => <Money kobo={koboOf(amount)} /> },
]

export function Customers() {
  const navigate = useNavigate()
  const paid = useQuery({
    queryKey: ['transactions', 'latest payers'],
    queryFn: () =>
      call<typeof searchTransactions>('transactions.search', { query: { paymentStatus: 'PAID', size: PAYMENTS } }),
  })
  const latest = latestOf(paid.data?.content ?? [])
  return (
    <Page title="Customers" lead="Whoever paid you, or was asked to, by e-mail address.">
      <div className={css['find']}>
        <Form
          label="Find a customer"
          onSend={({ email = '' }) => void navigate({ to: '/customers/$email', params: { email: email.trim() } })}
        >
          <Field
            label="E-mail address"
            name="email"
            type="email"
            autoComplete="off"
            maxLength={254}
            hint="The whole address, in any case."
            required
          />
          <div>
            <Button look="main" submit>
              Open
            </Button>
          </div>
        </Form>
      </div>
      <Section title="Paid last" lead="Of the last hundred payments, each customer once.">
        <Failed error={paid.error} />
        {paid.isPending ? <Loading /> : null}
        {paid.data && latest.length === 0 ? (
          <Empty title="Nobody has paid yet.">With the first payment its customer stands here.</Empty>
        ) : null}
        {latest.length > 0 ? (
          <Table
            name="Customers who paid last"
            columns={COLUMNS}
            rows={latest}
            idOf={({ transactionReference }) => transactionReference}
          />
        ) : null}
      </Section>
    </Page>
  )
}
