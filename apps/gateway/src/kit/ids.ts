// Every identifier says where it lives: each carries the two digits of its cell, so any process can route any request
// and any notice of a bank without looking anything up. Text that is no identifier gives null.

export type CellId = string

export const transactionReference = (cell: CellId, stamp: string, id: bigint): string =>
  `CWRY|${cell}|${stamp}|${String(id % 1_000_000n).padStart(6, '0')}`

const REFERENCE = /^CWRY\|(\d\d)\|\d{14}\|\d{6}$/
export const cellOfReference = (reference: string): CellId | null => REFERENCE.exec(reference)?.[1] ?? null

/** Letters and digits only: what an issuer knows a card charge by. */
export const cardChargeReference = (cell: CellId, id: bigint): string => `CWCH${cell}${String(id).padStart(18, '0')}`
const CARD_CHARGE = /^CWCH(\d\d)\d{18,19}$/
export const cellOfCardCharge = (reference: string): CellId | null => CARD_CHARGE.exec(reference)?.[1] ?? null

const API_KEY = /^MK_(?:TEST|PROD)_(\d\d)[A-Z0-9]{8}$/
export const cellOfApiKey = (apiKey: string): CellId | null => API_KEY.exec(apiKey)?.[1] ?? null

const ACCOUNT_NUMBER = /^(\d\d)\d{8}$/
export const cellOfAccountNumber = (accountNumber: string): CellId | null =>
  ACCOUNT_NUMBER.exec(accountNumber)?.[1] ?? null

export const CELL = /^\d\d$/

/** What a merchant knows an event by: the header webhook-id, and the name in the log. */
export const eventText = (cell: CellId, id: bigint): string => `evt_${cell}_${id}`
