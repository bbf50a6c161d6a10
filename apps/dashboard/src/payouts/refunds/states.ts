// States of refunds, as words.
import type { ReplyOf } from '@cowrie/contract/kit/spec'
import type { getRefund } from '@cowrie/contract/payouts/refunds'
import type { StateTone } from '../../parts/figures.tsx'

export type Refund = ReplyOf<typeof getRefund>

export function stateOf({ refundStatus, authorization }: Refund): readonly [tone: StateTone, word: string] {
  if (authorization) return ['care', 'Waits for you']
  if (refundStatus === 'COMPLETED') return ['good', 'Refunded']
  return refundStatus === 'FAILED' ? ['bad', 'Not refunded'] : ['wait', 'At the bank']
}

/** `02/05/2026 03:00:00 PM`, West Africa Time, as an instant. */
export function momentOf(text: string): string {
  const [, day = '', month = '', year = '', hour = '0', rest = '', half = ''] =
    /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d):(\d\d:\d\d) (AM|PM)$/.exec(text) ?? []
  const hours = (Number(hour) % 12) + (half === 'PM' ? 12 : 0)
  return new Date(`${year}-${month}-${day}T${String(hours).padStart(2, '0')}:${rest}+01:00`).toISOString()
}

/** Where it goes: a card or an account. */
export const destinationOf = (refund: Refund): string =>
  refund.maskedPan ?? refund.destinationAccountName ?? 'Whoever paid'
