// Invoices, newest first.
import type { listInvoices } from '@cowrie/contract/collections/invoices'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { Link } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { koboOf } from '../../money.ts'
import { classOfButton } from '../../parts/button.tsx'
import { Money, State, When } from '../../parts/figures.tsx'
import type { Column } from '../../parts/table.tsx'
import css from './collect.module.css'
import { Empty, ListPage } from './listing.tsx'
import { isoOf } from './moments.ts'
import { INVOICE_WORDS, wordOf } from './words.ts'

type Invoice = ReplyOf<typeof listInvoices>['content'][number]

const COLUMNS: readonly Column<Invoice>[] = [
  { head: 'Amount', end: true, cell: ({ amount }) => <Money kobo={koboOf(amount)} /> },
  {
    head: 'State',
    cell: ({ invoiceStatus }) => {
      const [tone, word] = wordOf(INVOICE_WORDS, invoiceStatus)
      return <State tone={tone}>{word}</State>
    },
  },
  {
    head: 'Customer',
    plain: true,
    cell: ({ customerName, description, invoiceReference }) => (
      <span>
        <Link to="/invoices/$reference" params={{ reference: invoiceReference }}>
          <b className={css['cut']} title={customerName}>
            {customerName}
          </b>
        </Link>
        <small className={css['cut']} title={description}>
          {description}
        </small>
      </span>
    ),
  },
  { head: 'Reference', cell: ({ invoiceReference }) => <span className={css['cut']}>{invoiceReference}</span> },
  { head: 'Still due', end: true, cell: ({ amountDue }) => <Money kobo={koboOf(amountDue)} /> },
  { head: 'Pay by, WAT', end: true, cell: ({ expiryDate }) => <When at={isoOf(expiryDate)} /> },
]

export function Invoices() {
  const mayAsk = may(useMe(), 'collections.write')
  return (
    <ListPage
      title="Invoices"
      lead="The customer is mailed the invoice, with an account to pay to and a page to pay on."
      acts={
        mayAsk ? (
          <Link className={classOfButton('main')} to="/invoices/new">
            New invoice
          </Link>
        ) : null
      }
      name="invoices"
      id={['invoices']}
      load={async ({ page = '0' }) => {
        const found = await call<typeof listInvoices>('invoices.list', { query: { page, size: '50' } })
        return { content: found.content, page: found }
      }}
      columns={COLUMNS}
      idOf={({ invoiceReference }) => invoiceReference}
      empty={
        <Empty title="There are no invoices yet.">
          {mayAsk ? 'Make one here, or by the API.' : 'They stand here once somebody has made one.'}
        </Empty>
      }
    />
  )
}
