// The hunt: stretches of histories one after the other, and what they found, in words and in few steps.

import { type Cluster, reached } from '../../../apps/gateway/test/kit/open.ts'
import { templateCluster } from '../../../apps/gateway/test/kit/postgres.ts'
import { nairaText } from '../../../packages/contract/src/kit/money.ts'
import type { Held, Report } from '../kit/bounded.ts'
import { count, tableText } from '../kit/report.ts'
import { type Finding, findingsOf } from './checks.ts'
import { type Plan, planHistory, ROUNDS, stepText } from './plan.ts'
import { lived } from './stretch.ts'

export type Options = {
  readonly histories: number
  readonly together: number
  /** How often a list of steps is tried to be made shorter. */
  readonly shrink: number
  readonly seed: number
  readonly only: string | undefined
  readonly plant: string | undefined
}
type Found = { readonly plan: Plan; readonly findings: readonly Finding[] }
/** Of a run so far. */
type Tally = { steps: number; done: number; signedKobo: bigint; lostKobo: bigint; readonly books: string[] }

/** Leaves steps out while what is found is the same: halves first, then smaller parts, several at once. */
async function shorter(cluster: Cluster, { plan, findings }: Found, tries: number): Promise<Plan> {
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
    const { evidence } = await lived(cluster, candidates)
    const failing = evidence.histories.find((facts) => findingsOf(facts).some(({ check }) => check === wanted))
    const kept = failing && candidates.find(({ index }) => index === failing.index)
    if (kept) best = { ...kept, index: plan.index }
    else if (size <= 1) break
    else parts = Math.min(best.steps.length, parts * 2)
  }
  return best
}

async function liveAll(
  cluster: Cluster,
  indexes: readonly number[],
  { seed, together, plant }: Options,
  signal: AbortSignal,
): Promise<{ found: Found[]; tally: Tally }> {
  const found: Found[] = []
  const tally: Tally = { steps: 0, done: 0, signedKobo: 0n, lostKobo: 0n, books: [] }
  const began = performance.now()
  for (let from = 0; from < indexes.length && !signal.aborted; from += together) {
    const plans = indexes.slice(from, from + together).map((index) => planHistory(seed, index))
    const { evidence, lives } = await lived(cluster, plans)
    for (const [at, facts] of evidence.histories.entries()) {
      const findings = findingsOf(facts)
      if (findings.length > 0) found.push({ plan: plans[at] as Plan, findings })
      tally.signedKobo += facts.signedKobo
      tally.lostKobo += facts.lostKobo
    }
    tally.steps += plans.reduce((sum, plan) => sum + plan.steps.length, 0)
    tally.done += lives.reduce((sum, life) => sum + life.done, 0)
    tally.books.push(...evidence.books.map(({ invariant, example }) => `  books: ${invariant}: ${example}`))
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    console.log(`  ${count(from + plans.length)} histories, ${seconds} s, ${found.length} with findings`)
    if (plant !== undefined && found.length > 0) break
  }
  return { found, tally }
}

const SHOWN = 3

export async function hunt(options: Options, held: Held, signal: AbortSignal): Promise<Report> {
  const engine = await templateCluster({ max_connections: '200', max_prepared_transactions: '4' })
  held.defer(() => engine.stop())
  const cluster = await reached(engine)
  const { only, histories, seed } = options
  const indexes = only === undefined ? Array.from({ length: histories }, (_, at) => at) : [Number(only)]
  const began = performance.now()
  const { found, tally } = await liveAll(cluster, indexes, options, signal)
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  const wrong = [...tally.books, ...summary(found)]
  for (const one of found.slice(0, SHOWN)) wrong.push(await told(cluster, one, options))
  if (signal.aborted) return null
  const { steps, done, lostKobo, signedKobo } = tally
  const loss = `${nairaText(lostKobo < 0n ? -lostKobo : lostKobo)} ${lostKobo < 0n ? 'gained' : 'lost'}`
  const says = tableText([
    ['histories', `${count(indexes.length)} of seed ${seed}, ${found.length} with findings`],
    ['steps', `${count(steps)}, of which ${count(done)} did something, and ${ROUNDS} moves of the clock each`],
    ['loss', `${loss}, signed ${nairaText(signedKobo)}`],
    ['time', `${seconds} s`],
  ])
  return { says, wrong }
}

/** One that failed, in as few steps as were found. */
async function told(cluster: Cluster, one: Found, { seed, shrink }: Options): Promise<string> {
  const { plan, findings } = one
  const short = await shorter(cluster, one, shrink)
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
