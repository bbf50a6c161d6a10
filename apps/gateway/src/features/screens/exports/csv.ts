// Comma-separated values as finance people open them: marked as UTF-8, so that a spreadsheet reads names
// right; every text guarded, so that none of them is a formula there.

/** What a spreadsheet takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** A text cell: guarded, and quoted where it has to be. */
export function textCell(text: string): string {
  const guarded = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
}

export const BYTE_ORDER_MARK = '\ufeff'
/** Cells that are ready. */
export const line = (cells: readonly string[]): string => `${cells.join(',')}\r\n`
