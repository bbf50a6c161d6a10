// The texts of moments. Those without an offset are West Africa Time (UTC+1 all year); those with one are
// UTC.
import { HOUR_MS } from '@cowrie/contract/kit/durations'
import { fail } from './fail.ts'

const WAT_MS = HOUR_MS
let last = { ms: Number.NaN, text: '' }
/** ISO text of the moment in West Africa Time. The last one is kept: a batch writes one moment many times. */
function local(at: Date): string {
  const ms = at.getTime()
  if (last.ms !== ms) last = { ms, text: new Date(ms + WAT_MS).toISOString() }
  return last.text
}

/** `20260502141500`, as in references. */
export const stampText = (at: Date): string => {
  const text = local(at)
  return (
    text.slice(0, 4) +
    text.slice(5, 7) +
    text.slice(8, 10) +
    text.slice(11, 13) +
    text.slice(14, 16) +
    text.slice(17, 19)
  )
}

/** `2026-05-02T14:15:02`, as in requestTime and expiresOn. */
export const plainText = (at: Date): string => local(at).slice(0, 19)

/** `2026-05-02 14:15:31.4`, as in events. */
export const spacedText = (at: Date): string => {
  const text = local(at)
  return `${text.slice(0, 10)} ${text.slice(11, 19)}.${text.slice(20, 23).replace(/0{1,2}$/, '')}`
}

/** `2026-05-02 14:15:31.400`, as reserved accounts tell when they were made. */
export const spacedMsText = (at: Date): string => {
  const text = local(at)
  return `${text.slice(0, 10)} ${text.slice(11, 23)}`
}

/** `02/05/2026 02:15:31 PM`, as in status records. */
export const slashedText = (at: Date): string => {
  const text = local(at)
  const hour = Number(text.slice(11, 13))
  const twelve = String(hour % 12 || 12).padStart(2, '0')
  return `${text.slice(8, 10)}/${text.slice(5, 7)}/${text.slice(0, 4)} ${twelve}${text.slice(13, 19)} ${hour < 12 ? 'AM' : 'PM'}`
}

/** `14:32`, as on the checkout page. */
export const hourText = (at: Date): string => local(at).slice(11, 16)

/** `2026-05-02T14:15:00.000+0000`, as in listings: UTC, whole seconds. */
export const listText = (at: Date): string => `${at.toISOString().slice(0, 19)}.000+0000`

const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?))?(?:(Z)|([+\- ]\d\d):?(\d\d))?$/
const JS_TEXT = /^[A-Z][a-z]{2} ([A-Z][a-z]{2} \d\d \d{4} \d\d:\d\d:\d\d) GMT([+\- ]\d{4})(?: \(.*\))?$/
/** A plus sign in an address that nobody encoded arrives as a space. */
const plus = (offset: string): string => offset.replace(' ', '+')

function momentSource(text: string): string | number | null {
  if (/^\d{1,16}$/.test(text)) return Number(text)
  const js = JS_TEXT.exec(text)
  if (js) return `${js[1]} GMT${plus(js[2] ?? '')}`
  const iso = ISO.exec(text)
  if (!iso) return null
  const [, day, hour = '00:00', zulu, sign, minutes] = iso
  return `${day}T${hour}${zulu ?? (sign === undefined ? '+01:00' : `${plus(sign)}:${minutes}`)}`
}

/** Reads a moment of a query: milliseconds, ISO 8601, or the text of a JavaScript Date; null for anything
 *  else. A date alone is its first instant. */
export function readMoment(text: string): Date | null {
  const source = momentSource(text)
  if (source === null) return null
  const at = new Date(source)
  return Number.isNaN(at.getTime()) ? null : at
}
/** The moment that a field of a request says, or the refusal: `why` is what the field must be. */
export const needMoment = (field: string, text: string, why: string): Date =>
  readMoment(text) ?? fail('FIELD_INVALID', { field, why })
export const MOMENT_FORMS = 'must be milliseconds since 1970 or a date'
/** The same of a field that may be left out. */
export const momentOrNull = (field: string, text: string | undefined, why: string): Date | null =>
  text === undefined ? null : needMoment(field, text, why)

/** `22/11/2026`, as on the checkout page. */
export const dayText = (at: Date): string => slashedText(at).slice(0, 10)

/** `02/05/2026 2:07:32 PM`, as in events of transfers and refunds: the hour is not padded. */
export const unpaddedText = (at: Date): string => slashedText(at).replace(/ 0(?=\d:)/, ' ')
/** `2026-05-02T14:07:31.120+00:00`, as in answers about transfers. */
export const offsetText = (at: Date): string => at.toISOString().replace('Z', '+00:00')
/** `2026-05-02T14:07:32.000+00:00`: the same in whole seconds. */
export const wholeOffsetText = (at: Date): string => `${at.toISOString().slice(0, 19)}.000+00:00`
/** `2026-05-02 02:27:PM`, as in wallet activity. */
export const activityText = (at: Date): string => {
  const text = slashedText(at)
  return `${local(at).slice(0, 10)} ${text.slice(11, 16)}:${text.slice(-2)}`
}
/** `2026-05-02`, the day in West Africa Time. */
export const localDay = (at: Date): string => local(at).slice(0, 10)
/** When the day of a moment began, in West Africa Time. */
export const dayStart = (at: Date): Date => new Date(`${localDay(at)}T00:00:00+01:00`)
/** When the month of a moment began, in West Africa Time. */
export const monthStart = (at: Date): Date => new Date(`${local(at).slice(0, 7)}-01T00:00:00+01:00`)

/** `2026-05-31 18:00:00`, as in invoices. */
export const secondText = (at: Date): string => plainText(at).replace('T', ' ')
/** Reads it; null for any other form, and for days that no calendar has. */
export function readSecond(text: string): Date | null {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return null
  const at = readMoment(text)
  return at && secondText(at) === text ? at : null
}
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
/** Reads `14-Mar-1991` or `1991-03-14` as the latter; null for any other form, and for days that no calendar
 *  has. */
export function readDay(text: string): string | null {
  const [, day, month, year] = /^(\d\d)-([A-Za-z]{3})-(\d{4})$/.exec(text) ?? []
  const at = MONTHS.indexOf(month?.toLowerCase() ?? '') + 1
  const iso = day === undefined ? text : `${year}-${String(at).padStart(2, '0')}-${day}`
  const moment = /^\d{4}-\d\d-\d\d$/.test(iso) ? new Date(`${iso}T00:00:00Z`) : null
  if (moment === null || Number.isNaN(moment.getTime())) return null
  return moment.toISOString().slice(0, 10) === iso ? iso : null
}
/** `31/05/2026 18:00`, as on the checkout page of an invoice. */
export const dayAndHourText = (at: Date): string => `${dayText(at)} ${hourText(at)}`

/** When something begins that people give a date for: a day begins at midnight in Lagos, and without a text
 *  it is at once. Null for an instant that is past, or has no offset and could be meant for another place. */
export function parseBegin(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return now
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text)
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text)
  const at = new Date(isDay ? `${text}T00:00:00+01:00` : text)
  return (isDay || isInstant) && at >= now ? at : null
}
