// Refund a payment: what was paid and what is left of it, all or a part, why, and beside it the whole act
// again before it is sent.
import type { getTransaction } from '@cowrie/contract/collections/transactions'
import type { initiateRefund, listRefunds } from '@cowrie/contract/payouts/refunds'
import { NOTE_MAX, REASON_MAX } from '@cowrie/contract/payouts/refunds'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useFilters } from '../../address.ts'
import { call } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { useDoing } from '../../doing/doing.tsx'
import { koboOf, koboOfText } from '../../money.ts'
import { Button } from '../../parts/button.tsx'
import { Select } from '../../parts/choice.tsx'
import { Field, Form } from '../../parts/field.tsx'
import layout from '../../parts/layout.module.css'
import { Sum } from '../../parts/money-box.tsx'
import { Failed, Notice } from '../../parts/notice.tsx'
import { Loading, Page } from '../../parts/page.tsx'
import { Confirm } from '../../parts/sending/confirm.tsx'
import css from '../../parts/sending/sending.module.css'
import { nairaTyped, newReference } from '../../parts/sending/typed.ts'
import { useBanks, useQuote, useWallet } from '../../parts/sending/use-wallet.ts'

/** What the interface allows. */
/** More refunds of one payment than this are not counted here; the gateway counts all. */
const COUNTED_MAX = '1000'

const nairaOf = (kobo: bigint): string => `${kobo / 100n}.${String(kobo % 100n).padStart(2, '0')}`

/** What was paid, what was refunded already, and what is left. */
function usePayment(transactionReference: string) {
  const enabled = transactionReference !== ''
  const payment = useQuery({
    queryKey: ['payment-status', transactionReference],
    queryFn: () => call<typeof getTransaction>('transactions.get', { params: { transactionReference } }),
    enabled,
  })
  const refunds = useQuery({
    queryKey: ['refunds', 'of', transactionReference],
    queryFn: () => call<typeof listRefunds>('refunds.list', { query: { transactionReference, size: COUNTED_MAX } }),
    enabled,
  })
  const paid = payment.data ? koboOfText(payment.data.amountPaid) : null
  const done = (refunds.data?.content ?? [])
    .filter(({ refundStatus }) => refundStatus !== 'FAILED')
    .reduce((sum, { refundAmount }) => sum + koboOf(refundAmount), 0n)
  const known = paid !== null && refunds.data !== undefined
  return {
    payment: payment.data,
    error: payment.error ?? refunds.error,
    loading: payment.isLoading || refunds.isLoading,
    sums: known ? { paid, done, left: paid - done } : null,
  }
}
type Sums = NonNullable<ReturnType<typeof usePayment>['sums']>

type Draft = {
  readonly whole: boolean
  readonly part: string
  readonly reason: string
  readonly note: string
  readonly reference: string
  readonly bankCode: string
  readonly accountNumber: string
}
type Change = (change: Partial<Draft>) => void

function Elsewhere({ draft, change }: { readonly draft: Draft; readonly change: Change }) {
  const banks = useBanks()
  const options = (banks.data ?? []).map(({ code, name }) => [code, name] as const)
  return (
    <details>
      <summary>Send it to another account</summary>
      <p className={layout['soft']}>
        Without one it goes to the account or card that paid. To another it passes the controls of a payout; a card
        payment goes to its card only.
      </p>
      <div className={css['pair']}>
        <Select
          label="Bank"
          value={draft.bankCode}
          onChange={({ target }) => change({ bankCode: target.value })}
          options={[['', 'The one that paid'], ...options.toSorted(([, a], [, b]) => a.localeCompare(b))]}
        />
        <Field
          label="Account number"
          inputMode="numeric"
          value={draft.accountNumber}
          onChange={({ target }) => change({ accountNumber: target.value.replaceAll(/\D/g, '') })}
        />
      </div>
    </details>
  )
}

