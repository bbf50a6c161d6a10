// The worker process.

import { begin, stopWith } from '#kit/process.ts'
import { openPrivately, startWorker } from './app.ts'
import { readConfig } from './config.ts'
import { openGateway } from './gateway.ts'

/** As the api's; and what is under way with the bank has ten seconds there. */
const CLOSING_MS = 6_000

const { config, gateway, worker, privately } = await begin(async () => {
  const config = readConfig()
  const gateway = await openGateway(config, 'worker')
  const worker = startWorker(gateway, config)
  return { config, gateway, worker, privately: await openPrivately(gateway, config, 'worker', worker) }
})
const { log } = gateway.ctx
log.info('working')
stopWith({
  atOnce: () => {
    log.info('stopping')
    // Ctrl-C in a sandbox reaches PostgreSQL at the same instant, and its going is not worth a word.
    if (config.environment === 'sandbox') log.silence()
    privately.stop()
  },
  drainMs: 0, // nobody calls a worker: what it does not finish, the others take up
  stop: async () => {
    await worker.stop()
    await privately.close()
    await gateway.close()
    log.info('stopped')
    await log.flush()
  },
  limitMs: config.stopMs + CLOSING_MS,
})
