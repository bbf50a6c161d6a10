// What npm or npx runs must end with it, and what a program started must end with that program. Three signs
// are all we get:
// - another parent. npm hands a SIGTERM to the shell it started us with, and most shells die of it without
//   passing it on.
// - the end of standard input, where it is a pipe: whoever held the other end has closed it or is gone.
//   /dev/null, which a shell gives to what it starts with &, is no pipe.
// - a shell that was woken. npm hands a SIGINT to its shell too, and Debian's then waits for us in silence.
import { fstatSync, readFileSync } from 'node:fs'
import { monotonicMs } from '../clock.ts'
import { environment } from '../config.ts'

const LOOK_MS = 200
/** Looks that are this far apart say nothing: the whole machine stood still, or was very busy. */
const GAP_MS = 5 * LOOK_MS
/** The shell has sent us on our way and fallen asleep by then. */
const SETTLED_LOOKS = 10

const isOfNpm = (): boolean => environment()['npm_lifecycle_event'] !== undefined

/** Calls `end` once the parent is gone. Does nothing for a tool that was not started by npm: it may outlive
 *  its shell. */
export function whenOrphaned(end: () => void): void {
  if (!isOfNpm()) return
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    end()
  }, LOOK_MS)
  look.unref()
}

/** For what a program starts and not a person: calls `end` as well when standard input ends, or when npm was
 *  sent a SIGINT. */
export function whenLeft(end: () => void): void {
  whenOrphaned(end)
  whenInputEnds(end)
  whenShellWakes(end)
}

function whenInputEnds(end: () => void): void {
  const kind = fstatSync(0, { throwIfNoEntry: false })
  if (!kind?.isFIFO() && !kind?.isSocket()) return
  process.stdin.once('end', end).once('error', end).resume()
}

/** How often it was woken, which a shell that waits for a program is by a signal only. Linux says it; where
 *  the shell is bash, as on other systems, npm's SIGINT reaches us by itself. */
function wakings(shell: number): number | null {
  try {
    const status = readFileSync(`/proc/${shell}/status`, 'utf8')
    if (!/^Name:\s+(?:sh|dash|ash|busybox)$/m.test(status)) return null
    return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1])
  } catch {
    return null
  }
}

function whenShellWakes(end: () => void): void {
  const shell = process.ppid
  let known = wakings(shell)
  // At a terminal Ctrl-C reaches everybody, and Ctrl-Z wakes the shell too.
  if (!isOfNpm() || process.stdin.isTTY || known === null) return
  let looks = 0
  let last = monotonicMs()
  const look = setInterval(() => {
    const [before, now] = [known, monotonicMs()]
    const isGap = now - last > GAP_MS
    last = now
    looks += 1
    known = wakings(shell)
    if (known === before || known === null || isGap || looks < SETTLED_LOOKS) return
    clearInterval(look)
    end()
  }, LOOK_MS)
  look.unref()
}
