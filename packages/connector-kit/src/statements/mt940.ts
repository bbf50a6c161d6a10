// MT940, the customer statement of SWIFT, as banks write it: fields `:61:` with their `:86:`, between `:60F:`
// and `:62F:`.
import { bookedOn, koboOf, momentOf, Unreadable } from './amounts.ts'
import type { BankFile, BankLine } from './bank-file.ts'

type Field = { readonly tag: string; readonly text: string }

function fieldsOf(text: string): Field[] {
  const fields: { tag: string; text: string }[] = []
  // A block of SWIFT's envelope is `{4:` to `-}`; files without one begin with `:20:`.
  const lines = text.replace(/^[^\n]*\{4:\r?\n?/, '').split(/\r?\n/)
  const end = lines.findIndex((line) => /^-\}?\s*$/.test(line))
  // Of a second one the lines would be left out, and the balances agree with the first.
  if (end >= 0 && lines.slice(end).some((line) => /^:(?:20|61):/.test(line)))
    throw new Unreadable('An MT940 file has several statements')
  for (const line of end < 0 ? lines : lines.slice(0, end)) {
    const [, tag, rest] = /^:(\d\d[A-Z]?):(.*)$/.exec(line) ?? []
    const last = fields.at(-1)
    if (tag !== undefined) fields.push({ tag, text: rest ?? '' })
    else if (last !== undefined) last.text += `\n${line}`
  }
  return fields
}

const century = (date: string): string => `20${date.slice(0, 2)}-${date.slice(2, 4)}-${date.slice(4, 6)}`

function balanceOf(text: string | undefined): bigint | null {
  if (text === undefined) return null
  const [, mark, currency, amount = ''] = /^([CD])\d{6}([A-Z]{3})([\d,]+)$/.exec(text.trim()) ?? []
  if (mark === undefined || currency !== 'NGN') throw new Unreadable('A balance of an MT940 file cannot be read')
  const kobo = koboOf(amount, ',')
  return mark === 'D' ? -kobo : kobo
}

/** Value date, entry date, mark (RC and RD undo a credit and a debit), funds code, amount, type, reference //
 *  the bank's. */
const LINE = /^(\d{6})(\d{4})?(R?[CD])([A-Z])?(\d[\d,]*)([NSF][A-Z0-9]{3})([^\n]*)/

/** The type of a returned item. */
const RETURNED = 'RTI'

/** The entry date has no year: it is the one that brings it nearest to the value date. */
function entryDate(valueDate: string, entry: string | undefined): string {
  if (entry === undefined) return valueDate
  const [value, year] = [momentOf(valueDate).getTime(), Number(valueDate.slice(0, 4))]
  const dates = [year - 1, year, year + 1].map((one) => `${one}-${entry.slice(0, 2)}-${entry.slice(2)}`)
  const far = (date: string): number => Math.abs(momentOf(date).getTime() - value)
  const valid = dates.filter((date) => entry !== '0229' || new Date(`${date}T00:00:00Z`).toISOString().startsWith(date))
  return valid.toSorted((one, two) => far(one) - far(two))[0] ?? valueDate
}

function lineOf(text: string, about: string): BankLine {
  const [, value, entry, mark, , amount, type, references = ''] = LINE.exec(text) ?? []
  if (value === undefined || mark === undefined || amount === undefined)
    throw new Unreadable('A line of an MT940 file cannot be read')
  const [ours = '', theirs = ''] = references.split('//', 2)
  const reference = theirs.trim() || (ours.trim() === 'NONREF' ? '' : ours.trim())
  const direction = mark === 'C' || mark === 'RD' ? 'IN' : 'OUT'
  return {
    direction,
    kobo: koboOf(amount, ','),
    ...bookedOn(entryDate(century(value), entry)),
    reference,
    text: about.replace(/\n/g, ' ').trim(),
    ...(mark.startsWith('R') || type?.endsWith(RETURNED) ? { undoes: true } : {}),
  }
}

export function readMt940(text: string): BankFile {
  const fields = fieldsOf(text)
  const find = (tag: string): string | undefined => fields.find((field) => field.tag === tag)?.text
  if (find('60F') === undefined || find('62F') === undefined)
    throw new Unreadable('An MT940 file is not whole: it has no opening or no closing balance')
  const lines = fields.flatMap(({ tag, text: line }, at) => {
    const next = fields[at + 1]
    return tag === '61' ? [lineOf(line, next?.tag === '86' ? next.text : '')] : []
  })
  return { account: (find('25') ?? '').trim(), opening: balanceOf(find('60F')), closing: balanceOf(find('62F')), lines }
}
