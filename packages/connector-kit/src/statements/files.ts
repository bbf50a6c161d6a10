// Statements that a bank delivers as files: one for each day of West Africa, in a folder, under the name of the day (2026-11-18.mt940, .xml or .csv). Whoever fetches them
// puts them there whole, by renaming; any number of processes read them. A day without a file has no statement yet, and the gateway asks again.
//   file → read whole or not at all → every line named (names.ts) → money received that was never reported is asked about → the statement
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Store } from '../database/database.ts'
import type { Log } from '../log/log.ts'
import type { Limits } from '../orders/mapping.ts'
import type { StatementPage } from '../server/mapping.ts'
import { Unreadable, westAfricanDay } from './amounts.ts'
import type { BankFile, BankLine } from './bank-file.ts'
import { readCamt053 } from './camt053.ts'
import { type CsvForm, readCsv } from './csv.ts'
import { readMt940 } from './mt940.ts'
import { type Day, isUnheardOf, type Naming, nameLines } from './names.ts'
import { buildStatement } from './statement.ts'

export type StatementFiles = Store &
  Naming & {
    readonly folder: string
    readonly csv: CsvForm
    readonly log: Log
    /** Asks the bank about money received that it never reported. What it confirms is a notice, and the line has its name from then on.
     *  `open`: it has not said yet; the day waits for it, but not for long. */
    readonly recover?: (line: BankLine) => Promise<'open' | 'over'>
  }

const unknown = (why: string): StatementPage => ({ kind: 'unknown', why })
const RECOVERED_MOST = 200
/** After the end of a day: what the bank has not said by then a person decides about. */
const WAITED_FOR_MS = 24 * 3_600_000
const RECOVERED_TOGETHER = 8

const withoutBalances = (lines: readonly BankLine[], account: string): BankFile => ({
  account,
  opening: null,
  closing: null,
  lines,
})

type Reader = (text: string, csv: CsvForm, account: string) => BankFile
const READERS: Readonly<Record<string, Reader>> = {
  '.mt940': readMt940,
  '.sta': readMt940,
  '.xml': readCamt053,
  '.csv': (text, csv, account) => withoutBalances(readCsv(text, csv), account),
}

/** Null: there is none yet. */
async function fileOf(folder: string, date: string): Promise<string | null> {
  const names = (await readdir(folder)).filter(
    (name) => READERS[extname(name)] !== undefined && name === date + extname(name),
  )
  if (names.length > 1) throw new Unreadable('There are several files of one day')
  return names[0] === undefined ? null : join(folder, names[0])
}

function checkFile(file: BankFile, date: string, account: string): void {
  if (!file.account.includes(account)) throw new Unreadable('A file is of another account')
  const { from, until } = westAfricanDay(date)
  if (file.lines.some(({ bookedAt }) => bookedAt < from || bookedAt >= until))
    throw new Unreadable('A file has a line of another day than its name says')
}

const balancesOf = ({ opening, closing }: BankFile) =>
  opening === null || closing === null ? null : { opening, closing }

/** For the mapping of an adapter: `statement`. */
export function createStatementFiles(parts: StatementFiles) {
  const { pool, schema, clock, folder, csv, account, log, recover } = parts

  /** Null: the bank is still asked about money received. */
  const rowsOf = async (day: Day, signal: AbortSignal) => {
    const { date, lines } = day
    const rows = await nameLines(pool, schema, day, parts)
    const unheard = lines.filter((_, at) => rows[at] !== undefined && isUnheardOf(rows[at]))
    if (recover === undefined || unheard.length === 0) return rows
    const said: string[] = []
    for (let at = 0; at < Math.min(unheard.length, RECOVERED_MOST); at += RECOVERED_TOGETHER) {
      signal.throwIfAborted()
      said.push(...(await Promise.all(unheard.slice(at, at + RECOVERED_TOGETHER).map(recover))))
    }
    const isLate = clock.now().getTime() - westAfricanDay(date).until.getTime() > WAITED_FOR_MS
    return said.includes('open') && !isLate ? null : nameLines(pool, schema, day, parts)
  }

  return async (date: string, after: string | null, { signal }: Limits): Promise<StatementPage> => {
    try {
      const path = await fileOf(folder, date)
      if (path === null) return unknown('this day has no file yet')
      const file = (READERS[extname(path)] as Reader)(await readFile(path, 'utf8'), csv, account.accountNumber)
      checkFile(file, date, account.accountNumber)
      const rows = await rowsOf({ date, lines: file.lines }, signal)
      if (rows === null) return unknown('the bank is still asked about money received')
      return { kind: 'known', statement: buildStatement(date, rows, balancesOf(file))(after) }
    } catch (error) {
      log.error({ error, date }, 'the statement of a day cannot be given')
      return unknown('the file of this day cannot be read')
    }
  }
}
