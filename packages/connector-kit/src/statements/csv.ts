// Files of rows and columns (RFC 4180), and the lines of a bank's statement in them.
import { koboOf, momentOf, Unreadable } from './amounts.ts'
import type { BankLine } from './bank-file.ts'

/** Quoted fields may hold separators, quotes and line ends. */
export function parseCsv(text: string, separator = ','): string[][] {
  const rows: string[][] = []
  let [row, field, quoted, closed]: [string[], string, boolean, boolean] = [[], '', false, false]
  const endField = (): void => {
    row.push(field)
    ;[field, closed] = ['', false]
  }
  const endRow = (): void => {
    endField()
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  const whole = text.replace(/^\ufeff/, '')
  for (let at = 0; at < whole.length; at += 1) {
    const sign = whole[at] ?? ''
    if (quoted) {
      if (sign !== '"') field += sign
      else if (whole[at + 1] === '"') {
        field += '"'
        at += 1
      } else [quoted, closed] = [false, true]
    } else if (sign === separator) endField()
    else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && whole[at + 1] === '\n') at += 1
      endRow()
    } else if (sign === '"' && field === '' && !closed) quoted = true
    else if (closed || sign === '"') throw new Unreadable('A quote of a CSV file is in the wrong place')
    else field += sign
  }
  if (quoted) throw new Unreadable('A quote of a CSV file is not closed')
  if (field !== '' || closed || row.length > 0) endRow()
  return rows
}

export type Columns = {
  readonly date: string
  /** One column with a sign or a mark, or two of which one is empty. */
  readonly credit: string
  readonly debit: string
  readonly reference: string
  readonly text: string
}
export type CsvForm = {
  readonly columns: Columns
  readonly separator?: string
  readonly decimal?: '.' | ','
  /** The bank's own way of writing a date, as ISO 8601; without it dates are ISO already. */
  readonly isoOf?: (date: string) => string
}

/** A file whose header lacks a column, or that has a row of another length, is refused whole. */
export function readCsv(text: string, { columns, separator, decimal, isoOf = (date) => date }: CsvForm): BankLine[] {
  const [header = [], ...rows] = parseCsv(text, separator)
  const placeOf = (name: string): number => {
    const place = header.findIndex((one) => one.trim() === name)
    if (place < 0) throw new Unreadable('A column of a CSV file is missing')
    return place
  }
  const places = Object.entries(columns).map(([field, name]) => [field, placeOf(name)] as const)
  return rows.map((row): BankLine => {
    if (row.length !== header.length) throw new Unreadable('A row of a CSV file has another length than its header')
    const of = Object.fromEntries(places.map(([field, place]) => [field, (row[place] ?? '').trim()]))
    const amount = (field: 'credit' | 'debit'): bigint => (of[field] ? koboOf(of[field], decimal) : 0n)
    const [credit, debit] = [amount('credit'), amount('debit')]
    if (credit > 0n === debit > 0n) throw new Unreadable('A row of a CSV file is neither a credit nor a debit')
    return {
      direction: credit > 0n ? 'IN' : 'OUT',
      kobo: credit > 0n ? credit : debit,
      bookedAt: momentOf(isoOf(of['date'] ?? '')),
      reference: of['reference'] ?? '',
      text: of['text'] ?? '',
    }
  })
}
