// The api process.
import { createApi } from './app.ts'
import { readConfig } from './config.ts'
import { openGateway } from './gateway.ts'
import { begin, stopWith } from './kit/process.ts'

const GRACE_MS = 2_000

const { config, gateway } = await begin(async () => {
  const config = readConfig()
  return { config, gateway: await openGateway(config, 'api') }
})
const app = createApi(gateway, config)
await app.listen({ host: config.host, port: config.port })
gateway.ctx.log.info('listening', { port: config.port })
stopWith(
  async () => {
    // A connection that never sent a request is not idle in Node's eyes and would hold the end up.
    setTimeout(() => app.server.closeAllConnections(), GRACE_MS).unref()
    await app.close()
    await gateway.close()
    await gateway.ctx.log.flush()
  },
  () => gateway.ctx.log.silence(),
)
