// The lines of a bank's statement in a file of rows and columns.
import { CsvFault, parseCsv } from '@cowrie/contract/kit/csv'
import { bookedOn, koboOf, Unreadable } from './amounts.ts'
import type { BankLine } from './bank-file.ts'

function rowsIn(text: string, separator?: string): string[][] {
  try {
    return parseCsv(text, separator)
  } catch (error) {
    throw error instanceof CsvFault ? new Unreadable(error.message) : error
  }
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
  const [header = [], ...rows] = rowsIn(text, separator)
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
      ...bookedOn(isoOf(of['date'] ?? '')),
      reference: of['reference'] ?? '',
      text: of['text'] ?? '',
    }
  })
}
