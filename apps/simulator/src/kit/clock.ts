// The sandbox's clock: real time plus an offset that only grows. Every deadline is read from it; signatures,
// leases and pauses between attempts stay on real time, because the gateway's processes do.
import { DAY_MS, WEST_AFRICA_MS } from '@cowrie/contract/kit/durations'

export type Clock = {
  now(): Date
  offsetMs(): number
  /** Takes the larger of the two, so a repeated or late message cannot turn time back. */
  moveTo(offsetMs: number): void
}

export function createClock(initialOffsetMs: number): Clock {
  let offset = initialOffsetMs
  return {
    now: () => new Date(Date.now() + offset),
    offsetMs: () => offset,
    moveTo: (offsetMs) => {
      offset = Math.max(offset, offsetMs)
    },
  }
}

/** Unix seconds of real time, for signatures. */
export const realSeconds = (): number => Math.floor(Date.now() / 1000)

/** `261115020500`: yyMMddHHmmss in West Africa Time. */
export function westAfricanStamp(moment: Date): string {
  const iso = new Date(moment.getTime() + WEST_AFRICA_MS).toISOString()
  return iso.replace(/\D/g, '').slice(2, 14)
}

/** The instants between which a West African day lies; null when the text is not a date. */
export function westAfricanDay(date: string): { readonly from: Date; readonly until: Date } | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return null
  const midnight = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== date) return null
  const from = new Date(midnight.getTime() - WEST_AFRICA_MS)
  return { from, until: new Date(from.getTime() + DAY_MS) }
}

/** Cards are valid until the last instant of their month in Lagos. */
export const westAfricanMonthEnd = (year: number, month: number): Date =>
  new Date(Date.UTC(year, month, 1) - WEST_AFRICA_MS)