function Fields({ draft, change, sums }: { draft: Draft; change: Change; sums: Sums }) {
  return (
    <div className={css['fields']}>
      <Sum
        lines={[
          { name: 'Paid', value: sums.paid },
          { name: 'Refunded, or on its way', value: -sums.done },
          { name: 'Can be refunded', value: sums.left, total: true },
        ]}
      />
      <Select
        label="How much"
        value={draft.whole ? 'all' : 'part'}
        onChange={({ target }) => change({ whole: target.value === 'all' })}
        options={[
          ['all', 'All that is left'],
          ['part', 'A part'],
        ]}
      />
      {draft.whole ? null : (
        <div className={css['big']}>
          <Field
            label="Amount, ₦"
            inputMode="decimal"
            value={draft.part}
            onChange={({ target }) => change({ part: target.value })}
            wrong={draft.part !== '' && nairaTyped(draft.part) === null ? 'Naira, with at most two decimals' : null}
          />
        </div>
      )}
      <Field
        label="Reason"
        value={draft.reason}
        maxLength={REASON_MAX}
        onChange={({ target }) => change({ reason: target.value })}
        hint={`For yourselves. At most ${REASON_MAX} characters.`}
      />
      <Field
        label="Note to the payer"
        value={draft.note}
        maxLength={NOTE_MAX}
        onChange={({ target }) => change({ note: target.value })}
        hint={`The payer sees it. At most ${NOTE_MAX} characters.`}
      />
      <Field
        label="Your reference"
        value={draft.reference}
        maxLength={100}
        onChange={({ target }) => change({ reference: target.value })}
        hint="Good once. A second refund with it is refused."
      />
      <Elsewhere draft={draft} change={change} />
    </div>
  )
}

function missingOf({ reason, note, reference }: Draft, amount: string | null): string | null {
  if (amount === null) return 'Give an amount.'
  if (reason.trim() === '') return 'Give a reason.'
  if (note.trim() === '') return 'Give a note to the payer.'
  return reference.trim() === '' ? 'Give a reference.' : null
}

function Ask({ transactionReference, sums, payer }: { transactionReference: string; sums: Sums; payer: string }) {
  const navigate = useNavigate()
  const maySend = may(useMe(), 'refunds.send')
  const wallet = useWallet()
  const [draft, setDraft] = useState<Draft>(() => ({
    ...{ whole: true, part: '', reason: '', note: '', bankCode: '', accountNumber: '' },
    reference: newReference('refund'),
  }))
  const amount = draft.whole ? (sums.left > 0n ? nairaOf(sums.left) : null) : nairaTyped(draft.part)
  const quote = useQuote(amount, 'REFUND')
  const elsewhere = draft.bankCode !== '' || draft.accountNumber !== ''
  const send = useDoing(
    (_: null, { key }) =>
      call<typeof initiateRefund>('refunds.initiate', {
        key,
        body: {
          transactionReference,
          refundReference: draft.reference.trim(),
          refundAmount: amount ?? '',
          refundReason: draft.reason.trim(),
          customerNote: draft.note.trim(),
          ...(elsewhere
            ? { destinationAccountNumber: draft.accountNumber, destinationAccountBankCode: draft.bankCode }
            : {}),
        },
      }),
    ({ refundReference: reference }) => void navigate({ to: '/refunds/$reference', params: { reference } }),
  )
  const change: Change = (one) => {
    send.again() // what was refused was another draft
    setDraft({ ...draft, ...one })
  }
  return (
    <div className={css['sheet']}>
      <Fields draft={draft} change={change} sums={sums} />
      <Confirm
        title="Refund"
        amount={amount}
        quote={amount === null ? null : (quote.data?.quote ?? null)}
        available={wallet.data ? koboOfText(wallet.data.availableBalance) : null}
        lines={[
          {
            name: 'To',
            value: <b>{elsewhere ? 'Another account' : payer}</b>,
            note: elsewhere ? draft.accountNumber : null,
          },
          { name: 'Payment', value: transactionReference },
          { name: 'Reference', value: draft.reference },
        ]}
        missing={maySend ? missingOf(draft, amount) : 'Your role does not refund.'}
        doing={send}
        word="Refund it"
      />
    </div>
  )
}

export function NewRefund() {
  const [{ transactionReference = '' }, filter] = useFilters()
  const { payment, sums, error, loading } = usePayment(transactionReference)
  return (
    <Page title="Refund a payment" lead={<Link to="/refunds">All refunds</Link>}>
      {transactionReference === '' || error ? (
        <div className={css['code']}>
          <Form
            label="Which payment"
            onSend={({ reference = '' }) => filter({ transactionReference: reference.trim() })}
          >
            <Field
              label="Reference of the payment"
              name="reference"
              defaultValue={transactionReference}
              hint="The transaction reference, as the payment’s page shows it."
              required
            />
            <Button look="main" submit>
              Go on
            </Button>
          </Form>
        </div>
      ) : null}
      <Failed error={error} />
      {loading ? <Loading lines={4} /> : null}
      {payment && sums ? (
        sums.left > 0n ? (
          <Ask transactionReference={transactionReference} sums={sums} payer={payment.customer.name} />
        ) : (
          <Notice tone="care" title="Nothing of this payment can be refunded.">
            {sums.paid === 0n ? 'Nothing was paid.' : 'All of it was refunded, or is on its way.'}{' '}
            <Link to="/payments/$reference" params={{ reference: transactionReference }}>
              See the payment
            </Link>
          </Notice>
        )
      ) : null}
    </Page>
  )
}
