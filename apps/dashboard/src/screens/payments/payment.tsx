// The page of one payment: how much, what became of it, where the money went, everything that happened, and
// what can be done now.
import type { PaymentView, showPayment } from '@cowrie/contract/screens/payments'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useParam } from '../../address.ts'
import { view } from '../../api/call.ts'
import { koboOf, nairaOf } from '../../money.ts'
import { classOfButton } from '../../parts/button.tsx'
import { Money, State, When } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import { Failed } from '../../parts/notice.tsx'
import { Loading, Page } from '../../parts/page.tsx'
import { WhatYouCanDo } from './can.tsx'
import { MoneyBox } from './money-box.tsx'
import css from './payment.module.css'
import { Timeline } from './timeline.tsx'
import { methodOf, stateOf } from './words.ts'

const LOOK_EVERY_MS = 20_000

const payerOf = ({ payment }: PaymentView): string => payment.customer.name || payment.customer.email
/** `exactly, by transfer from …`: only what is known. */
function Lead({ page }: { readonly page: PaymentView }): ReactNode {
  const { payment, flagged, closedAt, createdAt } = page
  const [tone, word] = stateOf(payment.paymentStatus, flagged)
  const paid = koboOf(payment.amountPaid) > 0n
  return (
    <span className={css['lead']}>
      <State tone={tone}>{word}</State>
      <span>
        {paid ? `by ${methodOf(payment.paymentMethod).toLowerCase()} from ` : 'asked of '}
        <b>{payerOf(page)}</b>, <When at={paid ? (closedAt ?? createdAt) : createdAt} zone />
      </span>
    </span>
  )
}

const Strip = ({ page: { payment, checkoutUrl, page } }: { readonly page: PaymentView }) => (
  <dl className={css['strip']}>
    <div>
      <dt>Transaction</dt>
      <dd>{payment.transactionReference}</dd>
    </div>
    <div>
      <dt>Your reference</dt>
      <dd>
        <b>{payment.paymentReference}</b>
      </dd>
    </div>
    <div>
      <dt>E-mail</dt>
      <dd>{payment.customer.email}</dd>
    </div>
    <div>
      <dt>For</dt>
      <dd>{payment.paymentDescription || 'Nothing was said'}</dd>
    </div>
    {checkoutUrl === null ? null : (
      <div>
        <dt>Checkout page</dt>
        <dd>
          <a href={checkoutUrl}>Open</a>
        </dd>
      </div>
    )}
    {page === null ? null : (
      <div>
        <dt>Opened on</dt>
        <dd>
          {page.origin === 'null' ? 'A page without an address' : `${page.origin}${page.path}`}
          {page.namedAmount ? '. The page named the amount: compare it with the order' : ''}
        </dd>
      </div>
    )}
  </dl>
)

const Crumbs = ({ reference }: { readonly reference: string }) => (
  <nav className={css['crumbs']} aria-label="Where this is">
    <Link to="/payments">Payments</Link> <span aria-hidden="true">›</span> <span>{reference.split('|').at(-1)}</span>
  </nav>
)

function Whole({ page }: { readonly page: PaymentView }) {
  const { reference } = { reference: page.payment.transactionReference }
  const refund = page.can.find(({ what, possible }) => what === 'REFUND' && possible)
  return (
    <Page
      title={`${nairaOf(page.money.asked)} from ${payerOf(page)}`}
      heading={
        <span className={css['amount']}>
          <Money kobo={koboOf(page.money.asked)} />
          <span className={layout['unseen']}> from {payerOf(page)}</span>
        </span>
      }
      lead={<Lead page={page} />}
      acts={
        refund ? (
          <Link className={classOfButton('main')} to="/refunds/new" search={{ transactionReference: reference }}>
            Refund…
          </Link>
        ) : null
      }
    >
      <Strip page={page} />
      <div className={css['columns']}>
        <Timeline page={page} />
        <div className={css['side']}>
          <MoneyBox page={page} />
          <WhatYouCanDo page={page} />
        </div>
      </div>
    </Page>
  )
}

export function Payment() {
  const reference = useParam('reference')
  const shown = useQuery({
    queryKey: ['payments', 'one', reference],
    queryFn: () => view<typeof showPayment>('payments.show', { reference }),
    // While it takes money it may change without anybody here doing anything.
    refetchInterval: ({ state }) => (state.data?.checkoutUrl ? LOOK_EVERY_MS : false),
  })
  return (
    <div className={css['screen']}>
      <Crumbs reference={reference} />
      {shown.data ? (
        <Whole page={shown.data} />
      ) : (
        <Page title="Payment" lead={reference}>
          <Failed
            error={shown.error}
            sayings={{ TRANSACTION_NOT_FOUND: 'Look at the reference, or find the payment in the list.' }}
          />
          {shown.isPending ? <Loading lines={8} /> : null}
        </Page>
      )}
    </div>
  )
}
