// What a break comes to: by how much the bank holds more than our books say, as its statement shows it now.
// Only what a statement shows counts; what a notice said and no statement bears out has no difference yet.
import { INWARD_KINDS } from '@cowrie/contract/bank/statement-connector'
import { type BreakRow, findIn } from '#features/bank/breaks/breaks.ts'
import type { Read } from '#kit/ctx.ts'
import * as sql from './difference.sql.ts'
import { KNOWN_KINDS } from './match.sql.ts'

export type Difference = {
  readonly row: BreakRow
  /** Above zero: the bank holds more than our books say. */
  readonly kobo: bigint
  /** The first line of its session; null where the bank has none. */
  readonly line: sql.BookedLine | null
  /** Whether our books know such a kind of line. */
  readonly known: boolean
  /** What we have under its session: its state, or null. */
  readonly state: string | null
  readonly booked: boolean
}
/** Why there is none, in words. */
export type NoDifference = {
  readonly row: BreakRow
  readonly why: string
  /** Both sides agree by now, or time alone ends it: nothing is lost by closing it. */
  readonly agreed: boolean
}

const INWARD: ReadonlySet<string> = new Set(INWARD_KINDS)
const directed = ({ direction, kobo }: sql.BookedLine): bigint => (direction === 'IN' ? kobo : -kobo)
/** States from which the bank's next word still moves something of ours. */
const OVER: ReadonlySet<string> = new Set(['FAILED', 'EXPIRED', 'CANCELLED', 'RETURNED', 'REASSIGNED', 'REVERSED'])

/** What an issuer says of a refund to a card is on no statement of a bank: two people take it as it was
 *  said. */
export const isOfCards = ({ kind }: Pick<BreakRow, 'kind'>): boolean => kind.startsWith('CARD_REFUND')
/** Above zero: the acquirer owes us more than our books say. */
const toldOfCards = ({ class: cls, kind, bank_kobo, our_kobo }: BreakRow): bigint => {
  if (cls === 'MISSING_HERE') return -(bank_kobo ?? 0n)
  return kind === 'CARD_REFUND' ? (our_kobo ?? 0n) : -(our_kobo ?? 0n)
}

export async function findDifference(read: Read, id: bigint): Promise<Difference | NoDifference | null> {
  const row = await findIn(read, id)
  if (!row) return null
  const none = (why: string, agreed = false): NoDifference => ({ row, why, agreed })
  if (row.status !== 'OPEN') return none('it is resolved', true)
  if (row.class === 'BALANCE') return none('the two agree as of the last statement', true)
  if (row.class === 'TIMING') return none('the bank may still book it', true)
  if (isOfCards(row)) return { row, kobo: toldOfCards(row), line: null, known: true, state: null, booked: false }
  const lines = await sql.listLines(read, row)
  if (row.class === 'TRANSIT') {
    const [side = null] = lines
    return side
      ? { row, kobo: directed(side), line: side, known: true, state: null, booked: true }
      : none('no statement of the bank shows it')
  }
  const [line = null, ...again] = lines
  const known = KNOWN_KINDS.includes(row.kind)
  const ours = known && line ? await sql.findOurs(read, row) : null
  const state = ours?.state ?? null
  const booked = ours?.booked ?? false
  const found = (kobo: bigint) =>
    kobo === 0n ? none('both have the same', true) : { row, kobo, line, known, state, booked }
  if (row.class === 'MISSING_THERE') {
    if (line) return none('the bank has booked it since', true)
    if (!known) return none('no statement has such lines')
    // Opened by a notice: the statement of its day may have it yet.
    if (await sql.isAwaited(read, row)) return none('the bank may still book it')
    const kobo = row.our_kobo ?? 0n
    return found(INWARD.has(row.kind) ? -kobo : kobo)
  }
  // A large reversal that a notice told of: our books have not followed it.
  if (!line && row.class === 'REVERSAL' && row.kind.endsWith('_REVERSAL') && !(await sql.isAwaited(read, row)))
    return none('no statement has it, and neither have our books', true)
  if (!line) return none('no statement of the bank shows it')
  if (row.class === 'DUPLICATE') {
    const one = again[row.place - 1]
    return one ? found(directed(one)) : none('the statement has it no more')
  }
  if (booked) {
    const more = line.kobo - (ours?.our_kobo ?? 0n)
    return row.class === 'AMOUNT' ? found(INWARD.has(row.kind) ? more : -more) : none('our books have it since', true)
  }
  if (state !== null && !OVER.has(state)) return none(`with us it is ${state}, and follows the bank`)
  return found(directed(line))
}

/** What the bank's statement has under the session of a break, whether or not a difference is left: the first
 *  line of it. */
export const findLine = async (read: Read, row: BreakRow): Promise<sql.BookedLine | null> =>
  (await sql.listLines(read, row))[0] ?? null
