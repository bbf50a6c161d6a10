// What a result changes, as a pure function over what is known.
//
//   so far       accepted   SUCCESS         FAILED          REVERSED
//   ACCEPTED     PENDING    SUCCESS         FAILED          REVERSED
//   FORWARDED    PENDING    SUCCESS         FAILED          REVERSED
//   PENDING      –          SUCCESS         FAILED          REVERSED
//   SUCCESS      –          –               contradiction   REVERSED
//   FAILED       –          contradiction   –               contradiction
//   REVERSED     –          –               –               –
//   BARRED       –          contradiction   –               contradiction
//
// A bank that knows an accepted order has it, whatever became of our mark: it must not be forwarded again.
// `unknown` changes nothing anywhere. A contradiction changes nothing either: the gateway has acted on the
// first word, so a person decides.
import type { PayoutAnswer } from '@cowrie/contract/bank/connector'
import type { Forwarded, Outcome } from './mapping.ts'

export type Status = 'PENDING' | Outcome
export type State = 'ACCEPTED' | 'FORWARDED' | 'KNOWN' | 'BARRED'
export type Kept = { readonly state: State; readonly status: Status | null; readonly code: string | null }

export const CODES = { pending: '09', barred: '21', unknown: '25', silent: '96' } as const

export type Change =
  | { readonly kind: 'none' }
  | { readonly kind: 'change'; readonly status: Status; readonly code: string }
  | { readonly kind: 'contradiction'; readonly said: Outcome }

const NONE: Change = { kind: 'none' }

export function changeOf(kept: Kept, said: Forwarded): Change {
  if (said.kind === 'unknown') return NONE
  if (said.kind === 'accepted')
    return kept.state === 'ACCEPTED' || kept.state === 'FORWARDED'
      ? { kind: 'change', status: 'PENDING', code: CODES.pending }
      : NONE
  const status = said.kind === 'refused' ? 'FAILED' : said.status
  const change: Change = { kind: 'change', status, code: said.code }
  const contradiction: Change = { kind: 'contradiction', said: status }
  if (kept.state === 'BARRED') return status === 'FAILED' ? NONE : contradiction
  switch (kept.status) {
    case null:
    case 'PENDING':
      return change
    case 'SUCCESS':
      return status === 'SUCCESS' ? NONE : status === 'REVERSED' ? change : contradiction
    case 'FAILED':
      return status === 'FAILED' ? NONE : contradiction
    case 'REVERSED':
      return NONE
  }
}

/** Sent, or perhaps sent, and the bank has not said how it ended. */
export const isOpen = ({ state, status }: Kept): boolean => state === 'FORWARDED' || status === 'PENDING'

type Said = Pick<PayoutAnswer, 'status' | 'responseCode'>

/** Null: the session was never received. */
export function saidOf(kept: Kept | null): Said {
  if (kept === null) return { status: 'UNKNOWN', responseCode: CODES.unknown }
  if (kept.state === 'BARRED') return { status: 'FAILED', responseCode: kept.code ?? CODES.barred }
  return { status: kept.status ?? 'PENDING', responseCode: kept.code ?? CODES.pending }
}

/** To the order itself, which has just been forwarded, or is still being prepared. Where the bank has not
 *  said a word, the code says that: the gateway then sends what follows through another connector. */
export const saidToOrder = (kept: Kept | null): Said =>
  kept?.state === 'ACCEPTED' || (kept?.state === 'FORWARDED' && kept.status === null)
    ? { status: 'PENDING', responseCode: CODES.silent }
    : saidOf(kept)
