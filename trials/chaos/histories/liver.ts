// One process of the hunt: a PostgreSQL of its own, and a gateway of its own for each stretch that it is
// sent. It ends when whoever started it is gone. Its argument is a plant, which it puts in before anything of
// the gateway is loaded.
import { plantIn } from '../kit/plants.ts'
import type { Answer } from './livers.ts'
import type { Plan } from './plan.ts'
import { PLANTS } from './plants.ts'

const plant = PLANTS[process.argv[2] ?? '']
if (plant) plantIn(plant)
const { reached } = await import('../../../apps/gateway/test/kit/open.ts')
const { templateCluster } = await import('../../../apps/gateway/test/kit/postgres.ts')
const { lived } = await import('./stretch.ts')

/** Nobody is killed here, so nothing has to reach the disk. A plan is made once for all values, and anew when
 *  the tables have grown (stretch.ts). */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', autovacuum: 'off', plan_cache_mode: 'force_generic_plan' }
const engine = await templateCluster({ ...SETTINGS, max_connections: '200', max_prepared_transactions: '4' })
const cluster = await reached(engine)
const tell = (answer: Answer): void => void process.send?.(answer)

// Whoever started it hears of the signal too, and lets go of it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.once('disconnect', () => {
  process.on('uncaughtException', () => undefined) // what was under way has no database any more
  void engine.stop().finally(() => process.exit())
})
process.on('message', (plans: readonly Plan[]) => {
  void lived(cluster, plans).then(
    (evidence) => tell({ evidence }),
    (error: Error) => tell({ broken: error.stack ?? String(error) }),
  )
})
tell({ evidence: null })
