// The notices that the protocol has, as they are stored until the gateway has accepted them: the fields of
// the contract by name, without identity numbers, and without card numbers in texts.
import { createHash } from 'node:crypto'
import { type CardRefundNotice, cardRefundNotice } from '@cowrie/contract/bank/card-refund-connector'
import {
  type CreditNotice,
  creditNotice,
  type PayoutNotice,
  payoutNotice,
  type ReversalNotice,
  reversalNotice,
} from '@cowrie/contract/bank/connector'
import { type CardNotice, cardNotice } from '@cowrie/contract/bank/v2/cards'
import { type DisputeNotice, disputeNotice } from '@cowrie/contract/bank/v2/disputes'
import {
  type CreditNoticeV2,
  creditNoticeV2,
  type ReversalNoticeV2,
  reversalNoticeV2,
} from '@cowrie/contract/bank/v2/notices'
import { type NumberNotice, numberNotice } from '@cowrie/contract/bank/v2/numbers'
import { type PayoutNoticeV2, payoutNoticeV2 } from '@cowrie/contract/bank/v2/payouts'
import { Compile } from 'typebox/compile'
import { type Storable, withoutCards } from '../kit/secretless.ts'

/** The contract has the payer's identity number as something to compare and not to store; an outbox stores,
 *  so it is left out. */
type Credit = Storable<Omit<CreditNotice, 'senderBvn'>>
type CreditV2 = Storable<Omit<CreditNoticeV2, 'senderBvn'>>

/** `change` counts the changes of a charge: the notice carries no state, and there is one for each. */
export type CardNoticed = CardNotice & { readonly change: number }

export type Notice =
  | { readonly kind: 'credit'; readonly notice: Credit }
  | { readonly kind: 'reversal'; readonly notice: Storable<ReversalNotice> }
  | { readonly kind: 'creditV2'; readonly notice: CreditV2 }
  | { readonly kind: 'reversalV2'; readonly notice: Storable<ReversalNoticeV2> }
  | { readonly kind: 'payout'; readonly notice: Storable<PayoutNotice> }
  | { readonly kind: 'payoutV2'; readonly notice: Storable<PayoutNoticeV2> }
  | { readonly kind: 'cardRefund'; readonly notice: Storable<CardRefundNotice> }
  | { readonly kind: 'card'; readonly notice: Storable<CardNoticed> }
  | { readonly kind: 'dispute'; readonly notice: Storable<DisputeNotice> }
  | { readonly kind: 'number'; readonly notice: Storable<NumberNotice> }

export type Packed = {
  /** The same notice has the same key, however often a bank reports it. */
  readonly key: string
  /** Notices of one reference are sent in the order in which they were made. */
  readonly reference: string
  readonly path: string
  readonly body: string
  readonly digest: string
  /** Of a credit and its reversal: the account of ours. Which one it is stays known when the body is gone. */
  readonly account: { readonly bankCode: string; readonly accountNumber: string } | null
}

const NEVER = new Set(['senderBvn'])
const FREE = new Set(['senderName', 'narration', 'reason', 'message'])

const KINDS = {
  credit: { route: creditNotice, check: Compile(creditNotice.body) },
  reversal: { route: reversalNotice, check: Compile(reversalNotice.body) },
  creditV2: { route: creditNoticeV2, check: Compile(creditNoticeV2.body) },
  reversalV2: { route: reversalNoticeV2, check: Compile(reversalNoticeV2.body) },
  payout: { route: payoutNotice, check: Compile(payoutNotice.body) },
  payoutV2: { route: payoutNoticeV2, check: Compile(payoutNoticeV2.body) },
  cardRefund: { route: cardRefundNotice, check: Compile(cardRefundNotice.body) },
  card: { route: cardNotice, check: Compile(cardNotice.body) },
  dispute: { route: disputeNotice, check: Compile(disputeNotice.body) },
  number: { route: numberNotice, check: Compile(numberNotice.body) },
} as const

type Names = Pick<Packed, 'key' | 'reference'>
const creditNames = (reference: string): Names => ({ key: `credit ${reference}`, reference: `credit ${reference}` })
const reversalNames = (reversal: string, credit: string): Names => ({
  key: `reversal ${reversal}`,
  reference: `credit ${credit}`,
})

const outcomeNames = (what: string, { sessionId, status }: PayoutNotice): Names => ({
  key: `${what} ${sessionId} ${status}`,
  reference: `${what} ${sessionId}`,
})

/** Of a dispute there is one for each change: of its state, or of the day on which an answer is due. */
const disputeNames = ({ disputeReference, state, at, dueAt = '' }: DisputeNotice): Names => ({
  key: `dispute ${disputeReference} ${state} ${at} ${dueAt}`,
  reference: `dispute ${disputeReference}`,
})

const numberNames = ({ bankCode, accountNumber, state }: NumberNotice): Names => ({
  key: `number ${bankCode} ${accountNumber} ${state}`,
  reference: `number ${bankCode} ${accountNumber}`,
})

/** A payout has a notice for each outcome; a credit and a reversal have one. The reversal of a credit comes
 *  after it. The versions share their names, because the gateway does: what was reported by one is not
 *  reported again by the other. */
const namesOf = (said: Notice): Names => {
  switch (said.kind) {
    case 'credit':
      return creditNames(said.notice.sessionId)
    case 'creditV2':
      return creditNames(said.notice.reference)
    case 'reversal':
      return reversalNames(said.notice.reversalSessionId, said.notice.sessionId)
    case 'reversalV2':
      return reversalNames(said.notice.reversalReference, said.notice.reference)
    case 'payout':
    case 'payoutV2':
      return outcomeNames('payout', said.notice)
    case 'cardRefund':
      return outcomeNames('card refund', said.notice)
    case 'card':
      return {
        key: `card ${said.notice.chargeReference} ${said.notice.change}`,
        reference: `card ${said.notice.chargeReference}`,
      }
    case 'dispute':
      return disputeNames(said.notice)
    case 'number':
      return numberNames(said.notice)
  }
}

/** Throws for what the gateway would refuse for ever: whoever made it learns it while it can still be
 *  repaired. */
export function pack(said: Notice): Packed {
  const { route, check } = KINDS[said.kind]
  if (!check.Check(said.notice)) throw new Error(`A notice of a ${said.kind} is not as the protocol has it`)
  const fields = Object.entries(said.notice)
    .filter(([name]) => name in route.body.properties && !NEVER.has(name))
    .map(([name, value]) => [name, FREE.has(name) ? withoutCards(String(value)) : value])
    .sort(([one = ''], [two = '']) => (one < two ? -1 : 1))
  const body = JSON.stringify(Object.fromEntries(fields))
  // When a bank reports the same outcome again, its time may be that of the report.
  const compared = JSON.stringify(fields.filter(([name]) => name !== 'at' && name !== 'message'))
  const account = said.kind !== 'number' && 'accountNumber' in said.notice ? said.notice : null
  const digest = createHash('sha256').update(compared).digest('hex')
  return { ...namesOf(said), path: route.path, body, digest, account }
}
