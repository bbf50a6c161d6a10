// Every identifier says where it lives: each carries the two digits of its cell, so any process can route any
// request and any notice of a bank without looking anything up. Text that is not an identifier gives null.

import { fail } from './fail.ts'
import { stampText } from './times.ts'

export type CellId = string

/** An id is the West African month in which it was given out and twelve digits of serial. Tables that grow
 *  are partitioned by ranges of ids, and so by months; whoever has an id has the partition too. */
const SERIALS = 1_000_000_000_000n
/** `202611n`. */
export const monthAt = (at: Date): bigint => BigInt(stampText(at).slice(0, 6))
export const monthAfter = (month: bigint): bigint => month + (month % 100n === 12n ? 89n : 1n)
export const monthBefore = (month: bigint, months: number): bigint => {
  const count = (month / 100n) * 12n + (month % 100n) - 1n - BigInt(months)
  return (count / 12n) * 100n + (count % 12n) + 1n
}
export const firstIdInMonth = (month: bigint): bigint => month * SERIALS
export const monthOfId = (id: bigint): bigint => id / SERIALS

export const transactionReference = (cell: CellId, stamp: string, id: bigint): string =>
  `CWRY|${cell}|${stamp}|${String(id % 1_000_000n).padStart(6, '0')}`

/** What a refund is known by here; merchants have a reference of their own for it. */
export const refundReference = (cell: CellId, stamp: string, id: bigint): string =>
  `CWRF|${cell}|${stamp}|${String(id % 1_000_000n).padStart(6, '0')}`

/** Of the references that we make, those that tell nothing and open nothing; whatever else is of another form
 *  is somebody's own text. */
const OWN = /^CW(?:R[YF]\|\d\d\|20\d{12}\|\d{6}|(?:DS|DB|BP)\d\d20\d{18}[0-9A-Z]{6}|DD\|\d\d[0-9A-HJKMNP-TV-Z]{26})$/
export const isOwnReference = (text: string): boolean => OWN.test(text)

const REFERENCE = /^CWRY\|(\d\d)\|\d{14}\|\d{6}$/
export const cellOfReference = (reference: string): CellId | null => REFERENCE.exec(reference)?.[1] ?? null

/** Letters and digits only: what an issuer knows a card charge by. */
export const cardChargeReference = (cell: CellId, id: bigint): string => `CWCH${cell}${String(id).padStart(18, '0')}`
const CARD_CHARGE = /^CWCH(\d\d)\d{18,19}$/
export const cellOfCardCharge = (reference: string): CellId | null => CARD_CHARGE.exec(reference)?.[1] ?? null

/** Who the licensed company is to the networks and banks. */
export type Institution = {
  /** Six digits: the instant payment network's code for it, with which the sessions of its payouts begin. */
  readonly code: string
  /** The banks that issue numbers; the first one issues those of single payments and of wallets. */
  readonly issuingBanks: readonly [first: string, ...others: string[]]
  /** What a payer is shown as the holder of numbers that a bank issues. */
  readonly accountName: string
}

/** The connector at BANK_URL, and the only one unless CONNECTORS names others: its name, and its number in
 *  every cell. */
export const FIRST_CONNECTOR = 'bank'
export const FIRST_CONNECTOR_ID = 1
/** Whoever charges cards behind a connector, beside the codes of the banks that it reaches. */
export const CARDS = 'cards'

/** What a bank knows a payout by: its network's digits for us, the West African second, the cell, ten digits
 *  of the id. Allocated once and kept with the payout. Ids repeat their ten digits after ten thousand
 *  million; two payouts would share a session only if a cell allocated that many within one second (or, as
 *  the year has two digits, a hundred years on). */
export const payoutSessionId = (institution: Institution, cell: CellId, at: Date, id: bigint): string =>
  `${institution.code}${stampText(at).slice(2)}${cell}${String(id % 10_000_000_000n).padStart(10, '0')}`
const PAYOUT_SESSION = /^(\d{6})\d{12}(\d\d)\d{10}$/
export const cellOfPayoutSession = ({ code }: Institution, sessionId: string): CellId | null => {
  const [, ours, cell] = PAYOUT_SESSION.exec(sessionId) ?? []
  return ours === code ? (cell ?? null) : null
}

const API_KEY = /^MK_(?:TEST|PROD)_(\d\d)[A-Z0-9]{8}$/
export const cellOfApiKey = (apiKey: string): CellId | null => API_KEY.exec(apiKey)?.[1] ?? null

