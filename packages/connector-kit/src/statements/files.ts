// Statements that a bank delivers as files: one for each day of West Africa, in a folder, under the name of
// the day (2026-11-18.mt940, .xml or .csv). Whoever fetches them puts them there whole, by renaming; any
// number of processes read them. A day without a file has no statement yet, and the gateway asks again.
//   file → read whole or not at all → money received that was never reported is asked about → every line
//     named (names.ts) → given, and the same for ever
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import { checkSchema, type Store } from '../database/database.ts'
import type { Log } from '../log/log.ts'
import type { StatementPage } from '../server/mapping.ts'
import { Unreadable, westAfricanDay } from './amounts.ts'
import type { BankFile, BankLine } from './bank-file.ts'
import { readCamt053 } from './camt053.ts'
import { type CsvForm, readCsv } from './csv.ts'
import { readMt940 } from './mt940.ts'
import { nameRows } from './names.sql.ts'
import { type Day, lookUp, type Name, type Naming, nameLines, rowsOf, strangeSessions } from './names.ts'
import { buildStatement } from './statement.ts'

export type StatementFiles = Store &
  Naming & {
    readonly folder: string
    readonly csv: CsvForm
    readonly log: Log
    /** Asks the bank about money received that it never reported, by sessions. What it confirms is a notice,
     *  and the line has its name from then on. */
    readonly recover?: (sessions: readonly string[]) => Promise<ReadonlyMap<string, 'confirmed' | 'absent' | 'open'>>
  }

const unknown = (why: string): StatementPage => ({ kind: 'unknown', why })
/** After the end of a day: how long what the bank knows nothing of may still be on its way there, and how
 *  long a bank that does not answer is waited for. The gateway compares balances while the day is the last
 *  one, so that a day must be given within that. */
const [ABSENT_FOR_MS, SILENT_FOR_MS] = [2 * HOUR_MS, 18 * HOUR_MS]

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
  const names = (await readdir(folder)).filter((name) => {
    const form = extname(name).toLowerCase()
    return READERS[form] !== undefined && name === date + extname(name)
  })
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
  const rows = nameRows(checkSchema(schema))

  /** Sessions that the bank has still to say something of. */
  const unsaidOf = async (sessions: readonly string[], ageMs: number): Promise<readonly string[]> => {
    if (recover === undefined || sessions.length === 0) return []
    const said = await recover(sessions)
    return sessions.filter((session) => {
      const standing = said.get(session) ?? 'open'
      return standing === 'open' || (standing === 'absent' && ageMs < ABSENT_FOR_MS)
    })
  }

  /** Null: the bank is still asked about money received. */
  const named = async (day: Day): Promise<readonly Name[] | null> => {
    const { date, lines } = day
    const found = await lookUp(pool, schema, lines)
    const strange = [...new Set(lines.flatMap((line) => strangeSessions(found, line)))]
    const ageMs = clock.now().getTime() - westAfricanDay(date).until.getTime()
    const unsaid = await unsaidOf(strange, ageMs)
    if (unsaid.length > 0 && ageMs < SILENT_FOR_MS) {
      log.warn({ date, count: unsaid.length }, 'a day waits for what the bank has still to say of money received')
      return null
    }
    const asked = strange.length === 0 ? found : await lookUp(pool, schema, lines)
    return nameLines(day, asked, parts, recover === undefined ? null : new Set(unsaid))
  }

  /** Null: not now. What a day was given as it stays, whatever becomes known later: each cell of the gateway
   *  reads it for itself. */
  const readDay = async (date: string, path: string) => {
    const bytes = await readFile(path)
    const digest = createHash('sha256').update(bytes).digest('hex')
    const file = (READERS[extname(path).toLowerCase()] as Reader)(bytes.toString('utf8'), csv, account.accountNumber)
    checkFile(file, date, account.accountNumber)
    const paged = (names: readonly Name[]) => buildStatement(date, rowsOf(file.lines, names, parts), balancesOf(file))
    if ((await rows.given<Name>(pool, date)) === null) {
      const names = await named({ date, lines: file.lines })
      if (names === null) return null
      paged(names) // what is not sound is not kept
      await rows.give(pool, date, { digest, names }, clock.now())
    }
    const given = await rows.given<Name>(pool, date)
    if (given?.digest !== digest) throw new Unreadable('The file of a day is another one than when the day was given')
    return { date, pageAfter: paged(given.names) }
  }

  /** A long day is not read anew for each of its pages. */
  let read: Awaited<ReturnType<typeof readDay>> = null

  return async (date: string, after: string | null): Promise<StatementPage> => {
    try {
      if (after === null || read?.date !== date) {
        const path = await fileOf(folder, date)
        if (path === null) return unknown('the file of this day is not there yet')
        read = await readDay(date, path)
      }
      if (read === null) return unknown('the bank is still asked about money received')
      return { kind: 'known', statement: read.pageAfter(after) }
    } catch (error) {
      log.error({ error, date }, 'the statement of a day cannot be given')
      return unknown('the file of this day cannot be read')
    }
  }
}
