// One payment link: its address, who paid, and pausing it. A link is never deleted.
import type { changePaymentLink, getPaymentLink } from '@cowrie/contract/collections/payment-links'
import type { ViewReplyOf } from '@cowrie/contract/kit/act'
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { listLinkPayments } from '@cowrie/contract/screens/collecting'
import { useQuery } from '@tanstack/react-query'
import { useParam } from '../../address.ts'
import { call, view } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { useDoing } from '../../doing/doing.tsx'
import { koboOf } from '../../money.ts'
import { Button } from '../../parts/button.tsx'
import { Money, State, When } from '../../parts/figures.tsx'
import layout from '../../parts/layout.module.css'
import { Named, stateColumn, Tail, Up } from '../../parts/lists/cells.tsx'
import { Loaded, RowList } from '../../parts/lists/rows.tsx'
import { LargeMoney } from '../../parts/money-box.tsx'
import { Failed } from '../../parts/notice.tsx'
import { Empty, Facts, Page, Section } from '../../parts/page.tsx'
import type { Column } from '../../parts/table.tsx'
import { Address } from './fields.tsx'
import { isoOf } from './moments.ts'
import { LINK_WORDS, PAYMENT_WORDS, wordOf } from './words.ts'

type PaymentLink = ReplyOf<typeof getPaymentLink>
type Payment = ViewReplyOf<typeof listLinkPayments>['content'][number]

const PAYMENTS: readonly Column<Payment>[] = [
  { head: 'Paid', end: true, cell: ({ amountPaid }) => <Money kobo={koboOf(amountPaid)} /> },
  stateColumn(({ paymentStatus }) => wordOf(PAYMENT_WORDS, paymentStatus)),
  {
    head: 'Payer',
    plain: true,
    cell: ({ customerName, transactionReference, paymentReference }) => (
      <Named
        to="/payments/$reference"
        params={{ reference: transactionReference }}
        name={customerName}
        below={<Tail text={paymentReference} />}
      />
    ),
  },
  { head: 'Asked for', end: true, cell: ({ amount }) => <Money kobo={koboOf(amount)} /> },
  { head: 'Started, WAT', end: true, cell: ({ createdAt }) => <When at={createdAt} /> },
]

const bounds = ({ minimumAmount, maximumAmount }: PaymentLink): readonly (readonly [string, bigint])[] => [
  ...(minimumAmount === null ? [] : [['At least', koboOf(minimumAmount)] as const]),
  ...(maximumAmount === null ? [] : [['At most', koboOf(maximumAmount)] as const]),
]

function Pausing({ link }: { readonly link: PaymentLink }) {
  const mayChange = may(useMe(), 'collections.write')
  const changing = useDoing((paused: boolean, { key }) =>
    call<typeof changePaymentLink>('paymentLinks.change', {
      params: { paymentLinkCode: link.paymentLinkCode },
      body: { paused },
      key,
    }),
  )
  const paused = link.status === 'PAUSED'
  if (link.status === 'USED' || link.status === 'EXPIRED')
    return (
      <p className={layout['soft']}>Pause: not needed. {link.status === 'USED' ? 'It was paid.' : 'It has ended.'}</p>
    )
  if (!mayChange) return <p className={layout['soft']}>Your role cannot pause it.</p>
  return (
    <>
      <div className={layout['acts']}>
        <Button busy={changing.busy} onClick={() => changing.go(!paused)}>
          {paused ? 'Resume' : 'Pause'}
        </Button>
      </div>
      <p className={layout['soft']}>
        {paused
          ? 'Nobody can start a payment until you resume it.'
          : 'Paused, nobody can start a payment. One that was started can be finished.'}
      </p>
      <Failed error={changing.error} />
      {changing.dialog}
    </>
  )
}

const Whole = ({ link }: { readonly link: PaymentLink }) => {
  const [tone, word] = wordOf(LINK_WORDS, link.status)
  return (
    <div className={layout['stack']}>
      {link.amount === null ? (
        <div className={layout['acts']}>
          <b>The payer chooses the amount</b>
          <State tone={tone}>{word}</State>
        </div>
      ) : (
        <LargeMoney kobo={koboOf(link.amount)}>
          <State tone={tone}>{word}</State>
        </LargeMoney>
      )}
      <Address url={link.paymentLinkUrl} />
      <Pausing link={link} />
      <Facts
        facts={[
          ...bounds(link).map(([name, kobo]) => [name, <Money key={name} kobo={kobo} />] as const),
          ['For', link.singleUse ? 'One payment' : 'Many payments'],
          ['Ends, WAT', link.expiryDate === null ? 'Never' : <When key="e" at={isoOf(link.expiryDate)} />],
          ['Made, WAT', <When key="c" at={isoOf(link.createdOn)} />],
          ['Contract', link.contractCode],
          ...(link.description === '' ? [] : [['More about it', link.description] as const]),
        ]}
      />
    </div>
  )
}

export function OneLink() {
  const code = useParam('code')
  const found = useQuery({
    queryKey: ['link', code],
    queryFn: () => call<typeof getPaymentLink>('paymentLinks.get', { params: { paymentLinkCode: code } }),
  })
  return (
    <Page title={found.data?.title ?? 'Payment link'} lead={<Up to="/links" word="Payment links" here={code} />}>
      <Loaded query={found}>
        {(link) => (
          <>
            <Whole link={link} />
            <Section title="Payments" lead="Everybody who started one, newest first.">
              <RowList
                name="payments"
                id={['link-payments', code]}
                load={({ before = '' }) =>
                  view<typeof listLinkPayments>('paymentLinks.payments', {
                    paymentLinkCode: code,
                    ...(before === '' ? {} : { before }),
                  })
                }
                rows={{ columns: PAYMENTS, idOf: ({ paymentReference }) => paymentReference }}
                empty={
                  <Empty title="Nobody has started a payment yet.">Hand out the address: whoever opens it pays.</Empty>
                }
              />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  )
}