/** What a merchant is known by at the operator's before it has an API key, and after: cell and id. */
export const applicationReference = (cell: CellId, id: bigint): string => `CWMA${cell}${id}`
const APPLICATION = /^CWMA(\d\d)(\d{1,18})$/
export const parseApplication = (reference: string): { cell: CellId; id: bigint } | null => {
  const [, cell, id] = APPLICATION.exec(reference) ?? []
  return cell === undefined || id === undefined ? null : { cell, id: BigInt(id) }
}

/** The token of a one-time link: the cell, and 64 hexadecimal digits that nobody guesses. */
export const keyLinkToken = (cell: CellId, tail: string): string => cell + tail
export const cellOfKeyLink = (token: string): CellId | null => /^(\d\d)[0-9a-f]{64}$/.exec(token)?.[1] ?? null

/** What waits for a second person: `CWAP01202611000000010007`. */
export const approvalReference = (cell: CellId, id: bigint): string => `CWAP${cell}${id}`
const APPROVAL = /^CWAP(\d\d)(\d{1,18})$/
export const parseApproval = (reference: string): { cell: CellId; id: bigint } | null => {
  const [, cell, id] = APPROVAL.exec(reference) ?? []
  return cell !== undefined && id !== undefined ? { cell, id: BigInt(id) } : null
}

export const CELL = /^\d\d$/

/** `CWDS0120260502140731000042QW7RTY`: kind, cell, moment, six digits of the id, six characters that nobody
 *  guesses. */
const payoutReference =
  (kind: 'CWDS' | 'CWDB' | 'CWBP') =>
  (cell: CellId, stamp: string, id: bigint, tail: string): string =>
    `${kind}${cell}${stamp}${String(id % 1_000_000n).padStart(6, '0')}${tail}`
export const disbursementReference = payoutReference('CWDS')
export const batchReference = payoutReference('CWDB')
export const billReference = payoutReference('CWBP')

/** A line of the statement of a wallet: cell, and the id of its posting. */
export const walletTransactionReference = (cell: CellId, transferId: bigint): string => `CWWT${cell}${transferId}`

/** What a merchant knows an event by: the header webhook-id, and the name in the log. */
export const eventText = (cell: CellId, id: bigint): string => `evt_${cell}_${id}`

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** A ULID: ten characters of the moment, sixteen that nobody guesses (five bits of each byte). */
function ulid(at: Date, random: Uint8Array): string {
  let ms = at.getTime()
  let text = ''
  for (let place = 0; place < 10; place += 1) {
    text = `${CROCKFORD[ms % 32]}${text}`
    ms = Math.floor(ms / 32)
  }
  return text + Array.from(random.subarray(0, 16), (byte) => CROCKFORD[byte % 32]).join('')
}
/** `CWDD|0101J9ZQ4T7M8K2V5XNC3B6HWRPD`: cell and ULID; `random` is sixteen bytes. */
export const mandateCode = (cell: CellId, at: Date, random: Uint8Array): string => `CWDD|${cell}${ulid(at, random)}`
const MANDATE = /^CWDD\|(\d\d)[0-9A-HJKMNP-TV-Z]{26}$/
export const cellOfMandate = (code: string): CellId | null => MANDATE.exec(code)?.[1] ?? null

/** `CWPC-013f0c9be2d14a7781c5e6ab90d24f17`: the cell, and thirty hexadecimal digits that nobody guesses. */
export const paycodeReference = (cell: CellId, tail: string): string => `CWPC-${cell}${tail}`
/** What a beneficiary tells an agent: ten digits, of which the first two are the cell. */
export const toPaycode = (cell: CellId, tail: string): string => cell + tail
export const cellOfPaycode = (code: string): CellId | null => /^(\d\d)\d{8}$/.exec(code)?.[1] ?? null

/** `CWPL01Q4KX0Q2WM8Z1`: the cell, and twelve letters and digits that nobody guesses. */
export const paymentLinkCode = (cell: CellId, tail: string): string => `CWPL${cell}${tail}`
export const cellOfPaymentLink = (code: string): CellId | null => /^CWPL(\d\d)[A-Z0-9]{12}$/.exec(code)?.[1] ?? null

/** Twenty letters and digits: the cell, and eighteen that nobody guesses. */
export const settlementReference = (cell: CellId, tail: string): string => cell + tail

/** Gives ids that were taken one after the other, so that nobody counts places in an array. */
export function idsFrom(ids: readonly bigint[]): () => bigint {
  let at = 0
  return () => ids[at++] ?? fail('INTERNAL', {}, `only ${ids.length} ids were taken`)
}
