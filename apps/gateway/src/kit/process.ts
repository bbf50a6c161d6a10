// How a process ends: on SIGTERM or SIGINT, and when the process that started it is gone.

const LIMIT_MS = 8_000

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
