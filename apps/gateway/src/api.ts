// The api process.

import { begin, listenAt, stopWith } from '#kit/process.ts'
import { createApi, createOperatorApi, openPrivately } from './app.ts'
import { readConfig } from './config.ts'
import { openGateway } from './gateway.ts'

/** For what comes after the last answer: what is still to be written, and the pools. */
const CLOSING_MS = 6_000

const { config, gateway, servers, privately } = await begin(async () => {
  const config = readConfig()
  const gateway = await openGateway(config, 'api')
  const app = createApi(gateway, config)
  await listenAt(app, 'PORT', config)
  gateway.ctx.log.info('listening', { port: config.port })
  const { operator } = config
  const operatorApp = operator && createOperatorApi(gateway, config)
  if (operator && operatorApp) {
    await listenAt(operatorApp, 'OPERATOR_PORT', operator)
    gateway.ctx.log.info('listening for operators', { port: operator.port })
  }
  const servers = [app, ...(operatorApp ? [operatorApp] : [])]
  return { config, gateway, servers, privately: await openPrivately(gateway, config, 'api') }
})
const { log } = gateway.ctx
stopWith({
  atOnce: () => {
    log.info('stopping')
    // Ctrl-C in a sandbox reaches PostgreSQL at the same instant, and its going is not worth a word.
    if (config.environment === 'sandbox') log.silence()
    privately.stop()
    for (const app of servers) app.draining = true
  },
  drainMs: config.drainMs,
  stop: async () => {
    setTimeout(() => servers.map(({ server }) => server.closeAllConnections()), config.stopMs).unref()
    await Promise.all(servers.map((server) => server.close()))
    await privately.close()
    await gateway.close()
    log.info('stopped')
    await log.flush()
  },
  limitMs: config.stopMs + CLOSING_MS,
})
