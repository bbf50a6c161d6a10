// Counts the answers of a route. A request looks nothing up: its route has one of these, made when the route
// was.
import { monotonicMs } from '../clock.ts'
import type { Count, Spread } from '../metrics.ts'
import { REQUEST_SECONDS, REQUESTS } from '../series.ts'

export type RouteMeter = (status: number, sinceMs: number) => void

export function findMeter(method: string, route: string): RouteMeter {
  const counts = new Map<number, Count>()
  let seconds: Spread | null = null // a route that nobody calls has no line
  return (status, sinceMs) => {
    let count = counts.get(status)
    if (count === undefined) {
      count = REQUESTS(method, route, String(status))
      counts.set(status, count)
    }
    count.n += 1
    seconds ??= REQUEST_SECONDS(method, route)
    seconds.observe((monotonicMs() - sinceMs) / 1000)
  }
}
