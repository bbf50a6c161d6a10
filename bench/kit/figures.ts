// Processor time, medians and ranges.
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** Processor seconds of a process and, where asked, of its children (the backends of a postmaster). */
export function cpuSeconds(pid: number, withChildren: boolean): number {
  const stat = (name: string): { ticks: number; parent: number } => {
    const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').pop()?.split(' ') ?? []
    return {
      parent: Number(fields[1]),
      ticks: Number(fields[11]) + Number(fields[12]) + (withChildren ? Number(fields[13]) + Number(fields[14]) : 0),
    }
  }
  let ticks = stat(String(pid)).ticks
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

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
export const range = (values: readonly number[]): string =>
  `[${Math.round(Math.min(...values))}..${Math.round(Math.max(...values))}]`
