// What the network's response codes say of the money. A code is a failure here only where it cannot mean anything else: public lists contradict
// each other about 68, 91, 92, 94, 96 and 97, so those leave a payout PENDING until a status query says something certain.
import type { Accepted, Known, Unknown } from '@cowrie/connector-kit'

/** Not an object: whatever NIBSS sends as a code is looked up, also `constructor`. */
const table = (rows: Readonly<Record<string, string>>): ReadonlyMap<string, string> => new Map(Object.entries(rows))

/** Not paid, said of the money or of the account that was to get it: as the answer to a transfer and to a status query. The value is the code
 *  that the gateway knows it by. */
const NOT_PAID = table({
  '05': '05',
  '06': '06',
  '07': '07',
  '08': '08',
  '13': '13',
  '34': '34',
  // Our own account lacks the money; the gateway's code for that would blame the beneficiary.
  '51': '21',
  '61': '61',
  '65': '61',
  '69': '69',
})

/** Not taken, said of a message: certain as the answer to a transfer. To a status query it may be about the query. */
const NOT_TAKEN = table({
  '03': '57',
  '12': '21',
  '15': '15',
  '16': '16',
  '17': '21',
  '18': '21',
  '21': '21',
  '30': '21',
  '57': '57',
  '58': '57',
  '63': '21',
  '71': '21',
})

const UNDER_WAY: ReadonlySet<string> = new Set(['01', '09'])

/** Codes that decide nothing: known, so that a log can say which one it was. Every code in no table is treated as they are. */
const OPEN = table({
  '14': 'a batch is meant',
  '25': 'no such order, or not yet',
  '26': 'an order of this name is there already',
  '35': 'the sending bank is to be asked',
  '68': 'the answer came too late',
  '70': 'an unblocking failed',
  '91': "the beneficiary's bank was away",
  '92': 'routing failed',
  '94': 'an order of this name is there already',
  '96': 'the network failed',
  '97': "the beneficiary's bank did not answer in time",
  '98': 'two meanings are in use',
  '99': 'the call failed on its way',
  A1: 'this client is disabled',
  A4: 'a field was empty',
  A5: 'a field was not valid',
  A9: 'the network could not process it, and asks to try again',
})

export type About = 'transfer' | 'query'

/** What became of a transfer, by the code of its answer or of the answer to a query about it. */
export function outcomeOf(code: string, about: About): Known | Accepted | Unknown {
  if (code === '00') return { kind: 'known', status: 'SUCCESS', code }
  if (UNDER_WAY.has(code)) return { kind: 'accepted' }
  const failure = NOT_PAID.get(code) ?? (about === 'transfer' ? NOT_TAKEN.get(code) : undefined)
  if (failure !== undefined) return { kind: 'known', status: 'FAILED', code: failure }
  const why = OPEN.get(code) ?? (NOT_TAKEN.has(code) ? 'it may be about the query' : 'no table has it')
  return { kind: 'unknown', why: `code ${/^[0-9A-Z]{1,3}$/.test(code) ? code : 'of another form'}: ${why}` }
}

const NO_ACTION = '21'
/** Why a transfer is not sent, by the code of the name enquiry before it. */
export const refusalOf = (code: string): string =>
  code === '91' || code === '97' ? '91' : (NOT_PAID.get(code) ?? NOT_TAKEN.get(code) ?? NO_ACTION)

/** Every code that some table has. */
export const CODES: readonly string[] = ['00', ...UNDER_WAY, ...NOT_PAID.keys(), ...NOT_TAKEN.keys(), ...OPEN.keys()]
