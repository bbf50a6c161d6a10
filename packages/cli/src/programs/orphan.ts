// What npm or npx runs must end with it. npm hands a SIGTERM to the shell it started us with, and most shells
// die of it without passing it on; then we have another parent, which is the only sign we get.
import { environment } from '../config.ts'

const LOOK_MS = 200

/** Calls `end` once the parent is gone. Does nothing for a tool that was not started by npm: it may outlive
 *  its shell. */
export function whenOrphaned(end: () => void): void {
  if (environment()['npm_lifecycle_event'] === undefined) return
  const parent = process.ppid
  const look = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(look)
    end()
  }, LOOK_MS)
  look.unref()
}
