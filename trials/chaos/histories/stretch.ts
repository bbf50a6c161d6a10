// A stretch: some histories that live through the same days in one gateway, round by round.
import type { Cluster } from '../../../apps/gateway/test/kit/open.ts'
import { type Evidence, readEvidence } from './evidence.ts'
import { born, type Doing, type Life, OWN_STEPS } from './life.ts'
import { closeAlone, work } from './people.ts'
import { HOURS, type Plan, ROUNDS, type StepKind } from './plan.ts'
import { BANK_STEPS } from './trouble.ts'
import { END_DAY, momentOf, openWorld, type World, walkTo } from './world.ts'

const IN_FLIGHT = 12
export async function inParallel<T>(items: readonly T[], each: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      for (const item of queue) await each(item)
    }),
  )
}

const DOINGS: Readonly<Partial<Record<StepKind, Doing>>> = {
  ...OWN_STEPS,
  ...BANK_STEPS,
  closeAlone: (w, life) => closeAlone(w, life),
}

async function liveRound(w: World, life: Life, round: number): Promise<void> {
  for (const step of life.plan.steps.filter((one) => one.round === round)) {
    try {
      if (await DOINGS[step.kind]?.(w, life, step)) life.done += 1
    } catch (error) {
      life.problems.push(`${step.kind} failed: ${(error as Error).message.slice(0, 200)}`)
    }
  }
}

export async function lived(
  cluster: Cluster,
  plans: readonly Plan[],
): Promise<{ evidence: Evidence; lives: readonly Life[] }> {
  const w = await openWorld(cluster)
  try {
    const lives: Life[] = []
    await inParallel(plans, async (plan) => void lives.push(await born(w, plan)))
    lives.sort((a, b) => plans.indexOf(a.plan) - plans.indexOf(b.plan))
    for (let round = 0; round < ROUNDS; round += 1) {
      const hour = HOURS[round % HOURS.length] as number
      await walkTo(w, momentOf(w, Math.floor(round / HOURS.length), hour))
      await inParallel(lives, (life) => liveRound(w, life, round))
      if (hour === HOURS[0]) await work(w, lives, inParallel)
    }
    for (let day = ROUNDS / HOURS.length; day <= END_DAY; day += 1) {
      await walkTo(w, momentOf(w, day, HOURS[0]))
      await work(w, lives, inParallel)
    }
    await walkTo(w, momentOf(w, END_DAY + 1, HOURS[0]))
    return { evidence: await readEvidence(w, lives), lives }
  } finally {
    await w.close()
  }
}
