// Ranges of account numbers lead to cells: every process knows those of all cells, so a notice of a bank is
// routed without a look-up. A number that no known range has may be of a range that was added a moment ago:
// then the ranges are read again.
import type { Cell, Ranges, Read, Statement } from '#kit/ctx.ts'
import { fail } from '#kit/fail.ts'
import type { CellId } from '#kit/ids.ts'
import { CannotStart } from '#kit/process.ts'
import { EVERY_BANK, type Purpose } from './numbers.ts'

/** A number that somebody took meanwhile is replaced by another so often. */
export const ISSUE_TRIES = 5

export type Range = {
  readonly id: number
  readonly cell: CellId
  readonly bank_code: string
  readonly purpose: Purpose
  readonly first_serial: bigint
  readonly last_serial: bigint
}

const NUMBER = /^\d{10}$/

const LIST: Statement = {
  name: 'ranges_list',
  text: 'select id, cell, bank_code, purpose, first_serial, last_serial from number_ranges order by first_serial, id',
}
/** A new cell has the numbers that begin with its two digits, at every bank: seven tenths for payments, the
 *  rest for customers. */
const FOUND: Statement = {
  name: 'ranges_found',
  text: `
insert into number_ranges (bank_code, first_serial, last_serial, cell, purpose, next_serial)
select '${EVERY_BANK}', $1::bigint * 10000000 + first, $1::bigint * 10000000 + last, lpad($1::text, 2, '0'), purpose, $1::bigint * 10000000 + first
from (values (0, 6999999, 'PAYMENT'), (7000000, 9999999, 'RESERVED')) as x(first, last, purpose)
where pg_try_advisory_xact_lock(hashtext('cowrie.ranges')) and not exists (select from number_ranges)`,
}

/** A payment's number counts from when it closed; a customer's is never given again. */
const LEFT: Statement = {
  name: 'ranges_left',
  text: `
-- all merchants: whoever has numbers of the range
select r.id, r.cell, r.bank_code, r.purpose, r.first_serial, r.last_serial, r.last_serial - r.first_serial + 1 as size,
  case r.purpose when 'RESERVED' then r.last_serial - r.next_serial + 1 else r.last_serial - r.first_serial + 1 - (
    select count(distinct left(v.account_number, 9)) from virtual_accounts v
    where v.account_number >= lpad(r.first_serial::text, 9, '0') and v.account_number <= lpad(r.last_serial::text, 9, '0') || '9'
      and r.bank_code in (v.bank_code, '${EVERY_BANK}') and v.expires_at >= $1) end as "left"
from number_ranges r order by r.purpose, r.first_serial, r.id`,
}
/** How many numbers of each range can be given now. */
export const numbersLeft = (read: Read, quarantineMs: number): Promise<(Range & { size: bigint; left: bigint })[]> =>
  read.query(LEFT, [new Date(read.now.getTime() - quarantineMs)])

const ADD: Statement = {
  name: 'ranges_add',
  text: `insert into number_ranges (bank_code, first_serial, last_serial, cell, purpose, next_serial) values ($1, $2, $3, $4, $5, $2)`,
}
/** Adds a range to its cell; throws what forbids it. Two operators at once are not expected; the next start
 *  would name the fault. */
export async function addRange(cells: ReadonlyMap<CellId, Cell>, range: Omit<Range, 'id'>): Promise<void> {
  const cell = cells.get(range.cell)
  if (!cell) throw new CannotStart(`cell ${range.cell} is not configured`)
  const known = await Promise.all(
    [...cells].map(async ([id, one]) => (await readRanges(one)).map((row) => ({ ...row, readFrom: id }))),
  )
  const fault = rangeFault([...known.flat(), { ...range, id: 0, readFrom: range.cell }])
  if (fault !== null) throw new CannotStart(fault)
  const { bank_code, first_serial, last_serial, purpose } = range
  await cell.engine.pool.query({ ...ADD, values: [bank_code, first_serial, last_serial, range.cell, purpose] })
}

