// Files of rows and columns (RFC 4180), read whole or not at all: statements of banks, payouts that somebody
// uploads. What a quote in the wrong place was meant to hold is never guessed.

/** Why nothing of a file can be read. */
export class CsvFault extends Error {
  override name = 'CsvFault'
  /** Where the fault begins, counted from 1. */
  readonly line: number

  constructor(message: string, before: string) {
    super(message)
    this.line = before.split(/\r\n|\r|\n/).length
  }
}

/** Quoted fields may hold separators, quotes and line ends. Empty lines are left out. */
export function parseCsv(text: string, separator = ','): string[][] {
  const rows: string[][] = []
  let [row, field, quoted, closed, openedAt]: [string[], string, boolean, boolean, number] = [[], '', false, false, 0]
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
    const sign = whole.charAt(at)
    if (quoted) {
      if (sign !== '"') field += sign
      else if (whole.charAt(at + 1) === '"') {
        field += '"'
        at += 1
      } else [quoted, closed] = [false, true]
    } else if (sign === separator) endField()
    else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && whole.charAt(at + 1) === '\n') at += 1
      endRow()
    } else if (sign === '"' && field === '' && !closed) [quoted, openedAt] = [true, at]
    else if (closed || sign === '"')
      throw new CsvFault('A quote of a CSV file is in the wrong place', whole.slice(0, at))
    else field += sign
  }
  if (quoted) throw new CsvFault('A quote of a CSV file is not closed', whole.slice(0, openedAt))
  if (field !== '' || closed || row.length > 0) endRow()
  return rows
}
