// How a process begins, and how it ends: on SIGTERM or SIGINT, and when the process that started it is gone.

const LIMIT_MS = 8_000

/** What forbids a start, in a sentence for the operator. */
export class CannotStart extends Error {}

/** Runs a start. What forbids it is said without a stack, and the process ends. */
export async function begin<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    process.stderr.write(`Cannot start: ${error.message}\n`)
    return process.exit(1)
  }
}

/** `atOnce` runs with the signal itself. Ctrl-C reaches PostgreSQL at the same instant, and its going is not worth a word. */
export function stopWith(stop: () => Promise<void>, atOnce: () => void): void {
  let stopping = false
  const end = () => {
    if (stopping) return
    stopping = true
    atOnce()
    setTimeout(() => process.exit(1), LIMIT_MS).unref()
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  if (process.channel) {
    process.on('disconnect', end)
    process.send?.('ready')
  }
}
