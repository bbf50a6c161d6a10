// The worker process.

import { startWorker } from './app.ts'
import { readConfig } from './config.ts'
import { openGateway } from './gateway.ts'
import { begin, stopWith } from './kit/process.ts'

const { config, gateway } = await begin(async () => {
  const config = readConfig()
  return { config, gateway: await openGateway(config, 'worker') }
})
const worker = startWorker(gateway, config)
gateway.ctx.log.info('working')
stopWith(
  async () => {
    await worker.stop()
    await gateway.close()
    await gateway.ctx.log.flush()
  },
  () => gateway.ctx.log.silence(),
)
