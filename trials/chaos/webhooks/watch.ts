// Looks at the worker once a second: how much memory it holds, and how many sockets.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export type Sample = { readonly megabytes: number; readonly sockets: number }

export type Watch = { readonly samples: readonly Sample[]; stop(): void }

/** Throws where the process is not there. */
export const megabytesOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

function look(pid: number): Sample {
  const sockets = readdirSync(`/proc/${pid}/fd`).filter((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).startsWith('socket:')
    } catch {
      return false // closed since the listing
    }
  })
  return { megabytes: megabytesOf(pid), sockets: sockets.length }
}

export function startWatch(pid: () => number | undefined): Watch {
  const samples: Sample[] = []
  const timer = setInterval(() => {
    const one = pid()
    if (one === undefined) return
    try {
      samples.push(look(one))
    } catch {
      // killed between the two
    }
  }, 1_000)
  return { samples, stop: () => clearInterval(timer) }
}
