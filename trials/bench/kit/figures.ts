// Processor time, medians, quantiles and ranges.
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** What the kernel says of a process: its parent, its own ticks, and those of children that have ended. */
function statOf(pid: number | string): { parent: number; own: number; ended: number } {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()?.split(' ') ?? []
  const sum = (at: number): number => Number(fields[at]) + Number(fields[at + 1])
  return { parent: Number(fields[1]), own: sum(11), ended: sum(13) }
}

export const parentOf = (pid: number): number => statOf(pid).parent

/** Processor seconds of a process and, where asked, of its children (the backends of a postmaster). */
export function cpuSeconds(pid: number, withChildren: boolean): number {
  const stat = (name: number | string): { ticks: number; parent: number } => {
    const { parent, own, ended } = statOf(name)
    return { parent, ticks: own + (withChildren ? ended : 0) }
  }
  let ticks = stat(pid).ticks
  if (withChildren) {
    for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
      try {
        const child = stat(name)
        if (child.parent === pid) ticks += child.ticks
      } catch {
        // it ended between the listing and the look
      }
    }
  }
  return ticks / TICKS_PER_SECOND
}

/** Processor seconds that the host of this machine gave to others while we would have used them, over all
 *  processors. */
export const stolenSeconds = (): number =>
  Number(/^cpu +(?:\d+ ){7}(\d+)/.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? 0) / TICKS_PER_SECOND

/** The value below which so large a share of them lies; 0 of none. */
export const quantileOf = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
export const secondsSince = (since: number): string => ((performance.now() - since) / 1000).toFixed(1)
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
export const range = (values: readonly number[]): string =>
  `[${Math.round(Math.min(...values))}..${Math.round(Math.max(...values))}]`
