// "Looks like one you made before": the newest payout of the same amount to the same account, so that nobody
// pays an invoice twice.
import type { searchTransfers } from '@cowrie/contract/payouts/disbursements'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../../api/call.ts'
import { koboOf } from '../../money.ts'
import { Money, When } from '../figures.tsx'
import { Notice } from '../notice.tsx'
import { useWallet } from './use-wallet.ts'

/** Of the same amount so many are looked through, the newest first. */
const LOOKED_AT = '50'
const NOT_PAID: ReadonlySet<string> = new Set(['FAILED', 'REVERSED', 'EXPIRED'])

export function Similar(asked: {
  readonly amount: string
  readonly bankCode: string
  readonly accountNumber: string
  /** Itself, where it exists already. */
  readonly except?: string
}) {
  const { amount, bankCode, accountNumber, except } = asked
  const sourceAccountNumber = useWallet().data?.walletNumber ?? ''
  const same = useQuery({
    queryKey: ['payouts', 'of', amount],
    queryFn: () =>
      call<typeof searchTransfers>('transfers.search', {
        query: { sourceAccountNumber, amountFrom: amount, amountTo: amount, pageSize: LOOKED_AT },
      }),
    enabled: sourceAccountNumber !== '',
  })
  const found = same.data?.content.find(
    (one) =>
      one.destinationAccountNumber === accountNumber &&
      one.destinationBankCode === bankCode &&
      one.reference !== except &&
      !NOT_PAID.has(one.status),
  )
  if (!found) return null
  return (
    <Notice tone="care" title="Looks like one you made before.">
      <Money kobo={koboOf(found.amount)} /> went to this account on <When at={found.createdOn} zone />.{' '}
      <Link to="/payouts/$reference" params={{ reference: found.reference }}>
        See that payout
      </Link>
    </Notice>
  )
}
