// What the network's response codes say of the money. A code is a failure here only where it cannot mean
// anything else: public lists contradict each other about 68, 91, 92, 94, 96 and 97, so those leave a payout
// PENDING until a status query says something certain. Maps, not objects: whatever NIBSS sends as a code is
// looked up, also `constructor`.
import type { Accepted, Known, Unknown } from '@cowrie/connector-kit'

const NO_ACTION = '21'
const NOT_PERMITTED = '57'
const to = (own: string, ...codes: string[]) => codes.map((code) => [code, own] as const)
const same = (...codes: string[]) => codes.map((code) => [code, code] as const)

/** Not paid, said of the money or of the account that was to get it: as the answer to a transfer and to a
 *  status query. With the code that the gateway knows it by; 51 is an account of our own that lacks the
 *  money, and the gateway's codes would blame the beneficiary. */
const NOT_PAID = new Map([
  ...same('05', '06', '07', '08', '13', '34', '61', '69'),
  ...to(NO_ACTION, '51'),
  ...to('61', '65'),
])

/** Not taken, said of a message: certain as the answer to a transfer. To a status query it may be about the
 *  query. */
const NOT_TAKEN = new Map([
  ...same('15', '16', NO_ACTION, NOT_PERMITTED),
  ...to(NOT_PERMITTED, '03', '58'),
  ...to(NO_ACTION, '12', '17', '18', '30', '63', '71'),
])

const UNDER_WAY = new Set(['01', '09'])

/** Codes that are published and decide nothing. Every code in no list is treated as they are. */
const OPEN = new Set([
  ...['14', '25', '26', '35', '68', '70', '91', '92', '94', '96', '97', '98', '99'],
  ...['A1', 'A4', 'A5', 'A9'],
])

/** What became of a transfer, by the code of its answer or of the answer to a query about it. */
export function outcomeOf(code: string, about: 'transfer' | 'query'): Known | Accepted | Unknown {
  if (code === '00') return { kind: 'known', status: 'SUCCESS', code }
  if (UNDER_WAY.has(code)) return { kind: 'accepted' }
  const failure = NOT_PAID.get(code) ?? (about === 'transfer' ? NOT_TAKEN.get(code) : undefined)
  if (failure !== undefined) return { kind: 'known', status: 'FAILED', code: failure }
  // What else is in that field is not repeated: it goes into a log.
  if (OPEN.has(code) || NOT_TAKEN.has(code)) return { kind: 'unknown', why: `${about}: code ${code} decides nothing` }
  return { kind: 'unknown', why: `${about}: a code that is in no list` }
}

/** Why a transfer is not sent, by the code of the name enquiry before it. */
export const refusalOf = (code: string): string =>
  code === '91' || code === '97' ? '91' : (NOT_PAID.get(code) ?? NOT_TAKEN.get(code) ?? NO_ACTION)

/** Every code that some list has. */
export const CODES: readonly string[] = ['00', ...UNDER_WAY, ...NOT_PAID.keys(), ...NOT_TAKEN.keys(), ...OPEN]
