// What a response code says about the money. Providus passes the codes of the instant payment network on, and
// adds some of its own. Only what is certain is in the table. A code that is not there leaves the payout
// pending: nothing fails by a guess.

/** `failed`: nothing was paid and nothing will be. Its code is the one of the protocol that says most. */
export type Meaning =
  | { readonly kind: 'success' }
  | { readonly kind: 'failed'; readonly code: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'unknown'; readonly why: string }

const failed = (code: string): Meaning => ({ kind: 'failed', code })
const unknown = (why: string): Meaning => ({ kind: 'unknown', why })

export const CODES: Readonly<Record<string, Meaning>> = {
  '00': { kind: 'success' },
  '09': { kind: 'pending' },
  // The network refused it.
  '05': failed('05'),
  '06': failed('06'),
  '07': failed('07'),
  '08': failed('08'),
  '12': failed('21'),
  '13': failed('13'),
  '16': failed('16'),
  '30': failed('21'),
  '34': failed('34'),
  '57': failed('57'),
  '58': failed('57'),
  '61': failed('61'),
  '65': failed('61'),
  '69': failed('69'),
  // Our own account has not enough.
  '51': failed('21'),
  // The network's own words for "nobody knows yet".
  '01': unknown('01 is "unknown" of the network, and "does not exist" of the bank'),
  '25': unknown('25: no record, or none yet'),
  '26': unknown('26: the record exists'),
  '68': unknown('68: the answer came too late'),
  '91': unknown('91: the other bank is away, before or after it was paid'),
  '92': unknown('92: the route failed'),
  '94': unknown('94: it was sent before'),
  '96': unknown('96: a system failed'),
  '97': unknown('97: the other bank did not answer in time'),
  // The bank's own.
  '03': unknown('03 is an exception at the bank'),
  '11': unknown('11: the operation was not completed'),
  '7709': unknown('7709: the reference exists, so an order was sent under it'),
}

export const meaningOf = (code: string): Meaning =>
  Object.hasOwn(CODES, code) && CODES[code] !== undefined ? CODES[code] : unknown('a code that the table does not have')
