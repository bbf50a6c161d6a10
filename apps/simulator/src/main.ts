// The process: settings from the environment, logs to standard error, an orderly end.
import pino from 'pino'
import { readConfig } from './kit/config.ts'
import { startSimulator } from './simulator.ts'

const STOP_LIMIT_MS = 1_800

const config = readConfig()
const log = pino({ name: 'simulator', level: config.logLevel }, pino.destination(2))
// Exits with its parent: the sandbox leaves no process behind.
if (process.channel) process.on('disconnect', () => process.exit(0))

const simulator = await startSimulator(config, log)

let ending = false
const end = (): void => {
  if (ending) return
  ending = true
  setTimeout(() => process.exit(0), STOP_LIMIT_MS).unref()
  simulator.stop().then(
    () => process.exit(0),
    (err: unknown) => {
      log.error({ err }, 'could not stop cleanly')
      process.exit(1)
    },
  )
}
process.on('SIGTERM', end)
process.on('SIGINT', end)
