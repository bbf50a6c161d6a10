// One payout: where it is, where its money is, and what happens next. What is not known is said so, with the
// next question to the bank.
import type { authoriseTransfer, getTransfer, resendTransferCode } from '@cowrie/contract/payouts/disbursements'
import { useQuery } from '@tanstack/react-query'
import { useParam } from '../../address.ts'
import { call } from '../../api/call.ts'
import { ASK_AGAIN_MS } from '../../clock.ts'
import { koboOf } from '../../money.ts'
import { Money, When } from '../../parts/figures.tsx'
import { AccountNumber } from '../../parts/money-box.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { Authorise } from '../../parts/sending/authorise.tsx'
import { TwoNames } from '../../parts/sending/names.tsx'
import { Sent, SentPage } from '../../parts/sending/sent.tsx'
import { isOver, type Payout, stateOf, waitsForSomebody } from './states.ts'

const bankOf = ({ destinationBankName, destinationBankCode }: Payout): string =>
  destinationBankName ?? `Bank ${destinationBankCode}`

const askedWord = (questions: number): string =>
  questions === 0
    ? 'It took the order and has not said what became of it.'
    : `We have asked ${questions === 1 ? 'once' : `${questions} times`}.`

function Now({ payout }: { readonly payout: Payout }) {
  const { status, inquiry, reference, transactionDescription } = payout
  if (waitsForSomebody(status))
    return (
      <Authorise
        kind="TRANSFER"
        reference={reference}
        authorise={(authorizationCode, { key }) =>
          call<typeof authoriseTransfer>('transfers.authorise', { body: { reference, authorizationCode }, key })
        }
        resend={({ key }) => call<typeof resendTransferCode>('transfers.resendCode', { body: { reference }, key })}
      />
    )
  if (inquiry)
    return (
      <Notice tone="unknown" title={`No answer from ${bankOf(payout)} yet. Neither paid nor failed.`}>
        Do not send it again. {askedWord(inquiry.questions)} The next question is on{' '}
        <When at={inquiry.nextQuestionAt} zone />. Its money stays held until the bank says what became of it.
      </Notice>
    )
  const [tone, title, words] = NOW[status] ?? ['calm', status, '']
  return (
    <Notice tone={tone} title={title}>
      {status === 'FAILED' ? `${transactionDescription}. ${words}` : words}
    </Notice>
  )
}
const NOW: Readonly<Record<string, readonly ['calm' | 'good' | 'care' | 'bad', title: string, words: string]>> = {
  AWAITING_PROCESSING: ['calm', 'Accepted, and about to be sent.', 'Its money is held.'],
  PENDING: ['calm', 'At the bank, or on its way there.', 'Its money is held.'],
  PENDING_BATCH_AUTHORIZATION: ['care', 'It waits with its batch.', 'Authorise the batch. Its money is held.'],
  SUCCESS: ['good', 'Paid.', 'A bank may still reverse it; then the money is back in your wallet.'],
  FAILED: ['bad', 'Not paid.', 'Amount and fee are back in your wallet.'],
  REVERSED: ['bad', 'Paid, then reversed by the bank.', 'Amount and fee are back in your wallet.'],
  EXPIRED: ['care', 'Nobody authorised it in time.', 'Amount and fee are back in your wallet.'],
}

const RETURNED: ReadonlySet<string> = new Set(['FAILED', 'REVERSED', 'EXPIRED'])
/** Where the money is now. */
const placeOf = (status: string): string =>
  status === 'SUCCESS' ? 'Left your wallet' : RETURNED.has(status) ? 'Back in your wallet' : 'Held'

const Whole = ({ payout }: { readonly payout: Payout }) => (
  <>
    <Sent
      amount={koboOf(payout.amount)}
      fee={koboOf(payout.fee)}
      state={stateOf(payout)}
      now={<Now payout={payout} />}
      to="To"
      facts={[
        ['Name at the bank', payout.destinationAccountName ?? 'Could not be validated'],
        ['Bank', bankOf(payout)],
        ['Account number', <AccountNumber key="number" number={payout.destinationAccountNumber} />],
        ['Narration', payout.narration],
        ...(payout.feeReturned === undefined
          ? []
          : [['Fee, returned', <Money key="returned" kobo={koboOf(payout.feeReturned)} />] as const]),
        ['Asked for, WAT', <When key="when" at={payout.createdOn} />],
        ['Your reference', payout.reference],
        ['Our reference', payout.transactionReference],
        ['Session at the bank', payout.sessionId ?? 'Not sent to the bank'],
      ]}
      place={placeOf(payout.status)}
    />
    {payout.nameMatch ? (
      <Section title="Name check">
        <TwoNames given={payout.nameMatch.given} held={payout.nameMatch.held} score={payout.nameMatch.score} />
      </Section>
    ) : null}
  </>
)

export function PayoutPage() {
  const reference = useParam('reference')
  const one = useQuery({
    queryKey: ['payout', reference],
    queryFn: () => call<typeof getTransfer>('transfers.get', { query: { reference } }),
    refetchInterval: ({ state }) => (state.data && isOver(state.data.status) ? false : ASK_AGAIN_MS),
  })
  return (
    <SentPage title="Payout" list={['/payouts', 'All payouts']} one={one}>
      {(payout) => <Whole payout={payout} />}
    </SentPage>
  )
}
