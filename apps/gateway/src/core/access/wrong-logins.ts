// Wrong logins: forty within a minute from one address for one API key, then that address waits until the
// first of them is a minute old. Unknown keys count too, or the limit would reveal which ones exist. Nothing
// else is touched: neither the key from other addresses, nor other keys from this one. Real time, per
// process, and bounded: one address cannot push its own record out within the minute, because it runs out of
// anonymous requests first (kit/http/anonymous-limit.ts).
import { toNetwork } from '#kit/http/addresses.ts'

const WRONG_MAX = 40
const WINDOW_MS = 60_000
const RECORDS_MAX = 20_000
/** Longer than any API key. */
const KEY_MAX = 32

export type WrongLogins = {
  /** Seconds until another try is looked at; 0 when it is looked at now. */
  waitSeconds(address: string, apiKey: string): number
  /** Counts a wrong try; tells how many there were within the minute. */
  count(address: string, apiKey: string): number
}

export { WRONG_MAX }

export function createWrongLogins(now: () => number): WrongLogins {
  /** The instants of the latest wrong tries, oldest first, at most forty. */
  const records = new Map<string, number[]>()
  const nameOf = (address: string, apiKey: string): string => `${toNetwork(address)} ${apiKey.slice(0, KEY_MAX)}`
  return {
    waitSeconds: (address, apiKey) => {
      const tries = records.get(nameOf(address, apiKey))
      if (tries === undefined || tries.length < WRONG_MAX) return 0
      return Math.max(0, Math.ceil(((tries[0] as number) + WINDOW_MS - now()) / 1000))
    },
    count: (address, apiKey) => {
      const name = nameOf(address, apiKey)
      const at = now()
      const tries = (records.get(name) ?? []).filter((one) => one > at - WINDOW_MS).slice(1 - WRONG_MAX)
      tries.push(at)
      records.delete(name)
      records.set(name, tries)
      if (records.size > RECORDS_MAX) records.delete(records.keys().next().value as string)
      return tries.length
    },
  }
}
