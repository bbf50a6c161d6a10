// What an adapter tells the kit of its bank. Each result is one of a few kinds, and there is none for "probably failed": whatever the
// adapter does not know for certain is `unknown`, and stays PENDING until the bank says something certain.
import type { Contents } from './contents.ts'

export type Outcome = 'SUCCESS' | 'FAILED' | 'REVERSED'

/** The bank has the order; its outcome comes later. */
export type Accepted = { readonly kind: 'accepted'; readonly bankReference?: string }
/** The bank's word about the money. `code` is the response code of the instant payment network; of a refund to a card, ISO 8583 field 39. */
export type Known = {
  readonly kind: 'known'
  readonly status: Outcome
  readonly code: string
  readonly bankReference?: string
}
/** The bank did not take the order, and never will: nothing is paid. "Duplicate reference" is not one of these. */
export type Refused = { readonly kind: 'refused'; readonly code: string }
/** Silence, an error, a page of HTML, a code that no table has, "no such order". `why` is in the adapter's own words: it is logged. */
export type Unknown = { readonly kind: 'unknown'; readonly why: string }

export type Forwarded = Accepted | Known | Refused | Unknown
/** A refused question says nothing about the money, so `refused` is missing here. */
export type Asked = Accepted | Known | Unknown

/** An order on its way. `reference` is what the bank knows it by; `bankReference` is what the bank called it, if it has said so. */
export type Outgoing<C = Contents> = C & { readonly reference: string; readonly bankReference?: string }
/** After the signal the call is over: its outcome is unknown, whatever it still returns. */
export type Limits = { readonly signal: AbortSignal }

export type OrderMapping<C = Contents> = {
  /** What the bank will know the order by, where it does not take thirty digits: always the same for one session. */
  readonly reference?: (sessionId: string) => string
  /** Called once per order, ever. */
  readonly forward: (order: Outgoing<C>, limits: Limits) => Promise<Forwarded>
  /** What became of it? Called as often as the gateway inquires. */
  readonly ask: (order: Outgoing<C>, limits: Limits) => Promise<Asked>
}

const OUTCOMES: readonly string[] = ['SUCCESS', 'FAILED', 'REVERSED'] satisfies Outcome[]
/** Codes that say that the money has not been decided on. */
const UNDECIDED = new Set(['01', '09', '25', '96', '97'])

/** A result as the types promise it, or `unknown`: an adapter in plain JavaScript, or one with a hole in its table, fails no payout. */
export function sound(said: Forwarded, mayRefuse: boolean, codes: Readonly<Record<string, string>>): Forwarded {
  const { kind }: { readonly kind: string } = said
  if (said.kind === 'accepted' || said.kind === 'unknown') return said
  if (kind !== 'known' && kind !== 'refused')
    return { kind: 'unknown', why: 'the adapter gave a result of no known kind' }
  if (said.kind === 'refused' && !mayRefuse) return { kind: 'unknown', why: 'the bank refused the question' }
  const status: string = said.kind === 'refused' ? 'FAILED' : said.status
  if (!OUTCOMES.includes(status)) return { kind: 'unknown', why: 'the adapter gave a status that is not an outcome' }
  if (!Object.hasOwn(codes, said.code))
    return { kind: 'unknown', why: 'the adapter gave a code that the network does not have' }
  if ((said.code === '00') !== (status === 'SUCCESS'))
    return { kind: 'unknown', why: `the adapter gave code ${said.code} with ${status}` }
  if (status === 'FAILED' && UNDECIDED.has(said.code))
    return { kind: 'unknown', why: `code ${said.code} does not say that the payout failed` }
  return said
}
