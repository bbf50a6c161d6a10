// Kills api and worker (kill -9) at the planned instants and starts them again at once. Most kills wait until
// the part is back from the last one, or a slow machine would see it dead all the time; a few do not.
import { setTimeout as pause } from 'node:timers/promises'
import type { Stack } from '../../../tools/sandbox/stack.ts'
import { mulberry32 } from './random.ts'

const RUTHLESS = 0.1
const KILLS_END_AT = 0.95 // the last one is early enough to be over before the load is
const START_TRIES = 10
const LIFE_MS = 200 // what a part that came back late has at least, to do some work

export type Part = 'api' | 'worker'

export type PlannedKill = {
  readonly at: number
  readonly part: Part
  /** Whether it comes even while the part is still starting. */
  readonly ruthless: boolean
}

export type Toll = {
  kills: number
  /** Kills that met the part while it was starting. */
  whileStarting: number
  /** From a kill to the first answer (the worker: to its word that it is ready), in milliseconds. */
  readonly recoveries: number[]
}

export type Killer = {
  readonly tolls: Readonly<Record<Part, Readonly<Toll>>>
  readonly faults: readonly string[]
  /** No further kills; answers when every part is back. */
  stop(): Promise<void>
}

/** One kill at a random instant of each of `kills` equal stretches; of every two that follow each other one
 *  is the api's and one the worker's, or chance could kill the api nearly every time and leave no time for
 *  payments. */
export function planKills(seed: number, kills: number, seconds: number): PlannedKill[] {
  const random = mulberry32(seed ^ 0x5eed)
  const stretch = (seconds * 1000 * KILLS_END_AT) / kills
  let apiFirst = false
  return Array.from({ length: kills }, (_, index) => {
    if (index % 2 === 0) apiFirst = random() < 0.5
    const part = (index % 2 === 0) === apiFirst ? 'api' : 'worker'
    return { at: (index + random()) * stretch, part, ruthless: random() < RUTHLESS }
  })
}

export function startKiller(stack: Stack, plan: readonly PlannedKill[], startedAt: number): Killer {
  const stopping = new AbortController()
  const tolls: Record<Part, Toll> = {
    api: { kills: 0, whileStarting: 0, recoveries: [] },
    worker: { kills: 0, whileStarting: 0, recoveries: [] },
  }
  const faults: string[] = []
  const reviving = new Map<Part, Promise<void>>()

  /** One at a time for a part: a kill that meets it here makes it begin again. */
  const revive = async (part: Part, downSince: number): Promise<void> => {
    for (let failed = 0; failed < START_TRIES; ) {
      const { kills } = tolls[part]
      const fault = await stack.start(part).then(
        () => null,
        (error: Error) => error.message,
      )
      if (tolls[part].kills !== kills) continue
      if (fault === null) {
        tolls[part].recoveries.push(Date.now() - downSince)
        break
      }
      failed += 1
      faults.push(`${part}: ${fault}`)
      await stack.kill(part) // what is left of the failed start
    }
    reviving.delete(part) // in the same breath as the look at the kills, so that none falls in between
  }

  const kill = async (part: Part): Promise<void> => {
    while (stack.pid(part) === undefined && reviving.has(part)) await pause(5) // there must be something to kill
    const downSince = Date.now()
    tolls[part].kills += 1
    if (reviving.has(part)) tolls[part].whileStarting += 1
    await stack.kill(part)
    if (reviving.has(part)) return
    reviving.set(part, revive(part, downSince))
  }

  /** One for each part, so that one part is killed while the other is still coming back. */
  const hunt = async (prey: Part): Promise<void> => {
    for (const planned of plan.filter(({ part }) => part === prey)) {
      if (!planned.ruthless) await reviving.get(prey)
      const wait = Math.max(LIFE_MS, startedAt + planned.at - Date.now())
      await pause(wait, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      await kill(prey)
    }
  }
  const hunts = Promise.all([hunt('api'), hunt('worker')])

  return {
    tolls,
    faults,
    stop: async () => {
      stopping.abort()
      await hunts
      await Promise.all(reviving.values())
    },
  }
}
