// The hunt: stretches of histories, some side by side, and what they found, in words and in few steps.

import type { Cluster } from '../../../apps/gateway/test/kit/open.ts'
import { nairaText } from '../../../packages/contract/src/kit/money.ts'
import type { Held, Report } from '../kit/bounded.ts'
import { count, tableText } from '../kit/report.ts'
import { type Finding, findingsOf, sumAll } from './checks.ts'
import type { Evidence } from './evidence.ts'
import { type Liver, startClusters, startLiver } from './livers.ts'
import { type Plan, planHistory, ROUNDS, STEP_KINDS, stepText } from './plan.ts'
import { PLANTS } from './plants.ts'

export type Options = {
  readonly histories: number
  readonly together: number
  readonly processes: number
  /** How often a list of steps is tried to be made shorter. */
  readonly shrink: number
  /** Every plant, one after the other, in place of the gateway as it is. */
  readonly plants: number
  readonly seed: number
  readonly only: string | undefined
  readonly plant: string | undefined
}
type Found = { readonly plan: Plan; readonly findings: readonly Finding[] }
/** Of a run so far. */
type Tally = {
  lived: number
  steps: number
  signedKobo: bigint
  lostKobo: bigint
  readonly books: string[]
  readonly stretches: Pick<Evidence, 'done' | 'phases'>[]
}

/** Leaves steps out while what is found is the same: halves first, then smaller parts, several at once. */
async function shorter(live: Liver, { plan, findings }: Found, tries: number): Promise<Plan> {
  const wanted = findings[0]?.check
  let best = plan
  let parts = 2
  for (let tried = 0; tried < tries; tried += 1) {
    const size = Math.ceil(best.steps.length / parts)
    const candidates = Array.from(
      { length: parts },
      (_, at): Plan => ({
        ...best,
        index: at,
        steps: best.steps.filter((_, n) => n < at * size || n >= (at + 1) * size),
      }),
    ).filter(({ steps }) => steps.length > 0 && steps.length < best.steps.length)
    const { histories } = await live(candidates)
    const failing = histories.find((facts) => findingsOf(facts).some(({ check }) => check === wanted))
    const kept = failing && candidates.find(({ index }) => index === failing.index)
    if (kept) best = { ...kept, index: plan.index }
    else if (size <= 1) break
    else parts = Math.min(best.steps.length, parts * 2)
  }
  return best
}

const secondsSince = (began: number): string => ((performance.now() - began) / 1000).toFixed(0)

/** Every process takes the next stretch when it is done with one. With a plant, the first find ends it. */
async function liveAll(
  livers: readonly Liver[],
  plans: readonly Plan[],
  { together, plant }: Options,
): Promise<{ found: Found[]; tally: Tally }> {
  const found: Found[] = []
  const tally: Tally = { lived: 0, steps: 0, signedKobo: 0n, lostKobo: 0n, books: [], stretches: [] }
  const began = performance.now()
  const stretches = Array.from({ length: Math.ceil(plans.length / together) }, (_, at) =>
    plans.slice(at * together, (at + 1) * together),
  ).values()
  const isFound = (): boolean => plant !== undefined && found.length + tally.books.length > 0
  const live = async (liver: Liver): Promise<void> => {
    for (const own of stretches) {
      if (isFound()) return
      const { histories, books, done, phases } = await liver(own)
      for (const [at, facts] of histories.entries()) {
        const findings = findingsOf(facts)
        if (findings.length > 0) found.push({ plan: own[at] as Plan, findings })
        tally.signedKobo += facts.signedKobo
        tally.lostKobo += facts.lostKobo
      }
      tally.lived += own.length
      tally.steps += own.reduce((sum, plan) => sum + plan.steps.length, 0)
      tally.stretches.push({ done, phases })
      tally.books.push(...books.map(({ invariant, example }) => `  books: ${invariant}: ${example}`))
      console.log(`  ${count(tally.lived)} histories, ${secondsSince(began)} s, ${found.length} with findings`)
    }
  }
  await Promise.all(livers.map(live))
  found.sort((a, b) => a.plan.index - b.plan.index)
  return { found, tally }
}

const SHOWN = 3
/** In so many histories every kind of step finds something to do. */
const ENOUGH = 100

export const hunt = (options: Options, held: Held, signal: AbortSignal): Promise<Report> =>
  options.plants === 0 ? huntOnce(options, held, signal) : huntPlants(options, held, signal)

