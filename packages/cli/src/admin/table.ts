// Replies as a person reads them: a list as a table, one thing as a list of its fields. A table is as wide as
// the terminal; what does not fit is cut, and --json has all of it.
import { stripVTControlCharacters } from 'node:util'

const GAP = '  '
const LEAST = 4

type Thing = Readonly<Record<string, unknown>>
const isThing = (value: unknown): value is Thing => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What others wrote must not move the cursor or colour the screen. */
const plain = (text: string): string => stripVTControlCharacters(text).replace(/\p{Cc}/gu, ' ')

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return plain(value)
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return plain(value.join(', '))
  if (isThing(value) && typeof value['name'] === 'string') return plain(value['name'])
  return plain(JSON.stringify(value))
}

const cut = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, width - 1)}…`)

/** Fields of the items, one column each; columns that are empty in all of them are left out. */
export function tableLines(items: readonly unknown[], width: number): string[] {
  const rows = items.map((item) => (isThing(item) ? item : { value: item }))
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) =>
    rows.some((row) => cell((row as Thing)[name]) !== ''),
  )
  const texts = [names, ...rows.map((row) => names.map((name) => cell((row as Thing)[name])))]
  const widths = fit(
    names.map((_, at) => Math.max(...texts.map((row) => row[at]?.length ?? 0))),
    width,
  )
  return texts.map((row) =>
    row
      .map((text, at) => cut(text, widths[at] ?? 0).padEnd(widths[at] ?? 0))
      .join(GAP)
      .trimEnd(),
  )
}

/** The widest columns give way first; the first one, which names the row, is what the next command is given,
 *  and never does. */
export function fit(widths: readonly number[], most: number): number[] {
  const fitted = [...widths]
  const sum = () => fitted.reduce((total, one) => total + one, 0) + GAP.length * (fitted.length - 1)
  while (sum() > most) {
    const widest = fitted.indexOf(Math.max(...fitted.slice(1)), 1)
    if (widest < 0 || (fitted[widest] ?? 0) <= LEAST) break
    fitted[widest] = (fitted[widest] ?? 0) - 1
  }
  return fitted
}

export function thingLines(thing: Thing): string[] {
  const entries = Object.entries(thing).filter(([, value]) => value !== undefined)
  const width = Math.max(0, ...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.padEnd(width)}${GAP}${value === null ? '-' : cell(value)}`)
}

/** The list in a reply: itself, or the one field of it that is a list of things. */
function listIn(reply: unknown): readonly unknown[] | null {
  if (Array.isArray(reply)) return reply
  if (!isThing(reply)) return null
  const lists = Object.values(reply).filter((value): value is unknown[] => Array.isArray(value) && value.every(isThing))
  return lists.length === 1 ? (lists[0] ?? null) : null
}

export function replyLines(reply: unknown, width: number): string[] {
  const list = listIn(reply)
  if (list === null)
    return isThing(reply) ? thingLines(reply) : reply === null || reply === undefined ? [] : [cell(reply)]
  const rest = isThing(reply)
    ? Object.fromEntries(Object.entries(reply).filter(([, value]) => value !== list && value !== null))
    : {}
  const table = list.length === 0 ? ['Nothing found.'] : tableLines(list, width)
  return Object.keys(rest).length === 0 ? table : [...table, '', ...thingLines(rest)]
}
