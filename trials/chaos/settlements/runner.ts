// One settlement run as a process of its own, so that it can be killed: what a worker's timer does, without
// its lease.

import { readConfig } from '../../../apps/gateway/src/config.ts'
import { createSettlements } from '../../../apps/gateway/src/features/settlements/settlements/settlements.ts'
import { openGateway } from '../../../apps/gateway/src/gateway.ts'

const gateway = await openGateway(readConfig(), 'runner')
const settlements = createSettlements(gateway.ctx)
process.send?.('settling')
await settlements.run('01', 0n, Number.POSITIVE_INFINITY)
await gateway.close()
process.disconnect?.()
