// A new invoice: who pays, how much, what for, by when. What is written on it line by line comes with the
// API.
import type { createInvoice } from '@cowrie/contract/collections/invoices'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { daysAhead } from '../../clock.ts'
import { useDoing } from '../../doing/doing.tsx'
import { Button } from '../../parts/button.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { Up } from '../../parts/lists/cells.tsx'
import { Failed } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import css from './collect.module.css'
import { ContractField } from './fields.tsx'
import { momentOf } from './moments.ts'

const DAYS = 14
/** A reference that nobody has used; whoever has their own writes it over. */
const newReference = (): string => `INV-${daysAhead(0).slice(0, 10)}-${crypto.randomUUID().slice(0, 4)}`

export function NewInvoice() {
  const navigate = useNavigate()
  const [reference] = useState(newReference)
  const making = useDoing(
    ({ expiryDate = '', ...given }: Readonly<Record<string, string>>, { key }) =>
      call<typeof createInvoice>('invoices.create', {
        key,
        body: {
          amount: given['amount'] ?? '',
          currencyCode: 'NGN',
          invoiceReference: given['invoiceReference'] ?? '',
          customerName: given['customerName'] ?? '',
          customerEmail: given['customerEmail'] ?? '',
          contractCode: given['contractCode'] ?? '',
          description: given['description'] ?? '',
          expiryDate: momentOf(expiryDate),
        },
      }),
    ({ invoiceReference }) => void navigate({ to: '/invoices/$reference', params: { reference: invoiceReference } }),
  )
  return (
    <Page title="New invoice" lead={<Up to="/invoices" word="Invoices" here="New" />}>
      <div className={css['narrow']}>
        <Form label="New invoice" onSend={making.go}>
          <ContractField />
          <Field label="Customer" name="customerName" required maxLength={200} autoComplete="off" />
          <Field label="E-mail address" name="customerEmail" type="email" required hint="The invoice is mailed here." />
          <Field label="What for" name="description" required maxLength={500} />
          <div className={css['pair']}>
            <Field label="Amount, naira" name="amount" inputMode="decimal" required autoComplete="off" />
            <Field
              label="Pay by, WAT"
              name="expiryDate"
              type="datetime-local"
              required
              defaultValue={daysAhead(DAYS)}
            />
          </div>
          <Field
            label="Your reference"
            name="invoiceReference"
            required
            defaultValue={reference}
            hint="Yours, or this one. It is never used twice."
          />
          <Failed error={making.error} />
          <Button look="main" submit busy={making.busy}>
            Send the invoice
          </Button>
        </Form>
      </div>
      {making.dialog}
    </Page>
  )
}
