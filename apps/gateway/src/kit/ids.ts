// Every identifier says where it lives: each carries the two digits of its cell, so any process can route any request
// and any notice of a bank without looking anything up. Text that is no identifier gives null.

import { stampText } from './times.ts'

export type CellId = string

export const transactionReference = (cell: CellId, stamp: string, id: bigint): string =>
  `CWRY|${cell}|${stamp}|${String(id % 1_000_000n).padStart(6, '0')}`

const REFERENCE = /^CWRY\|(\d\d)\|\d{14}\|\d{6}$/
export const cellOfReference = (reference: string): CellId | null => REFERENCE.exec(reference)?.[1] ?? null

/** Letters and digits only: what an issuer knows a card charge by. */
export const cardChargeReference = (cell: CellId, id: bigint): string => `CWCH${cell}${String(id).padStart(18, '0')}`
const CARD_CHARGE = /^CWCH(\d\d)\d{18,19}$/
export const cellOfCardCharge = (reference: string): CellId | null => CARD_CHARGE.exec(reference)?.[1] ?? null

/** What a bank knows a payout by: its network's digits for us, the West African second, the cell, ten digits of the id.
 *  Drawn once and kept with the payout. Ids repeat their ten digits after ten thousand million; two payouts would share
 *  a session only if a cell drew that many within one second (or, as the year has two digits, a hundred years on). */
export const payoutSessionId = (cell: CellId, at: Date, id: bigint): string =>
  `000013${stampText(at).slice(2)}${cell}${String(id % 10_000_000_000n).padStart(10, '0')}`
const PAYOUT_SESSION = /^000013\d{12}(\d\d)\d{10}$/
export const cellOfPayoutSession = (sessionId: string): CellId | null => PAYOUT_SESSION.exec(sessionId)?.[1] ?? null

const API_KEY = /^MK_(?:TEST|PROD)_(\d\d)[A-Z0-9]{8}$/
export const cellOfApiKey = (apiKey: string): CellId | null => API_KEY.exec(apiKey)?.[1] ?? null

const ACCOUNT_NUMBER = /^(\d\d)\d{8}$/
export const cellOfAccountNumber = (accountNumber: string): CellId | null =>
  ACCOUNT_NUMBER.exec(accountNumber)?.[1] ?? null

export const CELL = /^\d\d$/

/** `CWDS0120260502140731000042QW7RTY`: kind, cell, moment, six digits of the id, six characters that nobody guesses. */
const payoutReference =
  (kind: 'CWDS' | 'CWDB') =>
  (cell: CellId, stamp: string, id: bigint, tail: string): string =>
    `${kind}${cell}${stamp}${String(id % 1_000_000n).padStart(6, '0')}${tail}`
export const disbursementReference = payoutReference('CWDS')
export const batchReference = payoutReference('CWDB')

/** What a merchant knows an event by: the header webhook-id, and the name in the log. */
export const eventText = (cell: CellId, id: bigint): string => `evt_${cell}_${id}`

/** Twenty letters and digits: the cell, and eighteen that nobody guesses. */
export const settlementReference = (cell: CellId, tail: string): string => cell + tail
