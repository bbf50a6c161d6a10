// What an adapter tells the kit of its bank. Each result is one of a few kinds, and there is none for
// "probably failed": whatever the adapter does not know for certain is `unknown`, and stays PENDING until the
// bank says something certain.
import type { Contents } from './contents.ts'

export type Outcome = 'SUCCESS' | 'FAILED' | 'REVERSED'

/** What a bank may say of an order beside its outcome. */
export type Details = {
  /** By which the adapter finds the order again. */
  readonly bankReference?: string
  /** By which people find it: the name of the payout in the network, and on the bank's statement. 1 to 60
   *  characters without spaces. */
  readonly networkReference?: string
  /** What the bank charges for it. */
  readonly feeKobo?: bigint
}
/** The bank has the order; its outcome comes later. */
export type Accepted = Details & { readonly kind: 'accepted' }
/** The bank's word about the money. `code` is the response code of the instant payment network; of a refund
 *  to a card, ISO 8583 field 39. */
export type Known = Details & {
  readonly kind: 'known'
  readonly status: Outcome
  readonly code: string
}
/** The bank did not take the order, and never will: nothing is paid. "Duplicate reference" is not one of
 *  these. */
export type Refused = { readonly kind: 'refused'; readonly code: string }
/** Silence, an error, a page of HTML, a code that no table has, "no such order". `why` is in the adapter's
 *  own words: it is logged. */
export type Unknown = { readonly kind: 'unknown'; readonly why: string }

export type Forwarded = Accepted | Known | Refused | Unknown
/** A refused question says nothing about the money, so `refused` is missing here. */
export type Asked = Accepted | Known | Unknown

/** An order on its way. `reference` is what the bank knows it by; `bankReference` is what the bank called it,
 *  if it has said so. `nameEnquiryReference` is there only while the gateway waits that sent it. */
export type Outgoing<C = Contents> = C & {
  readonly reference: string
  readonly bankReference?: string
  readonly nameEnquiryReference?: string
}
/** An order that can be sent: `forward` is called once, after it was marked, or never. */
export type Ready = { readonly kind: 'ready'; readonly forward: (limits: Limits) => Promise<Forwarded> }
/** After the signal the call is over: its outcome is unknown, whatever it still returns. */
export type Limits = { readonly signal: AbortSignal }

export type OrderMapping<C = Contents> = {
  /** What the bank will know the order by, where it does not take thirty digits: always the same for one
   *  session. */
  readonly reference?: (sessionId: string) => string
  /** What must be asked before an order can be sent, a name for example. It moves no money, and is called
   *  before the order is marked as forwarded: as often as needed, by several processes at once perhaps. What
   *  ends here was never sent and never will be, so it has FAILED. */
  readonly prepare?: (order: Outgoing<C>, limits: Limits) => Promise<Ready | Refused>
  /** Called once per order, ever. Where there is `prepare`, what that gave is called instead. */
  readonly forward: (order: Outgoing<C>, limits: Limits) => Promise<Forwarded>
  /** What became of it? Called as often as the gateway inquires. */
  readonly ask: (order: Outgoing<C>, limits: Limits) => Promise<Asked>
}

const OUTCOMES: readonly string[] = ['SUCCESS', 'FAILED', 'REVERSED'] satisfies Outcome[]
/** Codes that say that the money has not been decided on. */
const UNDECIDED = new Set(['01', '09', '25', '96', '97'])

/** A result as the types promise it, or `unknown`: an adapter in plain JavaScript, or one with a hole in its
 *  table, fails no payout. */
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

const NETWORK_REFERENCE = /^[!-~]{1,60}$/
const FEE_MOST = 10n ** 15n

/** What the bank said beside the outcome, as far as it can be passed on: the rest is left out, because an
 *  outcome does not wait for it. */
export function detailsIn(said: Forwarded): {
  readonly networkReference: string | null
  readonly feeKobo: bigint | null
} {
  const { networkReference = '', feeKobo = -1n } = said.kind === 'known' || said.kind === 'accepted' ? said : {}
  return {
    networkReference: NETWORK_REFERENCE.test(networkReference) ? networkReference : null,
    feeKobo: feeKobo >= 0n && feeKobo < FEE_MOST ? feeKobo : null,
  }
}