const plansOf = ({ only, histories, seed }: Options): Plan[] =>
  (only === undefined ? Array.from({ length: histories }, (_, at) => at) : [Number(only)]).map((index) =>
    planHistory(seed, index),
  )

async function huntOnce(options: Options, held: Held, signal: AbortSignal): Promise<Report> {
  const { processes, plant, seed } = options
  const clusters = await startClusters(processes, held)
  const livers = await Promise.all(clusters.map((cluster) => startLiver(cluster, plant, held, signal)))
  const began = performance.now()
  const { found, tally } = await liveAll(livers, plansOf(options), options)
  const time = `${secondsSince(began)} s; of that in ${processes} processes ${phasesText(tally)}`
  const wrong = [...tally.books, ...summary(found)]
  for (const one of found.slice(0, SHOWN)) wrong.push(await told(livers[0] as Liver, one, options))
  if (signal.aborted) return null
  const { lived, steps, lostKobo, signedKobo } = tally
  const done = sumAll(tally.stretches.map((stretch) => stretch.done))
  const did = Object.values(done).reduce((sum, n) => sum + n, 0)
  const never = STEP_KINDS.filter((kind) => done[kind] === undefined)
  if (lived >= ENOUGH && never.length > 0) wrong.push(`  steps that never found anything to do: ${never.join(', ')}`)
  const loss = `${nairaText(lostKobo < 0n ? -lostKobo : lostKobo)} ${lostKobo < 0n ? 'gained' : 'lost'}`
  const says = tableText([
    ['histories', `${count(lived)} of seed ${seed}, ${found.length} with findings`],
    ['steps', `${count(steps)}, of which ${count(did)} did something, and ${ROUNDS} moves of the clock each`],
    ['loss', `${loss}, signed ${nairaText(signedKobo)}`],
    ['time', time],
  ])
  return { says, wrong }
}

const phasesText = ({ stretches }: Tally): string =>
  Object.entries(sumAll(stretches.map(({ phases }) => phases)))
    .map(([phase, ms]) => `${phase} ${(ms / 1000).toFixed(0)} s`)
    .join(', ')

/** Each plant must be found: what finds it, and how many histories that took. Every process has a plant of
 *  its own at a time. */
async function huntPlants(options: Options, held: Held, signal: AbortSignal): Promise<Report> {
  const rows: [string, string][] = []
  const wrong: string[] = []
  const plants = Object.entries(PLANTS).values()
  const search = async (cluster: Cluster): Promise<void> => {
    for (const [plant, { rule }] of plants) {
      if (signal.aborted) return
      const own = new AsyncDisposableStack()
      held.defer(() => own.disposeAsync())
      const liver = await startLiver(cluster, plant, own, signal)
      const { found, tally } = await liveAll([liver], plansOf(options), { ...options, plant })
      await own.disposeAsync()
      const by = found[0]?.findings[0]?.check ?? tally.books[0]?.trim()
      const first = found[0] === undefined ? '' : `, the first is ${found[0].plan.index}`
      const words = `${count(tally.lived)} lived, ${found.length} of them found it${first}: ${by ?? 'NOBODY'}`
      console.log(`${plant}: ${words}`)
      rows.push([plant, words])
      if (by === undefined) wrong.push(`  ${plant} is not found: ${rule}`)
    }
  }
  await Promise.all((await startClusters(options.processes, held)).map(search))
  return { says: tableText(rows), wrong }
}

/** One that failed, in as few steps as were found. */
async function told(live: Liver, one: Found, { seed, shrink }: Options): Promise<string> {
  const { plan, findings } = one
  const short = await shorter(live, one, shrink)
  return [
    `  --seed ${seed} --only ${plan.index} (extra money is to ${plan.policy}, settled to ${plan.destination})`,
    ...findings.slice(0, 4).map(({ check, says }) => `    ${check}: ${says}`),
    ...short.steps.map((step) => `      ${stepText(step)}`),
  ].join('\n')
}

/** Sentences with the same words but for numbers and names are one. */
const sentence = ({ check, says }: Finding): string =>
  `${check}: ${says.replaceAll(/\b[\dA-Z|-]*\d[\dA-Z|,.:-]*/g, '#')}`
function summary(found: readonly Found[]): string[] {
  const all = found.flatMap(({ plan, findings }) =>
    findings.map((finding) => ({ index: plan.index, what: sentence(finding) })),
  )
  return [...Map.groupBy(all, ({ what }) => what)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([what, those]) => `  ${String(those.length).padStart(5)} × ${what} (first in ${those[0]?.index})`)
}
