// A file of payouts, read in the browser: rows, and what is wrong with each before anything is sent. It
// refuses nothing that the gateway would take; the gateway validates every row again.
import { CsvFault, parseCsv } from '@cowrie/contract/kit/csv'
import { matchNames } from '@cowrie/contract/payouts/name-match'
import { koboOfText } from '../../money.ts'
import { nairaTyped } from '../../parts/sending/typed.ts'

export const ROWS_MAX = 5_000

/** Cells of a text; the separator is the one that the first line has more of. Lines without a cell are left
 *  out. */
function cellsIn(text: string): string[][] {
  const [head = ''] = text.split(/\r?\n/, 1)
  const separator = head.split(';').length > head.split(',').length ? ';' : ','
  return parseCsv(text, separator)
    .map((line) => line.map((cell) => cell.trim()))
    .filter((line) => line.some((cell) => cell !== ''))
}

export const COLUMNS = ['amount', 'reference', 'bank', 'account', 'name', 'narration'] as const
type ColumnName = (typeof COLUMNS)[number]
/** What people call them; without spaces, in small letters. */
const CALLED: Readonly<Record<ColumnName, readonly string[]>> = {
  amount: ['amount', 'naira', 'ngn'],
  reference: ['reference', 'ref', 'paymentreference'],
  bank: ['bank', 'bankcode', 'bankname', 'destinationbankcode'],
  account: ['account', 'accountnumber', 'nuban', 'destinationaccountnumber'],
  name: ['name', 'accountname', 'beneficiary', 'destinationaccountname'],
  narration: ['narration', 'description', 'remark'],
}
const NEEDED: readonly ColumnName[] = ['amount', 'reference', 'bank', 'account']

export type Bank = { readonly code: string; readonly name: string }
export type Row = Readonly<Record<ColumnName, string>> & {
  /** Line of the file, counted with its head. */
  readonly line: number
  readonly kobo: bigint
  readonly bankCode: string
  readonly bankName: string
  /** It cannot be paid as it is. */
  readonly wrong: readonly string[]
  /** It can, and somebody should look. */
  readonly remarks: readonly string[]
}
export type Preflight = {
  readonly rows: readonly Row[]
  /** Why nothing of the file can be read. */
  readonly problem: string | null
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
/** By code or by name. A spreadsheet drops the zeros in front of a code. */
function bankOf(given: string, banks: readonly Bank[]): Bank | null {
  const key = plain(given)
  const [found = null] = banks.filter(({ code, name }) => code === key || plain(name) === key)
  return found ?? banks.find(({ code }) => /^\d{1,2}$/.test(key) && code === key.padStart(3, '0')) ?? null
}

function wrongWith(row: Readonly<Record<ColumnName, string>>, bank: Bank | null): string[] {
  return [
    nairaTyped(row.amount) === null ? `“${row.amount}” is not an amount` : '',
    row.reference === '' ? 'no reference' : '',
    bank === null ? `no bank is called “${row.bank}”` : '',
    /^\d{10}$/.test(row.account)
      ? ''
      : /^\d{1,9}$/.test(row.account)
        ? `the account number has ${row.account.length} digits; a spreadsheet may have dropped zeros in front`
        : 'the account number is not ten digits',
  ].filter(Boolean)
}

/** Rows that share a value, for each such value: the line of the first. */
function firstLines(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<Row, number> {
  const groups = Map.groupBy(rows, keyOf)
  return new Map(
    rows.flatMap((row) => {
      const [first] = groups.get(keyOf(row)) ?? []
      return first && first !== row ? [[row, first.line] as const] : []
    }),
  )
}

export function preflight(text: string, banks: readonly Bank[]): Preflight {
  try {
    return check(cellsIn(text), banks)
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error
    const problem = `A quotation mark on line ${error.line} is in the wrong place, or is never closed. Write " in a text as "", and the whole text in quotation marks.`
    return { rows: [], problem }
  }
}

function check([head = [], ...lines]: readonly string[][], banks: readonly Bank[]): Preflight {
  const at = new Map(COLUMNS.map((name) => [name, head.findIndex((one) => CALLED[name].includes(plain(one)))]))
  const missing = NEEDED.filter((name) => at.get(name) === -1)
  if (missing.length > 0)
    return { rows: [], problem: `The first line has to name the columns. Not found: ${missing.join(', ')}.` }
  if (lines.length === 0) return { rows: [], problem: 'The file has no row below its first line.' }
  if (lines.length > ROWS_MAX)
    return { rows: [], problem: `The file has ${lines.length} rows; a batch has at most ${ROWS_MAX}.` }
  const read = lines.map((cells, index): Row => {
    const of = (name: ColumnName): string => cells[at.get(name) ?? -1] ?? ''
    const given = Object.fromEntries(COLUMNS.map((name) => [name, of(name)])) as Record<ColumnName, string>
    const row = { ...given, account: given.account.replaceAll(/[\s-]/g, '') }
    const bank = bankOf(row.bank, banks)
    return {
      ...row,
      line: index + 2,
      amount: nairaTyped(row.amount) ?? row.amount,
      kobo: koboOfText(nairaTyped(row.amount) ?? '0'),
      bankCode: bank?.code ?? '',
      bankName: bank?.name ?? row.bank,
      wrong: wrongWith(row, bank),
      remarks: [],
    }
  })
  return { rows: withDuplicates(read), problem: null }
}

function withDuplicates(rows: readonly Row[]): Row[] {
  const references = firstLines(rows, ({ reference, line }) => reference || `line ${line}`)
  const payments = firstLines(rows, ({ bankCode, account, kobo }) => `${bankCode}/${account}/${kobo}`)
  return rows.map((row) => ({
    ...row,
    wrong: [...row.wrong, ...(references.has(row) ? [`same reference as line ${references.get(row)}`] : [])],
    remarks: payments.has(row) ? [`same account and amount as line ${payments.get(row)}`] : [],
  }))
}

/** How the name in the file compares with the name that the bank has; null where the file has none. */
export const scoreOf = (row: Row, held: string): number | null =>
  row.name === '' ? null : matchNames(row.name, held).score
