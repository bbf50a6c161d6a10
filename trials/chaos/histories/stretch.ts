// A stretch: some histories that live through the same days in one gateway, round by round.
import type { Cluster } from '../../../apps/gateway/test/kit/open.ts'
import { sumAll } from './checks.ts'
import { type Evidence, readEvidence } from './evidence.ts'
import { born, type Doing, type Life, OWN_STEPS } from './life.ts'
import { closeAlone, work } from './people.ts'
import { HOURS, type Plan, ROUNDS, type StepKind } from './plan.ts'
import { BANK_STEPS } from './trouble.ts'
import { CELL, END_DAY, momentOf, openWorld, type World, walkTo } from './world.ts'

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
      if (await DOINGS[step.kind]?.(w, life, step)) life.done[step.kind] = (life.done[step.kind] ?? 0) + 1
    } catch (error) {
      life.problems.push(`${step.kind} failed: ${(error as Error).message.slice(0, 200)}`)
    }
  }
}

/** Runs parts one after the other, and keeps what each kind of them took. */
function stopwatch() {
  const phases: Record<string, number> = {}
  const during = async <T>(phase: string, work: Promise<T>): Promise<T> => {
    const began = performance.now()
    const made = await work
    phases[phase] = (phases[phase] ?? 0) + performance.now() - began
    return made
  }
  return { phases, during }
}

export async function lived(cluster: Cluster, plans: readonly Plan[]): Promise<Evidence> {
  const { phases, during } = stopwatch()
  const w = await during('opening', openWorld(cluster))
  try {
    const lives: Life[] = []
    await during(
      'births',
      inParallel(plans, async (plan) => void lives.push(await born(w, plan))),
    )
    lives.sort((a, b) => plans.indexOf(a.plan) - plans.indexOf(b.plan))
    for (let round = 0; round < ROUNDS; round += 1) {
      const hour = HOURS[round % HOURS.length] as number
      await during('clock', walkTo(w, momentOf(w, Math.floor(round / HOURS.length), hour)))
      await during(
        'steps',
        inParallel(lives, (life) => liveRound(w, life, round)),
      )
      if (hour === HOURS[0]) await during('people', work(w, lives, inParallel))
      // Plans that were made for empty tables take most of the time otherwise.
      await during('analyze', w.h.sql(CELL, 'analyze'))
    }
    for (let day = ROUNDS / HOURS.length; day <= END_DAY; day += 1) {
      await during('clock', walkTo(w, momentOf(w, day, HOURS[0])))
      await during('people', work(w, lives, inParallel))
    }
    await during('clock', walkTo(w, momentOf(w, END_DAY + 1, HOURS[0])))
    const found = await during('evidence', readEvidence(w, lives))
    return { ...found, done: sumAll(lives.map(({ done }) => done)), phases }
  } finally {
    await w.close()
  }
}
