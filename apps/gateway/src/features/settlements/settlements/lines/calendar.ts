// When a settlement runs, and what it may pay. Days are those of West Africa Time (UTC+1 all year).
import { DAY_MS, HOUR_MS } from '@cowrie/contract/kit/durations'
import type { Schedule } from '@cowrie/contract/settlements/settlements'
import { localDay } from '#kit/times.ts'

/** 22:00 in West Africa is 21:00 UTC. */
const RUN_AT_MS = 21 * HOUR_MS

/** The next 22:00 after a moment. */
export function nextRun(now: Date): Date {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS + RUN_AT_MS
  return new Date(today > now.getTime() ? today : today + DAY_MS)
}

const dayBefore = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10)
const isWorkingDay = (day: string, holidays: ReadonlySet<string>): boolean => {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday !== 0 && weekday !== 6 && !holidays.has(day)
}

/** What came before this instant may be paid now. SAME_DAY and INSTANT pay all there is, on every day:
 *  wallets are our own, and banks take transfers on every day. T_PLUS_1 pays a day's money on the first
 *  working day that follows it: so what may be paid is what came before the last working day began, today
 *  included. */
export function calculateCutoff(schedule: Schedule, now: Date, holidays: ReadonlySet<string>): Date {
  if (schedule !== 'T_PLUS_1') return new Date(now.getTime() + 1)
  let day = localDay(now)
  for (let back = 0; back < 60 && !isWorkingDay(day, holidays); back += 1) day = dayBefore(day)
  return new Date(`${day}T00:00:00+01:00`)
}

const dayAfter = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)

/** Whether a day is one of the next so many working days, or lies before them. */
export function isWithinWorkingDays(day: string, now: Date, count: number, holidays: ReadonlySet<string>): boolean {
  let [last, left] = [localDay(now), count]
  for (let on = 0; on < 60 && left > 0; on += 1) {
    last = dayAfter(last)
    if (isWorkingDay(last, holidays)) left -= 1
  }
  return day <= last
}
