// Invoices, newest first.
import type { listInvoices } from '@cowrie/contract/collections/invoices'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { Link } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { koboOf } from '../../money.ts'
import { classOfButton } from '../../parts/button.tsx'
import { Money, When } from '../../parts/figures.tsx'
import { Cut, Named, stateColumn } from '../../parts/lists/cells.tsx'
import { ListScreen } from '../../parts/lists/list-screen.tsx'
import { useRows } from '../../parts/lists/rows.tsx'
import { Empty } from '../../parts/page.tsx'
import type { Column } from '../../parts/table.tsx'
import { isoOf } from './moments.ts'
import { INVOICE_WORDS, wordOf } from './words.ts'

type Invoice = ReplyOf<typeof listInvoices>['content'][number]

const COLUMNS: readonly Column<Invoice>[] = [
  { head: 'Amount', end: true, cell: ({ amount }) => <Money kobo={koboOf(amount)} /> },
  stateColumn(({ invoiceStatus }) => wordOf(INVOICE_WORDS, invoiceStatus)),
  {
    head: 'Customer',
    plain: true,
    cell: ({ customerName, description, invoiceReference: reference }) => (
      <Named to="/invoices/$reference" params={{ reference }} name={customerName} below={<Cut text={description} />} />
    ),
  },
  { head: 'Reference', cell: ({ invoiceReference }) => <Cut text={invoiceReference} /> },
  { head: 'Still due', end: true, cell: ({ amountDue }) => <Money kobo={koboOf(amountDue)} /> },
  { head: 'Pay by, WAT', end: true, cell: ({ expiryDate }) => <When at={isoOf(expiryDate)} /> },
]

export function Invoices() {
  const mayAsk = may(useMe(), 'collections.write')
  const list = useRows(['invoices'], async ({ page = '0' }) => {
    const found = await call<typeof listInvoices>('invoices.list', { query: { page, size: '50' } })
    return { content: found.content, page: found }
  })
  return (
    <ListScreen
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
      list={list}
      rows={{ columns: COLUMNS, idOf: ({ invoiceReference }) => invoiceReference }}
      empty={
        <Empty title="There are no invoices yet.">
          {mayAsk ? 'Make one here, or by the API.' : 'They stand here once somebody has made one.'}
        </Empty>
      }
    />
  )
}
