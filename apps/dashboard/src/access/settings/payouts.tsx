// Payouts: from which amount a second person is needed, and when a low balance is reported.

import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { getDisbursementSettings, putDisbursementSettings } from '@cowrie/contract/wallets/disbursement-settings'
import type { setApprovalAbove } from '@cowrie/contract/wallets/second-person'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { act, call } from '../../api/call.ts'
import { useDoing } from '../../doing/doing.tsx'
import { koboOf } from '../../money.ts'
import { Button } from '../../parts/button.tsx'
import { Field, Form } from '../../parts/field.tsx'
import { Money } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Facts, Loading, Section } from '../../parts/page.tsx'
import css from './settings.module.css'

type PayoutSettings = ReplyOf<typeof getDisbursementSettings>
type Values = Readonly<Record<string, string>>

/** Empty: none. */
const amountIn = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text)

function LowBalance({ settings }: { readonly settings: PayoutSettings }) {
  const doing = useDoing(({ threshold }: Values, { key }) =>
    call<typeof putDisbursementSettings>('disbursementSettings.put', {
      body: { lowBalanceThreshold: amountIn(threshold) },
      key,
    }),
  )
  return (
    <Form onSend={doing.go} label="Low balance">
      <Field
        label="Report when the wallet falls below, naira"
        name="threshold"
        type="number"
        min={0}
        step="0.01"
        defaultValue={settings.lowBalanceThreshold ?? ''}
        hint="Empty: never."
      />
      <Failed error={doing.error} />
      {doing.result ? <Notice tone="good">Changed.</Notice> : null}
      <div>
        <Button submit busy={doing.busy}>
          Change the threshold
        </Button>
      </div>
      {doing.dialog}
    </Form>
  )
}

function SecondPerson({ settings }: { readonly settings: PayoutSettings }) {
  const doing = useDoing(({ above, day, account, reason = '' }: Values, { proof }) => {
    return act<typeof setApprovalAbove>('payouts.approvalAbove', {
      input: {
        approvalAbove: amountIn(above),
        approvalAboveDay: amountIn(day),
        approvalAboveNewAccount: amountIn(account),
      },
      ...(reason === '' ? {} : { reason }),
      ...(proof ? { proof } : {}),
    })
  })
  const waits = doing.result?.outcome === 'WAITING'
  return (
    <Form onSend={doing.go} label="Second person">
      <Field
        label="A second person is needed above, naira"
        name="above"
        type="number"
        min={0}
        step="0.01"
        defaultValue={settings.approvalAbove ?? ''}
        hint="Of one payout, batch or refund. Empty: for none. Raising or removing an amount needs a second person itself."
      />
      <Field
        label="For what leaves in a day above, naira"
        name="day"
        type="number"
        min={0}
        step="0.01"
        defaultValue={settings.approvalAboveDay ?? ''}
        hint="All payouts, refunds, paycodes and bills of a day together. Empty: no such amount."
      />
      <Field
        label="For a new account above, naira"
        name="account"
        type="number"
        min={0}
        step="0.01"
        defaultValue={settings.approvalAboveNewAccount ?? ''}
        hint="An account is new until 72 hours after you first paid it, or until a second person has let money go there. Empty: no such amount."
      />
      <Field label="Why" name="reason" maxLength={500} hint="Kept in the audit trail; needed to raise it." />
      <Failed error={doing.error} />
      {waits ? (
        <Notice tone="calm" title="It waits for a second person.">
          <Link to="/approvals">See what waits</Link>
        </Notice>
      ) : null}
      {doing.result && !waits ? <Notice tone="good">Changed.</Notice> : null}
      <div>
        <Button submit busy={doing.busy}>
          Change the amounts
        </Button>
      </div>
      {doing.dialog}
    </Form>
  )
}

const amountOrNone = (naira: number | null) => (naira === null ? 'None' : <Money kobo={koboOf(naira)} />)

export function Payouts({ canWrite }: { readonly canWrite: boolean }) {
  const found = useQuery({
    queryKey: ['disbursement settings'],
    queryFn: () => call<typeof getDisbursementSettings>('disbursementSettings.get'),
  })
  const settings = found.data
  return (
    <Section title="Payouts" lead="What may leave the wallet, and who has to agree.">
      <Failed error={found.error} />
      {found.isPending ? <Loading /> : null}
      {settings ? (
        <div className={css['narrow']}>
          <Facts
            facts={[
              ['Payouts', settings.approved ? 'Enabled by the operator' : 'Not enabled: ask the operator'],
              ['Code by mail', settings.otpEnabled ? 'Needed for each payout and batch' : 'Not needed'],
              ['One payout, at most', <Money key="one" kobo={koboOf(settings.perTransferLimit)} />],
              ['A day, at most', <Money key="day" kobo={koboOf(settings.perDayLimit)} />],
              ['Sent today', <Money key="sent" kobo={koboOf(settings.spentToday)} />],
              ['Second person above', amountOrNone(settings.approvalAbove)],
              ['In a day above', amountOrNone(settings.approvalAboveDay)],
              ['For a new account above', amountOrNone(settings.approvalAboveNewAccount)],
              ['Low balance below', amountOrNone(settings.lowBalanceThreshold)],
              ['Asked at', settings.approvalUrl ?? 'Your server is not asked'],
            ]}
          />
          {canWrite && settings.approved ? (
            <>
              <SecondPerson settings={settings} />
              <LowBalance settings={settings} />
            </>
          ) : null}
          <p className={layout['soft']}>
            The code by mail and the address that is asked are changed with the key pair itself:{' '}
            <a href="/docs">API reference</a>, Transfer settings.
          </p>
        </div>
      ) : null}
    </Section>
  )
}
