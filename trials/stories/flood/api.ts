// The api as it is, and what only it can count: passwords that were derived, statements, the processor time
// of the thread that answers.
import { createApi } from '../../../apps/gateway/src/app.ts'
import { readConfig } from '../../../apps/gateway/src/config.ts'
import { sharedEntrance } from '../../../apps/gateway/src/features/access/people/sessions/entrance.ts'
import { openGateway } from '../../../apps/gateway/src/gateway.ts'
import { stopWith } from '../../../apps/gateway/src/kit/process.ts'
import type { Figures } from './figures.ts'

const config = readConfig()
const gateway = await openGateway(config, 'test')
const app = createApi(gateway, config)
await app.listen({ host: config.host, port: config.port })

const figures = (): Figures => {
  // Derivations run on threads of their own, so this is what answering costs.
  const { user, system } = process.threadCpuUsage()
  const statements = [...gateway.ctx.cells.values()].reduce((sum, cell) => sum + cell.statements(), 0)
  return { ...sharedEntrance(gateway).passwords.figures(), statements, answeringMicros: user + system }
}
process.on('message', () => process.send?.(figures()))
stopWith({
  atOnce: () => gateway.ctx.log.silence(),
  drainMs: 0,
  stop: async () => {
    await app.close()
    await gateway.close()
  },
  limitMs: 8_000,
})
