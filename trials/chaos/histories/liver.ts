// One process of the hunt: it is sent a cluster, and then one stretch after the other, each of which gets a
// gateway of its own. It ends when whoever started it is gone. Its argument is a plant, which it puts in
// before anything of the gateway is loaded.
import { once } from 'node:events'
import type { Cluster } from '../../../apps/gateway/test/kit/open.ts'
import { plantIn } from '../kit/plants.ts'
import type { Answer } from './livers.ts'
import type { Plan } from './plan.ts'
import { PLANTS } from './plants.ts'

const plant = PLANTS[process.argv[2] ?? '']
if (plant) plantIn(plant)
const first = once(process, 'message') as Promise<[Cluster]>
const { lived } = await import('./stretch.ts')
const [cluster] = await first
const tell = (answer: Answer): void => void process.send?.(answer)

// Whoever started it hears of the signal too, and lets go of it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.once('disconnect', () => process.exit())
process.on('message', (plans: readonly Plan[]) => {
  void lived(cluster, plans).then(
    (evidence) => tell({ evidence }),
    (error: Error) => tell({ broken: error.stack ?? String(error) }),
  )
})
tell({ evidence: null })
