// The table of a run, and everything that is wrong with it.
import { count, quantile, tableText, wrongText } from '../kit/report.ts'
import type { Findings } from '../payments/checks.ts'
import type { Load } from '../payments/load.ts'
import type { Row } from './balancer.ts'
import type { Restarted } from './fleet.ts'

export type Restart = Restarted & { readonly name: string }
export type Outcome = {
  readonly rate: number
  /** Payments arrive by the clock, whether those before are answered or not. Further behind than these
   *  seconds, the load was not applied. */
  readonly behind: number
  readonly plant: 'kill' | 'cut' | undefined
  readonly load: Load
  readonly failed: readonly string[]
  readonly calls: number
  /** How many there must be, and those that were. */
  readonly wanted: number
  readonly restarts: readonly Restart[]
  readonly rows: readonly Row[]
  readonly seconds: number
  /** How many were paid when the last restart was over. */
  readonly paidThen: number
  readonly findings: Findings
}

/** Due, and not paid when the last restart was over. */
const behind = ({ load, paidThen }: Outcome): number => load.counts.started - paidThen

const times = (restarts: readonly Restart[], part: string): string => {
  const own = restarts.filter(({ name }) => name.startsWith(part))
  const text = (which: 'stopMs' | 'startMs') => {
    const values = own.map((one) => one[which])
    return `p50 ${quantile(values, 0.5)} ms, max ${quantile(values, 1)} ms`
  }
  return `${own.length} restarts; stop ${text('stopMs')}; start ${text('startMs')}`
}

const backendOf = (rows: readonly Row[]): Row => rows.find(({ svname }) => svname === 'BACKEND') ?? {}

export function table(outcome: Outcome): string {
  const { load, failed, calls, restarts, rows, seconds, findings, paidThen } = outcome
  const all = backendOf(rows)
  const { counts, latencies } = load
  return tableText([
    ['payments', `${count(counts.started)} due in ${seconds} s, ${count(counts.paid)} paid`],
    [
      '',
      `${(paidThen / seconds).toFixed(1)} paid a second; at the end ${count(behind(outcome))} were behind, ${count(counts.neverSent)} of them never sent`,
    ],
    ['calls', `${count(calls)} of merchants and payers, ${failed.length} failed`],
    [
      'latency',
      `p50 ${quantile(latencies, 0.5)} ms, p99 ${quantile(latencies, 0.99)} ms, max ${quantile(latencies, 1)} ms`,
    ],
    [
      'balancer',
      `${count(Number(all['stot']))} requests, ${all['hrsp_5xx']} of them 5xx, ${all['eresp']} without an answer, ${all['econ']} without a connection, ${all['wretr']} connections tried again`,
    ],
    ['api', times(restarts, 'api')],
    ['worker', times(restarts, 'worker')],
    ['events', `${count(findings.events)}, ${count(findings.delivered)} deliveries`],
  ])
}

export function verdict(outcome: Outcome): string[] {
  const { load, failed, wanted, restarts, rows, findings, rate, plant } = outcome
  const wrong: string[] = []
  const add = (kind: string, examples: readonly string[]) => {
    if (examples.length > 0) wrong.push(wrongText(kind, examples))
  }
  add('calls failed', failed)
  // The bank's own calls go through the balancer too.
  const all = backendOf(rows)
  const seen = ['hrsp_5xx', 'eresp', 'econ', 'srv_abrt'].filter((name) => all[name] !== '0')
  add(
    'the balancer saw failures',
    seen.map((name) => `${name}: ${all[name]}`),
  )
  // Of a kill that was planted the calls must tell, not the signal that we sent ourselves.
  const harsh = plant === 'kill' ? [] : restarts.filter(({ ended }) => ended !== 'code 0')
  add(
    'processes did not end well',
    harsh.map(({ name, ended }) => `${name}: ${ended}`),
  )
  if (restarts.length !== wanted) add('restarts are missing', [`${restarts.length} of ${wanted}`])
  add('payments failed', load.faults)
  const { started, neverSent, paid } = load.counts
  if (paid !== started - neverSent) add('payments are not paid', [`${started - neverSent - paid}`])
  if (behind(outcome) > rate * outcome.behind)
    add('the load was not applied', [`${behind(outcome)} payments behind, at ${rate} a second`])
  for (const [kind, examples] of findings.violations) add(kind, examples)
  return wrong
}
