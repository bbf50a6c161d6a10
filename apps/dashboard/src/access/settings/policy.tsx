// The payment policy: what is done with transfers that are too little, too much, late or from a barred payer.
import type { getPaymentPolicy, putPaymentPolicy } from '@cowrie/contract/collections/payment-policy'
import type { BodyOf, ReplyOf } from '@cowrie/contract/kit/spec'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { useDoing } from '../../doing/doing.tsx'
import { Button } from '../../parts/button.tsx'
import { Select } from '../../parts/choice.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Loading, Section } from '../../parts/page.tsx'
import css from './settings.module.css'

type PolicyRecord = ReplyOf<typeof getPaymentPolicy>
type NewPolicy = BodyOf<typeof putPaymentPolicy>
type Values = Readonly<Record<string, string>>

const RETURN = ['RETURN', 'Send it back to the payer'] as const
const HOLD = ['HOLD', 'Hold it for seven days: you decide, else it goes back'] as const
const LESS = [
  ['COMPLETE', 'Take it: the payment is paid in part'],
  ['TOP_UP', 'Take it, and more until the payment expires'],
  RETURN,
  HOLD,
] as const
const MORE = [['COMPLETE', 'Take it: the payment is overpaid'], RETURN, HOLD] as const
const EXTRA = [RETURN, HOLD] as const

/** Barred payers are one in a line: bank code and account number. */
const linesOf = (payers: PolicyRecord['barredPayers']): string =>
  payers.map(({ bankCode, accountNumber }) => `${bankCode} ${accountNumber}`).join(', ')
const payersIn = (text: string): NewPolicy['barredPayers'] =>
  text
    .split(',')
    .map((one) => one.trim().split(/\s+/))
    .flatMap(([bankCode = '', accountNumber = '']) => (bankCode === '' ? [] : [{ bankCode, accountNumber }]))

function Change({ policy, canWrite }: { readonly policy: PolicyRecord; readonly canWrite: boolean }) {
  const doing = useDoing((values: Values, { key }) =>
    call<typeof putPaymentPolicy>('paymentPolicy.put', {
      body: {
        less: values['less'] as NewPolicy['less'],
        more: values['more'] as NewPolicy['more'],
        extra: values['extra'] as NewPolicy['extra'],
        tolerance: values['tolerance'] ?? '0',
        barredPayers: payersIn(values['barred'] ?? ''),
      },
      key,
    }),
  )
  return (
    <div className={css['narrow']}>
      <Form onSend={doing.go} label="Payment policy">
        <Select label="Too little" name="less" options={LESS} defaultValue={policy.less} disabled={!canWrite} />
        <Select label="Too much" name="more" options={MORE} defaultValue={policy.more} disabled={!canWrite} />
        <Select
          label="Twice, late, or from a barred payer"
          name="extra"
          options={EXTRA}
          defaultValue={policy.extra}
          disabled={!canWrite}
        />
        <Field
          label="Difference that is forgiven, naira"
          name="tolerance"
          type="number"
          min={0}
          max={1000}
          step="0.01"
          defaultValue={policy.tolerance}
          hint="Up to this a payment counts as paid; never more than a tenth of it."
          disabled={!canWrite}
          required
        />
        <Field
          label="Barred payers"
          name="barred"
          defaultValue={linesOf(policy.barredPayers)}
          hint="Bank code and account number, several with a comma: 058 0123456789, 057 0001112223. Their money never counts."
          disabled={!canWrite}
        />
        <Failed error={doing.error} />
        {doing.result ? <Notice tone="good">Changed. It counts for transfers from now on.</Notice> : null}
        {canWrite ? (
          <div>
            <Button submit busy={doing.busy}>
              Change the policy
            </Button>
          </div>
        ) : null}
      </Form>
      {doing.dialog}
    </div>
  )
}

export function Policy({ canWrite }: { readonly canWrite: boolean }) {
  const policy = useQuery({
    queryKey: ['payment policy'],
    queryFn: () => call<typeof getPaymentPolicy>('paymentPolicy.get'),
  })
  return (
    <Section title="Money that does not fit" lead="A transfer is not always what was asked for.">
      <Failed error={policy.error} />
      {policy.isPending ? <Loading /> : null}
      {policy.data ? <Change policy={policy.data} canWrite={canWrite} /> : null}
    </Section>
  )
}
