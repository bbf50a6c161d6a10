// What an approval is about, as its own page shows it: of a payout the account, both names and the fee; of
// the others the way there.
import type { getTransfer } from '@cowrie/contract/payouts/disbursements'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call, SIDE } from '../../api/call.ts'
import { may, useMe } from '../../api/session.ts'
import { koboOf } from '../../money.ts'
import { Money } from '../../parts/figures.tsx'
import { AccountNumber } from '../../parts/money-box.tsx'
import { Failed } from '../../parts/notice.tsx'
import { Facts, Loading } from '../../parts/page.tsx'
import { TwoNames } from '../../parts/sending/names.tsx'
import { Similar } from '../../parts/sending/similar.tsx'
import type { Approval } from './words.ts'

const PLACES: Readonly<Record<string, string>> = {
  TRANSFER: '/payouts/$reference',
  BATCH: '/payouts/batches/$reference',
  REFUND: '/refunds/$reference',
}

function Payout({ reference }: { readonly reference: string }) {
  const one = useQuery({
    queryKey: ['payout', reference],
    queryFn: () => call<typeof getTransfer>('transfers.get', { query: { reference } }),
  })
  if (!one.data) return one.error ? <Failed error={one.error} /> : <Loading lines={4} />
  const { nameMatch, destinationBankCode: bankCode, destinationAccountNumber: accountNumber, amount } = one.data
  return (
    <>
      <Facts
        facts={[
          ['Bank', one.data.destinationBankName ?? bankCode],
          ['Account number', <AccountNumber key="number" number={accountNumber} />],
          ['Narration', one.data.narration],
          ['Fee', <Money key="fee" kobo={koboOf(one.data.fee)} />],
        ]}
      />
      {nameMatch ? <TwoNames given={nameMatch.given} held={nameMatch.held} score={nameMatch.score} /> : null}
      <Similar amount={String(amount)} bankCode={bankCode} accountNumber={accountNumber} except={reference} />
    </>
  )
}

export function Subject({ input }: Approval) {
  const person = useMe()
  const { kind, reference } = input
  const to = SIDE === 'merchant' ? PLACES[String(kind)] : undefined
  if (to === undefined || typeof reference !== 'string') return null
  return (
    <>
      {kind === 'TRANSFER' && may(person, 'payouts.read') ? <Payout reference={reference} /> : null}
      <p>
        <Link to={to} params={{ reference }}>
          See all of {reference}
        </Link>
      </p>
    </>
  )
}
