// The report of a run: the table, and everything that is wrong.
import type { Killer } from '../kit/killer.ts'
import { count, quantile, tableText, tollText, wrongText } from '../kit/report.ts'
import { check, type Evidence, isHonest, mostAtOnce, type Report, repetitions, repetitionsMost } from './checks.ts'
import { fedInTime } from './feed.ts'
import type { Sample } from './watch.ts'

export type Outcome = {
  readonly evidence: Evidence
  readonly killer: Killer
  /** Processes that exited without being killed. */
  readonly ended: readonly string[]
  readonly samples: readonly Sample[]
  readonly lateMs: number
  readonly quietMs: number
  readonly quiet: boolean
}

const P99_MS = 1_000
const GROWTH_MOST = 1.3
const MEGABYTES_MOST = 512
const SOCKETS_PER_ENDPOINT = 5
const SOCKETS_BESIDE = 100 // connections to PostgreSQL, and those of other endpoints that are kept for a while

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const thirds = (samples: readonly Sample[]): [number, number] => {
  const part = (n: number) => samples.slice((samples.length * n) / 3, (samples.length * (n + 1)) / 3)
  return [1, 2].map((n) => median(part(n).map(({ megabytes }) => megabytes))) as [number, number]
}

/** From the commit to the first arrival at honest receivers, in milliseconds. */
export function latencies({ events, merchants, report }: Evidence): number[] {
  const first = new Map<number, number>()
  for (const { event, at } of report.arrivals) if (!first.has(event)) first.set(event, at)
  return events.flatMap((event, number) => {
    const [merchant, at] = [merchants[event.merchant], first.get(number)]
    return merchant && isHonest(merchant) && at !== undefined ? [Math.max(0, at - event.committedAt)] : []
  })
}

const spread = (values: readonly number[]): string =>
  `min ${quantile(values, 0)}, median ${quantile(values, 0.5)}, max ${quantile(values, 1)}`

/** A line for each hostile merchant: how it fared. */
function hostileRows({ merchants, endpoints, deliveries, events, report }: Evidence): [string, string][] {
  const stateOf = new Map(deliveries.map((row) => [row.event_id, row.state]))
  return merchants.flatMap((merchant, at): [string, string][] => {
    if (isHonest(merchant)) return []
    const own = events.filter((event) => event.merchant === at)
    const delivered = own.filter(({ id }) => stateOf.get(String(id)) === 'DELIVERED').length
    const endpoint = endpoints.find((row) => row.merchant_id === String(merchant.id))
    const seen = report.arrivals.filter((arrival) => arrival.merchant === at)
    const resting = endpoint?.rest_until ? ', paused' : ''
    return [
      [
        '',
        `${merchant.behaviour.padEnd(32)} ${count(own.length)} events, ${count(delivered)} delivered, ${endpoint?.attempts} attempts, ${count(seen.length)} received, ${mostAtOnce(seen)} at once, ${endpoint?.status.toLowerCase()}${resting}`,
      ],
    ]
  })
}

export function table({ evidence, killer, samples, lateMs, quietMs }: Outcome): string {
  const { merchants, events, report } = evidence
  const waits = latencies(evidence)
  const again = [...repetitions(evidence).values()].reduce((sum, more) => sum + more, 0)
  const atOnce = Map.groupBy(report.arrivals, ({ merchant }) => merchant)
  const most = Math.max(0, ...[...atOnce.values()].map(mostAtOnce))
  const honest = merchants.filter(isHonest).length
  const [middle, last] = thirds(samples)
  return tableText([
    ['merchants', `${honest} honest, ${merchants.length - honest} hostile`],
    ['events', `${count(events.length)}, at most ${count(Math.round(lateMs))} ms behind schedule`],
    ['worker', tollText(killer.tolls.worker)],
    [
      'honest',
      `${count(waits.length)} events, commit to arrival p50 ${quantile(waits, 0.5)} ms, p99 ${quantile(waits, 0.99)} ms, max ${quantile(waits, 1)} ms`,
    ],
    ['arrivals', `${count(report.arrivals.length)} in all, at most ${most} at once at one endpoint`],
    ['duplicates', `${count(again)} of events already accepted (at most ${count(repetitionsMost(evidence))})`],
    [
      'memory',
      `${spread(samples.map(({ megabytes }) => megabytes))} MB; middle third ${Math.round(middle)}, last third ${Math.round(last)}`,
    ],
    ['sockets', spread(samples.map(({ sockets }) => sockets))],
    ['drained in', `${(quietMs / 1000).toFixed(1)} s`],
    ['hostile', ''],
    ...hostileRows(evidence),
  ])
}

function checkFigures({ evidence, samples }: Outcome, report: Report): void {
  const waits = latencies(evidence).toSorted((a, b) => a - b)
  const p99 = waits[Math.floor(waits.length * 0.99)] ?? Number.POSITIVE_INFINITY
  const { kills, merchants } = evidence
  if (kills === 0 && p99 >= P99_MS) report('delivery to honest receivers is too slow', `p99 ${Math.round(p99)} ms`)
  const [middle, last] = thirds(samples)
  if (kills === 0 && last > middle * GROWTH_MOST)
    report('the memory of the worker keeps growing', `${Math.round(middle)} MB, then ${Math.round(last)} MB`)
  const megabytes = Math.max(...samples.map((sample) => sample.megabytes))
  if (!(megabytes <= MEGABYTES_MOST)) report('the worker uses too much memory', `${Math.round(megabytes)} MB`)
  const allowed = merchants.length * SOCKETS_PER_ENDPOINT + SOCKETS_BESIDE
  const sockets = Math.max(...samples.map((sample) => sample.sockets))
  if (!(sockets <= allowed)) report('the worker has too many open sockets', `${sockets} of at most ${allowed}`)
}

/** Everything that is wrong; empty when the run has passed. */
export async function verdict(url: string, outcome: Outcome): Promise<string[]> {
  const found = new Map<string, string[]>()
  const report: Report = (kind, example) => {
    const examples = found.get(kind) ?? []
    examples.push(example)
    found.set(kind, examples)
  }
  const { evidence, killer, ended, lateMs, quiet, quietMs } = outcome
  await check(url, evidence, report)
  checkFigures(outcome, report)
  for (const how of ended) report('a process exited unexpectedly', how)
  for (const why of killer.faults) report('a process did not start', why)
  const { kills } = killer.tolls.worker
  // A run that killed or sent less than it was asked to proves less than it claims.
  if (kills !== evidence.kills) report('not all kills took place', `${kills} of ${evidence.kills}`)
  if (!fedInTime(lateMs)) report('the load was not applied', `${Math.round(lateMs)} ms behind schedule`)
  if (!quiet) report('the queues did not drain', `events of honest merchants still pending after ${quietMs} ms`)
  return [...found].map(([kind, examples]) => wrongText(kind, examples))
}
