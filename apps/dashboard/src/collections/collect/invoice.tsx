// One invoice: what is asked for, what was paid, where to pay, and what can be done with it now.
import type { cancelInvoice, getInvoice } from '@cowrie/contract/collections/invoices'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useParam } from '../../address.ts'
import { call } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { useDoing } from '../../doing/doing.tsx'
import { koboOf } from '../../money.ts'
import { Button, classOfButton } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Money, State, When } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import { Tail, Up } from '../../parts/lists/cells.tsx'
import { Loaded } from '../../parts/lists/rows.tsx'
import { AccountNumber, LargeMoney, Sum } from '../../parts/money-box.tsx'
import { Failed } from '../../parts/notice.tsx'
import { Facts, Page, Section } from '../../parts/page.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import css from './collect.module.css'
import { Address } from './fields.tsx'
import { isoOf } from './moments.ts'
import { INVOICE_WORDS, wordOf } from './words.ts'

type Invoice = ReplyOf<typeof getInvoice>
type Line = Invoice['lineItems'][number]

const LINES: readonly Column<Line>[] = [
  { head: 'What', plain: true, cell: ({ description }) => description },
  { head: 'Quantity', end: true, cell: ({ quantity }) => quantity },
  { head: 'Each', end: true, cell: ({ unitAmount }) => <Money kobo={koboOf(unitAmount)} /> },
  { head: 'Amount', end: true, cell: ({ amount }) => <Money kobo={koboOf(amount)} /> },
]

function Cancel({ invoice }: { readonly invoice: Invoice }) {
  const [open, setOpen] = useState(false)
  const { invoiceReference, invoiceStatus, customerName, amount } = invoice
  const cancelling = useDoing(
    (reference: string, { key }) =>
      call<typeof cancelInvoice>('invoices.cancel', { params: { invoiceReference: reference }, key }),
    () => setOpen(false),
  )
  if (!may(useMe(), 'collections.write')) return null
  if (invoiceStatus !== 'PENDING')
    return (
      <p className={layout['soft']}>
        Cancel: not possible. {invoiceStatus === 'PAID' ? 'It is paid. Refund the payment instead.' : 'It has ended.'}
      </p>
    )
  return (
    <>
      <Button look="bad" onClick={() => setOpen(true)}>
        Cancel the invoice
      </Button>
      {open ? (
        <Dialog title="Cancel this invoice?" closeWord="Keep it" onClose={() => setOpen(false)}>
          <p>
            <Money kobo={koboOf(amount)} /> from {customerName}. It takes no more payments, and the customer is mailed.
            A part that was paid stays with you.
          </p>
          <Failed error={cancelling.error} />
          <Button look="main" busy={cancelling.busy} onClick={() => cancelling.go(invoiceReference)}>
            Cancel the invoice
          </Button>
        </Dialog>
      ) : null}
      {cancelling.dialog}
    </>
  )
}

const Paying = ({ invoice }: { readonly invoice: Invoice }) => (
  <Section title="How it is paid">
    <div className={layout['stack']}>
      <Address url={invoice.checkoutUrl} />
      <div className={layout['acts']}>
        <a className={classOfButton()} href={`${invoice.checkoutUrl}/invoice`} target="_blank" rel="noreferrer">
          Printable invoice
        </a>
        <a className={classOfButton()} href={`${invoice.checkoutUrl}/invoice.pdf`} target="_blank" rel="noreferrer">
          PDF
        </a>
      </div>
      {invoice.accountNumber === null ? (
        <p className={layout['soft']}>It cannot be paid by transfer.</p>
      ) : (
        <Facts
          facts={[
            ['Account number', <AccountNumber key="n" number={invoice.accountNumber} />],
            ['Bank', invoice.bankName],
            ['Name that the payer sees', invoice.accountName],
          ]}
        />
      )}
    </div>
  </Section>
)

const Whole = ({ invoice }: { readonly invoice: Invoice }) => {
  const [tone, word] = wordOf(INVOICE_WORDS, invoice.invoiceStatus)
  const rest = koboOf(invoice.amount) - koboOf(invoice.amountPaid)
  return (
    <>
      <LargeMoney kobo={koboOf(invoice.amount)}>
        <State tone={tone}>{word}</State>
      </LargeMoney>
      <p className={css['text']}>
        {invoice.customerName} · {invoice.description}
      </p>
      <Section title="Money">
        <div className={css['money']}>
          <Sum
            lines={[
              { name: 'Asked for', value: koboOf(invoice.amount) },
              { name: 'Paid', value: -koboOf(invoice.amountPaid) },
              {
                name: rest < 0n ? 'Paid above it' : invoice.invoiceStatus === 'PENDING' ? 'Still due' : 'Not paid',
                value: rest < 0n ? -rest : rest,
                total: true,
              },
            ]}
          />
          <div>
            <Cancel invoice={invoice} />
          </div>
        </div>
      </Section>
      {invoice.lineItems.length > 0 ? (
        <Section title="Lines">
          <Table name="Lines" columns={LINES} rows={invoice.lineItems} idOf={({ description }) => description} />
        </Section>
      ) : null}
      {invoice.invoiceStatus === 'PENDING' ? <Paying invoice={invoice} /> : null}
      <Section title="About it">
        <Facts
          facts={[
            ['Your reference', invoice.invoiceReference],
            ['Customer', `${invoice.customerName}, ${invoice.customerEmail}`],
            ['Made, WAT', <When key="c" at={isoOf(invoice.createdOn)} />],
            ['Pay by, WAT', <When key="e" at={isoOf(invoice.expiryDate)} />],
            [
              'Payment',
              <Link key="p" to="/payments/$reference" params={{ reference: invoice.transactionReference }}>
                <Tail text={invoice.transactionReference} />
              </Link>,
            ],
            ['Contract', invoice.contractCode],
          ]}
        />
      </Section>
    </>
  )
}

export function OneInvoice() {
  const reference = useParam('reference')
  const found = useQuery({
    queryKey: ['invoice', reference],
    queryFn: () => call<typeof getInvoice>('invoices.get', { params: { invoiceReference: reference } }),
  })
  return (
    <Page title="Invoice" lead={<Up to="/invoices" word="Invoices" here={reference} />}>
      <Loaded query={found}>{(invoice) => <Whole invoice={invoice} />}</Loaded>
    </Page>
  )
}
