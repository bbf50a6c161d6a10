// The network's published response codes, and what each says of the money of a transfer: by its answer, and
// by the answer to a status query. Written apart from the adapter's table, so that a slip there cannot agree
// with itself.

export type Outcome = 'SUCCESS' | 'FAILED' | 'PENDING'

const rows = (outcome: Outcome, ...codes: string[]) => codes.map((code) => ({ code, outcome }))

const SURE = [
  ...rows('SUCCESS', '00'),
  ...rows('PENDING', '01', '09', '14', '25', '26', '35', '68', '70', '91', '92', '94', '96', '97', '98', '99'),
  ...rows('PENDING', 'A1', 'A4', 'A5', 'A9'),
  ...rows('FAILED', '05', '06', '07', '08', '13', '34', '51', '61', '65', '69'),
]
/** Of a query these say nothing: the query itself may be meant. */
const OF_THE_MESSAGE = ['03', '12', '15', '16', '17', '18', '21', '30', '57', '58', '63', '71']

export const PUBLISHED = [
  ...[...SURE, ...rows('FAILED', ...OF_THE_MESSAGE)].map((row) => ({ ...row, on: 'order' as const })),
  ...[...SURE, ...rows('PENDING', ...OF_THE_MESSAGE)].map((row) => ({ ...row, on: 'inquiry' as const })),
]

/** What an order becomes that is taken and answered with this code; one that nobody knows is decided
 *  later. */
export const bookedAs = (code: string): Outcome =>
  PUBLISHED.find((row) => row.on === 'order' && row.code === code)?.outcome ?? 'PENDING'
