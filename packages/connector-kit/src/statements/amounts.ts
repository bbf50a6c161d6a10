// Amounts of banks' files become kobo as text, digit by digit. Nothing is rounded and nothing is a
// floating-point number on its way.
import { DAY_MS, WEST_AFRICA_MS } from '@cowrie/contract/kit/durations'
import { parseNaira } from '@cowrie/contract/kit/money'

/** A fault in a file, in our words: its contents are people's accounts, and belong in no log. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

/** `1234.5`, `1,234.50`, `1234,5` with a comma as the decimal sign. More than two decimals are taken only if
 *  they are zeros. */
export function koboOf(text: string, decimal: '.' | ',' = '.'): bigint {
  const group = decimal === '.' ? ',' : '.'
  const [whole = '', fraction = '', more] = text.trim().split(decimal)
  const grouped = whole.includes(group)
  const digits = grouped ? whole.replaceAll(group, '') : whole
  const sound =
    more === undefined &&
    /^\d+$/.test(digits) &&
    /^\d*$/.test(fraction) &&
    (!grouped || /^\d{1,3}(?:[.,]\d{3})+$/.test(whole)) &&
    /^0*$/.test(fraction.slice(2))
  const kobo = sound ? parseNaira(`${digits.replace(/^0+(?=\d)/, '')}.${fraction.slice(0, 2).padEnd(2, '0')}`) : null
  if (kobo === null) throw new Unreadable('An amount cannot be read as naira and kobo')
  return kobo
}

/** The instants between which a day of West Africa Time (UTC+1 all year) lies. */
export function westAfricanDay(date: string): { readonly from: Date; readonly until: Date } {
  const midnight = new Date(`${date}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(date))
    throw new Unreadable('A date is not a day of the calendar')
  const from = midnight.getTime() - WEST_AFRICA_MS
  return { from: new Date(from), until: new Date(from + DAY_MS) }
}

/** When a line was booked, and whether its file says no more than the day. */
export type Booked = { readonly bookedAt: Date; readonly dayOnly?: true }
export const bookedOn = (text: string): Booked => ({
  bookedAt: momentOf(text),
  ...(/^\d{4}-\d\d-\d\d(?:Z|[+-]\d\d:\d\d)?$/.test(text.trim()) ? { dayOnly: true } : {}),
})

/** A file's moment: a date alone is noon of that day in West Africa, so that it belongs to it; a time without
 *  a zone is West Africa's. */
export function momentOf(text: string): Date {
  const [, date, time = 'T12:00:00', zone = '+01:00'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?))?(Z|[+-]\d\d:\d\d)?$/.exec(text.trim()) ?? []
  if (date === undefined) throw new Unreadable('A moment is not a date, with or without a time')
  westAfricanDay(date)
  const moment = new Date(`${date}T${time.replace(/^T/, '')}${zone === '' ? '+01:00' : zone}`)
  if (Number.isNaN(moment.getTime())) throw new Unreadable('A moment is not a time of the day')
  return moment
}
