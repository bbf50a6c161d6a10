// A dispute, as Paystack answers when it is asked about one. Its words about whom it is decided for are few,
// and what is not among them is CLOSED: a person looks.
import type { Cards, Limits, Verified } from '@cowrie/connector-kit'
import type { DisputeNotice } from '@cowrie/contract/bank/v2/disputes'
import { nairaText } from '@cowrie/contract/kit/money'
import { Dispute, type Upstream } from './upstream.ts'
import { REFERENCE } from './webhook.ts'

/** `resolution` is the merchant's word about the claim, with which Paystack has closed it. */
const RESOLVED: ReadonlyMap<string, DisputeNotice['state']> = new Map([
  ['merchant-accepted', 'LOST'],
  ['auto-accepted', 'LOST'],
  ['declined', 'WON'],
])
const OPEN: ReadonlyMap<string, DisputeNotice['state']> = new Map([
  ['awaiting-merchant-feedback', 'OPENED'],
  ['pending', 'OPENED'],
  ['awaiting-bank-feedback', 'ANSWERED'],
])

const momentOf = (text: string | null | undefined): string | null => {
  const moment = new Date(text ?? '')
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}
const isOver = (status: string): boolean => status === 'resolved' || status === 'archived'

/** Null where it is not as published. */
export function noticeOf(dispute: Dispute): DisputeNotice | null {
  const { status, resolution, transaction, category } = dispute
  const state = isOver(status) ? (RESOLVED.get(resolution ?? '') ?? 'CLOSED') : OPEN.get(status)
  const chargeReference = transaction?.reference ?? ''
  const kobo = dispute.refund_amount ?? transaction?.amount
  const opened = momentOf(dispute.createdAt)
  // What happened last of what it dates: an archived one, or one that Paystack has only moved on, has no
  // other time.
  const at = momentOf(dispute.updatedAt) ?? momentOf(dispute.resolvedAt) ?? opened
  if (state === undefined || kobo == null || at === null || !REFERENCE.test(chargeReference)) return null
  if ((dispute.currency ?? 'NGN') !== 'NGN') return null
  const dueAt = momentOf(dispute.dueAt)
  return {
    chargeReference,
    disputeReference: dispute.id,
    amount: nairaText(BigInt(kobo)),
    state,
    ...(category == null || category === '' ? {} : { reasonCode: category.slice(0, 40) }),
    ...(dueAt === null ? {} : { dueAt }),
    at,
  }
}

/** Asks Paystack about a dispute that a webhook named. One of a charge that is not ours is of no use to the
 *  gateway. */
export const createDisputes =
  (upstream: Upstream, cards: Pick<Cards, 'has'>) =>
  async (id: string, { signal }: Limits): Promise<Verified> => {
    const answer = await upstream.get(`/dispute/${encodeURIComponent(id)}`, Dispute, signal)
    if (answer.kind === 'unclear') return { kind: 'unknown', why: `dispute: ${answer.why}` }
    if (answer.kind === 'refused') return { kind: 'absent' }
    if (answer.said.id !== id) return { kind: 'unknown', why: 'dispute: the answer is about another one' }
    const notice = noticeOf(answer.said)
    if (notice === null) return { kind: 'unknown', why: 'dispute: it is not as published' }
    return (await cards.has(notice.chargeReference))
      ? { kind: 'known', notice: { kind: 'dispute', notice } }
      : { kind: 'known' }
  }