const readRanges = async (cell: Cell): Promise<Range[]> =>
  (await cell.engine.pool.query<Range>({ name: LIST.name, text: LIST.text })).rows

/** Two ranges that share a number, or one that names another cell: money would go to the wrong one. */
export function rangeFault(ranges: readonly (Range & { readonly readFrom: CellId })[]): string | null {
  const foreign = ranges.find(({ cell, readFrom }) => cell !== readFrom)
  if (foreign)
    return `cell ${foreign.readFrom} has a range of cell ${foreign.cell}; does CELLS name the right database?`
  for (const [at, one] of ranges.entries())
    for (const other of ranges.slice(at + 1)) {
      const together =
        one.bank_code === other.bank_code || one.bank_code === EVERY_BANK || other.bank_code === EVERY_BANK
      if (together && one.first_serial <= other.last_serial && other.first_serial <= one.last_serial)
        return `the ranges ${wordsOf(one)} and ${wordsOf(other)} share account numbers`
    }
  return null
}
const wordsOf = ({ cell, bank_code, first_serial, last_serial }: Range): string =>
  `${first_serial} to ${last_serial} at bank ${bank_code} of cell ${cell}`

export function createRanges(cells: ReadonlyMap<CellId, Cell>): Ranges & {
  /** Before anything is routed to a cell; a new one gets its first ranges, unless nothing may be written. */
  open(cell: CellId, mayWrite: boolean): Promise<void>
} {
  /** What each cell said last. One that is away keeps its numbers. */
  const said = new Map<CellId, readonly Range[]>()
  let reading: Promise<readonly CellId[]> | null = null
  const keep = (id: CellId, ranges: readonly Range[]): void => {
    const all = new Map([...said, [id, ranges]])
    const fault = rangeFault([...all].flatMap(([readFrom, list]) => list.map((range) => ({ ...range, readFrom }))))
    if (fault !== null) throw new CannotStart(fault)
    said.set(id, ranges)
  }
  /** Answers with the cells that could not be asked. */
  const readAgain = async (): Promise<readonly CellId[]> => {
    const found = await Promise.all(
      [...cells].map(async ([id, cell]) => ({
        id,
        ranges: cell.entry.closed === null ? await readRanges(cell).catch(() => null) : null,
      })),
    )
    for (const { id, ranges } of found) if (ranges !== null) keep(id, ranges)
    return found.filter(({ ranges }) => ranges === null).map(({ id }) => id)
  }
  const known = (bankCode: string, accountNumber: string): CellId | null => {
    if (!NUMBER.test(accountNumber)) return null
    const serial = BigInt(accountNumber.slice(0, 9))
    const holds = (range: Range): boolean =>
      range.first_serial <= serial &&
      serial <= range.last_serial &&
      (range.bank_code === bankCode || range.bank_code === EVERY_BANK)
    for (const ranges of said.values()) {
      const range = ranges.find(holds)
      if (range) return range.cell
    }
    return null
  }
  return {
    open: async (id, mayWrite) => {
      const cell = cells.get(id)
      if (!cell) throw new CannotStart(`cell ${id} is not configured`)
      if (mayWrite) await cell.engine.pool.query({ ...FOUND, values: [Number(id)] })
      keep(id, await readRanges(cell))
    },
    known,
    cellOf: async (bankCode, accountNumber) => {
      const cell = known(bankCode, accountNumber)
      if (cell !== null || !NUMBER.test(accountNumber)) return cell
      reading ??= readAgain().finally(() => {
        reading = null
      })
      const unasked = await reading
      const found = known(bankCode, accountNumber)
      // It may be a number of theirs. "Unknown" would be final to a bank, and the money would stay there.
      if (found === null && unasked.length > 0)
        fail('UNAVAILABLE', {}, `the account numbers of cell ${unasked.join(', ')} could not be read`)
      return found
    },
  }
}
