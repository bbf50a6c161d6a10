// What is printed wrong on purpose. A fault names one line by its session and kind, and is applied when the
// day of that line is printed; what was printed before stays. `stranger` and `invented` make a line up, on
// the next day that is printed.

export const FAULTS = [
  'missing',
  'amount',
  'duplicate',
  'late',
  'dayOnly',
  'stranger',
  'invented',
  'mute',
  'balance',
] as const
export type Fault = (typeof FAULTS)[number]
/** The closing balance of every day that is printed is off by so much, and no line says why. */
export const FAULTY_BALANCE = 'balance'
/** Not of the statement: the notice of a session is never sent. */
export const MUTE_NOTICE = 'mute'
