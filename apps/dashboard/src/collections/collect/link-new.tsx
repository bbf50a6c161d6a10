// A new payment link, with what the payer will see of it beside the form.
import type { createPaymentLink } from '@cowrie/contract/collections/payment-links'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useMe } from '../../api/session.ts'
import { useDoing } from '../../doing/doing.tsx'
import { koboOfText } from '../../money.ts'
import { Button } from '../../parts/button.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { Money } from '../../parts/figures.tsx'
import { Up } from '../../parts/lists/cells.tsx'
import { Failed } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import css from './collect.module.css'
import { CheckField, ContractField } from './fields.tsx'
import { momentOf } from './moments.ts'

type Given = Readonly<Record<string, string>>
const bodyOf = (given: Given) => {
  const { amount = '', minimumAmount = '', maximumAmount = '', expiryDate = '', description = '' } = given
  return {
    title: given['title'] ?? '',
    currencyCode: 'NGN',
    contractCode: given['contractCode'] ?? '',
    singleUse: given['singleUse'] === 'yes',
    ...(description === '' ? {} : { description }),
    ...(amount === '' ? {} : { amount }),
    ...(minimumAmount === '' ? {} : { minimumAmount }),
    ...(maximumAmount === '' ? {} : { maximumAmount }),
    ...(expiryDate === '' ? {} : { expiryDate: momentOf(expiryDate) }),
  }
}

const Preview = ({ title, amount }: { readonly title: string; readonly amount: string }) => {
  const { merchant } = useMe()
  return (
    <section className={css['preview']} aria-label="What the payer sees">
      <h2>What the payer sees</h2>
      <p>{merchant?.name}</p>
      <b>{title === '' ? 'What is paid for' : title}</b>
      <p>{/^\d+(\.\d\d?)?$/.test(amount) ? <Money kobo={koboOfText(amount)} /> : 'The payer chooses the amount.'}</p>
      <p>{`${window.location.origin}/pay/CWPL…`}</p>
      <p>The address gets its code when the link is made.</p>
    </section>
  )
}

export function NewLink() {
  const navigate = useNavigate()
  const [title, setTitle] = useState('')
  const [amount, setAmount] = useState('')
  const making = useDoing(
    (given: Given, { key }) => call<typeof createPaymentLink>('paymentLinks.create', { key, body: bodyOf(given) }),
    ({ paymentLinkCode }) => void navigate({ to: '/links/$code', params: { code: paymentLinkCode } }),
  )
  return (
    <Page title="New payment link" lead={<Up to="/links" word="Payment links" here="New" />}>
      <div className={css['split']}>
        <Form label="New payment link" onSend={making.go}>
          <ContractField />
          <Field
            label="What is paid for"
            name="title"
            required
            maxLength={100}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
          />
          <Field
            label="Amount, naira"
            name="amount"
            inputMode="decimal"
            value={amount}
            onChange={(event) => setAmount(event.target.value)}
            hint="Left empty: the payer chooses."
          />
          {amount === '' ? (
            <div className={css['pair']}>
              <Field label="At least, naira" name="minimumAmount" inputMode="decimal" hint="₦20 if left empty." />
              <Field label="At most, naira" name="maximumAmount" inputMode="decimal" hint="No limit if left empty." />
            </div>
          ) : null}
          <Field label="More about it" name="description" maxLength={500} />
          <Field label="Ends, WAT" name="expiryDate" type="datetime-local" hint="Never, if left empty." />
          <CheckField name="singleUse" label="For one payment only" />
          <Failed error={making.error} />
          <Button look="main" submit busy={making.busy}>
            Make the link
          </Button>
        </Form>
        <Preview title={title} amount={amount} />
      </div>
      {making.dialog}
    </Page>
  )
}
