// The api process.
import { createApi, openGateway } from './app.ts'
import { readConfig } from './config.ts'
import { stopWith } from './kit/process.ts'

const config = readConfig()
const gateway = await openGateway(config, 'api')
const app = createApi(gateway, config)
await app.listen({ host: config.host, port: config.port })
gateway.ctx.log.info('listening', { port: config.port })
stopWith(
  async () => {
    await app.close()
    await gateway.close()
  },
  () => gateway.ctx.log.quiet(),
)
