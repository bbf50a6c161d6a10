// One refund: where it is, where its money is, and what it is waiting for.
import type { authoriseRefund, getRefund, resendRefundCode } from '@cowrie/contract/payouts/refunds'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useParam } from '../../address.ts'
import { call } from '../../api/call.ts'
import { ASK_AGAIN_MS } from '../../clock.ts'
import { koboOf } from '../../money.ts'
import { When } from '../../parts/figures.tsx'
import { AccountNumber } from '../../parts/money-box.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Authorise } from '../../parts/sending/authorise.tsx'
import { Sent, SentPage } from '../../parts/sending/sent.tsx'
import { destinationOf, momentOf, type Refund, stateOf } from './states.ts'

function Now({ refund }: { readonly refund: Refund }) {
  const { authorization, refundStatus, comment, refundReference } = refund
  const params = { refundReference }
  if (authorization)
    return (
      <Authorise
        kind="REFUND"
        reference={refundReference}
        authorise={(authorizationCode, { key }) =>
          call<typeof authoriseRefund>('refunds.authorise', { params, body: { authorizationCode }, key })
        }
        resend={({ key }) => call<typeof resendRefundCode>('refunds.resendCode', { params, key })}
      />
    )
  if (refundStatus === 'COMPLETED')
    return (
      <Notice tone="good" title="Refunded.">
        The payer’s bank or card issuer has confirmed it. It may still be reversed.
      </Notice>
    )
  if (refundStatus === 'FAILED')
    return (
      <Notice tone="bad" title="Not refunded.">
        {comment} Amount and fee are back in your wallet.
      </Notice>
    )
  return (
    <Notice tone="unknown" title="At the bank. Neither paid nor failed.">
      {comment} Do not refund it again. Its money stays held until the bank says what became of it.
    </Notice>
  )
}

const PLACES = { PENDING: 'Held', COMPLETED: 'Left your wallet', FAILED: 'Back in your wallet' } as const

function Whole({ refund }: { readonly refund: Refund }) {
  const { transactionReference, destinationAccountNumber, completedOn } = refund
  return (
    <Sent
      amount={koboOf(refund.refundAmount)}
      fee={koboOf(refund.fee)}
      state={stateOf(refund)}
      now={<Now refund={refund} />}
      to="Refund"
      facts={[
        [
          'Of the payment',
          <Link key="payment" to="/payments/$reference" params={{ reference: transactionReference }}>
            {transactionReference}
          </Link>,
        ],
        ['How much of it', refund.refundType === 'FULL_REFUND' ? 'All of it' : 'A part'],
        ['To', destinationOf(refund)],
        ...(destinationAccountNumber
          ? [
              ['Bank', refund.destinationBankName ?? ''] as const,
              ['Account number', <AccountNumber key="number" number={destinationAccountNumber} />] as const,
            ]
          : []),
        ['Reason', refund.refundReason],
        ['Note to the payer', refund.customerNote],
        ['Asked for, WAT', <When key="when" at={momentOf(refund.createdOn)} />],
        ...(completedOn ? [['Ended, WAT', <When key="ended" at={momentOf(completedOn)} />] as const] : []),
        ['Your reference', refund.refundReference],
        ['Our reference', refund.reference],
      ]}
      place={PLACES[refund.refundStatus]}
    />
  )
}

export function RefundPage() {
  const refundReference = useParam('reference')
  const one = useQuery({
    queryKey: ['refund', refundReference],
    queryFn: () => call<typeof getRefund>('refunds.get', { params: { refundReference } }),
    refetchInterval: ({ state }) => (state.data?.refundStatus === 'PENDING' ? ASK_AGAIN_MS : false),
  })
  return (
    <SentPage title="Refund" list={['/refunds', 'All refunds']} one={one}>
      {(refund) => <Whole refund={refund} />}
    </SentPage>
  )
}
