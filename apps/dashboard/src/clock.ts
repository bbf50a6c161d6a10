// Time on the screen: always the merchant's zone (West Africa Time), never the browser's, in 24 hours.
import { DAY_MS, WEST_AFRICA_MS } from '@cowrie/contract/kit/durations'

const ZONE = { timeZone: 'Africa/Lagos' } as const
const day = new Intl.DateTimeFormat('en-GB', {
  ...ZONE,
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})
const time = new Intl.DateTimeFormat('en-GB', { ...ZONE, hour: '2-digit', minute: '2-digit' })
const seconds = new Intl.DateTimeFormat('en-GB', { ...ZONE, hour: '2-digit', minute: '2-digit', second: '2-digit' })
const today = new Intl.DateTimeFormat('en-GB', { ...ZONE, weekday: 'long', day: 'numeric', month: 'long' })

/** `Sun 15 Nov 2026, 15:45`; the column or the sentence says WAT. */
export const dayAndTime = (at: string): string => {
  const date = new Date(at)
  return `${day.format(date).replaceAll(',', '')}, ${time.format(date)}`
}
export const clockTime = (at: string): string => seconds.format(new Date(at))
export const utc = (at: string): string => new Date(at).toISOString().replace('T', ' ').slice(0, 19)
export const todayInWords = (): string => today.format(new Date()).replaceAll(',', '')
/** `20261115`, for references. */
export const dayStamp = (): string => new Date().toISOString().slice(0, 10).replaceAll('-', '')
/** `good morning` until noon, by the merchant's clock. */
export function partOfDay(): 'morning' | 'afternoon' | 'evening' {
  const hour = Number(time.format(new Date()).slice(0, 2))
  return hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening'
}

const isoDay = new Intl.DateTimeFormat('en-CA', { ...ZONE, year: 'numeric', month: '2-digit', day: '2-digit' })
/** The day of a moment by the merchant's clock: `2026-11-15`. */
export const dayOf = (at: string | number): string => isoDay.format(new Date(at))
/** The instant a day begins and its last millisecond; West Africa Time has no summer. */
export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00.000+01:00`)
export const endOfDay = (day: string): number => startOfDay(day) + DAY_MS - 1
/** The same as the API is asked: whole days, both ends included. */
export const dayStart = (day: string): string => `${day}T00:00:00+01:00`
export const dayEnd = (day: string): string => `${day}T23:59:59.999+01:00`
export const daysBefore = (day: string, days: number): string => dayOf(startOfDay(day) - days * DAY_MS)
/** `Sunday 15 November 2026`. */
export const dayInWords = (day: string): string => dayLong.format(new Date(startOfDay(day))).replaceAll(',', '')
const dayLong = new Intl.DateTimeFormat('en-GB', {
  ...ZONE,
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
/** The thousandths of a second, where order matters: `.492`. */
export const thousandths = (at: string): string => `.${String(new Date(at).getMilliseconds()).padStart(3, '0')}`

/** What a field for day and time shows for a moment so many days from now: West Africa Time, which has no
 *  summer time. */
export const daysAhead = (days: number): string =>
  new Date(Date.now() + WEST_AFRICA_MS + days * DAY_MS).toISOString().slice(0, 16)
/** `Sunday 15 November`, of a moment. */
export const dayAndMonth = (at: string): string => today.format(new Date(at)).replaceAll(',', '')
const short = new Intl.DateTimeFormat('en-GB', { ...ZONE, weekday: 'short' })
export const weekday = (at: string): string => short.format(new Date(at))
/** `Sun 15 Nov 2026`. */
export const dayOfMonth = (at: string): string => day.format(new Date(at)).replaceAll(',', '')

/** The merchant's day, now. */
export const dayNow = (): string => dayOf(Date.now())

/** This moment, for what a screen compares with what it was sent. */
export const nowMs = (): number => Date.now()

/** How often an object is asked about that is on its way. */
export const ASK_AGAIN_MS = 5_000
