// How Paystack's refunds map to what the kit understands. Paystack has no reference of ours for a refund, so
// that the session is in its note: a refund whose answer was lost is found by that, and is never made again.
import type {
  Asked,
  Forwarded,
  Limits,
  Log,
  OrderMapping,
  Outgoing,
  RefundContents,
  Unknown,
} from '@cowrie/connector-kit'
import { parseNaira } from '@cowrie/contract/kit/money'
import { REFUND_STATUSES, type RefundMeaning } from './codes.ts'
import { Charge, Refund, Refunds, type Upstream } from './upstream.ts'

const unknown = (why: string): Unknown => ({ kind: 'unknown', why })

export const NOTE = { refund: 'Cowrie refund', reversal: 'Cowrie reversal' } as const
export const noteOf = (what: string, reference: string): string => `${what} ${reference}`

const PAGE = 100
type Found =
  | { readonly kind: 'found'; readonly refund: Refund; readonly meaning: RefundMeaning }
  | { readonly kind: 'none' }
  | { readonly kind: 'unclear'; readonly why: string }

const meant = (refund: Refund): Found => {
  const meaning = REFUND_STATUSES.get(refund.status)
  return meaning === undefined
    ? { kind: 'unclear', why: 'a status of a refund that is in no table' }
    : { kind: 'found', refund, meaning }
}

/** The refund of a transaction that has this note. `none` is said only of a list that is whole. */
export async function refundOf(upstream: Upstream, id: string, note: string, signal: AbortSignal): Promise<Found> {
  if (!/^\d{1,20}$/.test(id)) return { kind: 'unclear', why: 'a transaction without a number' }
  const list = await upstream.get(`/refund?transaction=${id}&perPage=${PAGE}`, Refunds, signal)
  if (list.kind !== 'said') return { kind: 'unclear', why: list.kind === 'unclear' ? list.why : 'the list was refused' }
  const mine = list.said.find(({ merchant_note }) => merchant_note === note)
  if (mine !== undefined) return meant(mine)
  return list.said.length < PAGE ? { kind: 'none' } : { kind: 'unclear', why: 'a list that is not whole' }
}

const REFUSED = '05'

export function createRefunds(upstream: Upstream, log: Log): OrderMapping<RefundContents> {
  const outcomeOf = (sessionId: string, found: Found): Asked => {
    if (found.kind === 'unclear') return unknown(found.why)
    if (found.kind === 'none') return unknown('no such refund, which may be on its way')
    const bankReference = found.refund.id
    if (found.refund.status === 'needs-attention') log.warn({ sessionId }, 'a refund waits for a person at Paystack')
    switch (found.meaning) {
      case 'under way':
        return { kind: 'accepted', bankReference }
      case 'refunded':
        return { kind: 'known', status: 'SUCCESS', code: '00', bankReference }
      case 'failed':
        return { kind: 'known', status: 'FAILED', code: REFUSED, bankReference }
    }
  }

  const forward = async (order: Outgoing<RefundContents>, { signal }: Limits): Promise<Forwarded> => {
    const { sessionId, chargeReference, amount, narration } = order
    const kobo = parseNaira(amount)
    if (kobo === null) return { kind: 'refused', code: '13' }
    const body = { transaction: chargeReference, amount: kobo.toString(), currency: 'NGN' }
    const notes = { customer_note: narration, merchant_note: noteOf(NOTE.refund, sessionId) }
    const answer = await upstream.post('/refund', { ...body, ...notes }, Refund, signal)
    if (answer.kind === 'unclear') return unknown(answer.why)
    if (answer.kind === 'refused')
      return answer.isWrong ? { kind: 'refused', code: '13' } : unknown('the refund was refused without a reason')
    if (answer.said.amount !== kobo.toString()) return unknown('an answer with another amount')
    return outcomeOf(sessionId, meant(answer.said))
  }

  const ask = async (order: Outgoing<RefundContents>, { signal }: Limits): Promise<Asked> => {
    const { sessionId, chargeReference, bankReference } = order
    if (bankReference !== undefined) {
      const answer = await upstream.get(`/refund/${encodeURIComponent(bankReference)}`, Refund, signal)
      if (answer.kind !== 'said') return unknown(answer.kind === 'unclear' ? answer.why : 'the question was refused')
      return answer.said.id === bankReference
        ? outcomeOf(sessionId, meant(answer.said))
        : unknown('an answer about another refund')
    }
    const path = `/transaction/verify/${encodeURIComponent(chargeReference)}`
    const charge = await upstream.get(path, Charge, signal)
    if (charge.kind !== 'said') return unknown('the charge was not found')
    return outcomeOf(sessionId, await refundOf(upstream, charge.said.id ?? '', noteOf(NOTE.refund, sessionId), signal))
  }

  return { forward, ask }
}
