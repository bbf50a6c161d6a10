// The notices that the protocol has, as they are stored until the gateway has accepted them: the fields of the contract by name, without
// identity numbers, and without card numbers in texts.
import { createHash } from 'node:crypto'
import {
  type CreditNotice,
  creditNotice,
  type PayoutNotice,
  payoutNotice,
  type ReversalNotice,
  reversalNotice,
} from '@cowrie/contract/bank/connector'
import { Compile } from 'typebox/compile'
import { type Storable, withoutCards } from '../kit/secretless.ts'

/** The contract has the payer's identity number as something to compare and not to store; an outbox stores, so it is left out. */
type Credit = Storable<Omit<CreditNotice, 'senderBvn'>>

export type Notice =
  | { readonly kind: 'credit'; readonly notice: Credit }
  | { readonly kind: 'reversal'; readonly notice: Storable<ReversalNotice> }
  | { readonly kind: 'payout'; readonly notice: Storable<PayoutNotice> }

export type Packed = {
  /** The same notice has the same key, however often a bank reports it. */
  readonly key: string
  /** Notices of one reference are sent in the order in which they were made. */
  readonly reference: string
  readonly path: string
  readonly body: string
  readonly digest: string
}

const NEVER = new Set(['senderBvn'])
const FREE = new Set(['senderName', 'narration', 'reason', 'message'])

const KINDS = {
  credit: { route: creditNotice, check: Compile(creditNotice.body) },
  reversal: { route: reversalNotice, check: Compile(reversalNotice.body) },
  payout: { route: payoutNotice, check: Compile(payoutNotice.body) },
} as const

/** A payout has a notice for each outcome; a credit and a reversal have one. The reversal of a credit comes after it. */
const namesOf = (said: Notice): Pick<Packed, 'key' | 'reference'> => {
  const { sessionId } = said.notice
  switch (said.kind) {
    case 'credit':
      return { key: `credit ${sessionId}`, reference: `credit ${sessionId}` }
    case 'reversal':
      return { key: `reversal ${said.notice.reversalSessionId}`, reference: `credit ${sessionId}` }
    case 'payout':
      return { key: `payout ${sessionId} ${said.notice.status}`, reference: `payout ${sessionId}` }
  }
}

/** Throws for what the gateway would refuse for ever: whoever made it learns it while it can still be repaired. */
export function pack(said: Notice): Packed {
  const { route, check } = KINDS[said.kind]
  if (!check.Check(said.notice)) throw new Error(`A notice of a ${said.kind} is not as the protocol has it`)
  const fields = Object.entries(said.notice)
    .filter(([name]) => name in route.body.properties && !NEVER.has(name))
    .map(([name, value]) => [name, FREE.has(name) ? withoutCards(value) : value])
    .sort(([one = ''], [two = '']) => (one < two ? -1 : 1))
  const body = JSON.stringify(Object.fromEntries(fields))
  // When a bank reports the same outcome again, its time may be that of the report.
  const compared = JSON.stringify(fields.filter(([name]) => name !== 'at' && name !== 'message'))
  return { ...namesOf(said), path: route.path, body, digest: createHash('sha256').update(compared).digest('hex') }
}
