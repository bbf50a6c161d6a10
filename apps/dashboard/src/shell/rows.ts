// Rows of a list by keyboard: `j` goes to the next row and `k` to the one before, by putting the focus on
// what opens it. Enter is then the browser's own. Whatever is a row of a table, or of a list that says
// `data-rows`, takes part; a row that opens nothing is passed over.
const ROWS = '#main :is(tbody tr, [data-rows] > li)'
const OPENS = 'a[href], summary'

const openerOf = (row: Element): HTMLElement | null => {
  const opener = row.querySelector<HTMLElement>(OPENS)
  return opener?.checkVisibility() ? opener : null
}

/** From the row that has the focus; from none, to the first. At the ends it stays. */
export function stepRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll(ROWS)].flatMap((row) => {
    const opener = openerOf(row)
    return opener ? [{ row, opener }] : []
  })
  const at = rows.findIndex(({ row }) => row.contains(document.activeElement))
  const next = at === -1 ? rows[0] : rows[at + step]
  next?.opener.focus()
}
