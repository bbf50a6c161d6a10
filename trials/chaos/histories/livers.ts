// The processes that live the stretches: one uses little more than one core, so several live side by side.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Cluster, reached } from '../../../apps/gateway/test/kit/open.ts'
import { templateCluster } from '../../../apps/gateway/test/kit/postgres.ts'
import type { Held } from '../kit/bounded.ts'
import type { Evidence } from './evidence.ts'
import type { Plan } from './plan.ts'

/** What a process says: that it is ready, what is left of a stretch, or why there is nothing. */
export type Answer = { readonly evidence: Evidence | null } | { readonly broken: string }
export type Liver = (plans: readonly Plan[]) => Promise<Evidence>

async function answerOf(child: ChildProcess, signal: AbortSignal): Promise<Evidence | null> {
  const answered = new AbortController()
  const until = { signal: AbortSignal.any([signal, answered.signal]) }
  const ended = once(child, 'exit', until).then(() => Promise.reject(new Error('a process ended by itself')))
  const said = once(child, 'message', until) as Promise<[Answer]>
  for (const one of [ended, said]) one.catch(() => undefined)
  try {
    const [answer] = await Promise.race([said, ended])
    if ('broken' in answer) throw new Error(answer.broken)
    return answer.evidence
  } finally {
    answered.abort()
  }
}

/** Nobody is killed here, so nothing has to reach the disk. A plan is made once for all values, and anew when
 *  the tables have grown (stretch.ts). */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', autovacuum: 'off', plan_cache_mode: 'force_generic_plan' }

/** As many as there are processes: transactions of one cluster wait for each other's horizons. */
export const startClusters = (count: number, held: Held): Promise<Cluster[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const settings = { ...SETTINGS, max_connections: '200', max_prepared_transactions: '4' }
      const engine = await templateCluster(settings)
      held.defer(() => engine.stop())
      return reached(engine)
    }),
  )

export async function startLiver(
  cluster: Cluster,
  plant: string | undefined,
  held: Held,
  signal: AbortSignal,
): Promise<Liver> {
  const child = fork(fileURLToPath(new URL('liver.ts', import.meta.url)), plant === undefined ? [] : [plant], {
    serialization: 'advanced',
  })
  held.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.disconnect()
    await gone
  })
  const ask = async (asked: Cluster | readonly Plan[]): Promise<Evidence | null> => {
    child.send(asked)
    return answerOf(child, signal)
  }
  await ask(cluster)
  return async (plans) => (await ask(plans)) as Evidence
}
