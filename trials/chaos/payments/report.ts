// The report of a run: progress, the table, and everything that is wrong.

import type { Killer } from '../kit/killer.ts'
import { count, quantile, tableText, tollText, wrongText } from '../kit/report.ts'
import type { Findings } from './checks.ts'
import type { Load } from './load.ts'
import type { Receiver } from './receiver.ts'

export type Outcome = {
  readonly kills: number
  readonly load: Load
  readonly killer: Killer
  /** Processes that exited without being killed. */
  readonly ended: readonly string[]
  readonly quietMs: number
  readonly receiver: Receiver
  readonly findings: Findings
}

const LATE_MS = 1_000
const GIVEN_UP_MOST = 0.01
const NEVER_SENT_MOST = 0.5 // a run that sent less than half of what was due has not applied the load it names

export function progress(ms: number, { counts }: Load, { tolls }: Killer): void {
  const kills = tolls.api.kills + tolls.worker.kills
  console.log(
    `${String(Math.round(ms / 1000)).padStart(5)} s  ${count(counts.started)} started, ${count(counts.paid)} paid, ${kills} kills`,
  )
}

/** Payments whose client had no answer for 30 s, or was not through at the end. They may have happened or
 *  not; of what was acknowledged before, nothing may be missing. */
const givenUp = ({ counts, faults }: Load): number => counts.started - counts.paid - counts.neverSent - faults.length

export function table({ load, killer, quietMs, receiver, findings }: Outcome): string {
  const { counts, latencies, acknowledged } = load
  const distinct = [...receiver.taken.values()].reduce((sum, counted) => sum + counted.size, 0)
  const late = latencies.filter((ms) => ms > LATE_MS).length
  const books = [...findings.violations.keys()].filter((kind) => kind.startsWith('books: ')).length
  const rows: [string, string][] = [
    [
      'payments',
      `${count(counts.started)} due, ${count(counts.started - counts.neverSent)} sent, ${count(acknowledged.size)} acknowledged, ${count(counts.paid)} paid, ${count(givenUp(load))} abandoned`,
    ],
    ['api', tollText(killer.tolls.api)],
    ['worker', tollText(killer.tolls.worker)],
    [
      'requests',
      `${count(latencies.length)}, p50 ${quantile(latencies, 0.5)} ms, p99 ${quantile(latencies, 0.99)} ms, max ${quantile(latencies, 1)} ms`,
    ],
    [
      '',
      `${count(late)} slower than ${LATE_MS / 1000} s, ${count(counts.repeated)} retries, ${count(counts.internalErrors)} responses with status 500`,
    ],
    ['transfers', `${count(counts.unknownTransfers)} with unknown outcome, inquired about instead of retried`],
    ['events', count(findings.events)],
    [
      'deliveries',
      `${count(findings.delivered)} received, ${count(findings.delivered - distinct)} duplicates, ${count(receiver.refused())} refused at first`,
    ],
    ['drained in', `${(quietMs / 1000).toFixed(1)} s`],
    ['books', books === 0 ? 'clean' : `${books} invariants broken`],
  ]
  return tableText(rows)
}

/** Everything that is wrong; empty when the run has passed. */
export function verdict({ kills, load, killer, ended, findings }: Outcome): string[] {
  const wrong: string[] = []
  const add = (kind: string, examples: readonly string[]) => {
    if (examples.length > 0) wrong.push(wrongText(kind, examples))
  }
  for (const [kind, examples] of findings.violations) add(kind, examples)
  add('payments did not complete', load.faults)
  add('a process exited unexpectedly', ended)
  add('a process did not start', killer.faults)
  const done = killer.tolls.api.kills + killer.tolls.worker.kills
  // A run that killed or paid less than it was asked to proves less than it claims.
  if (done !== kills) add('not all kills took place', [`${done} of ${kills}`])
  const { started, neverSent } = load.counts
  if (started === 0 || givenUp(load) > started * GIVEN_UP_MOST)
    add('too many payments were abandoned', [`${givenUp(load)} of ${started}`])
  if (neverSent > started * NEVER_SENT_MOST) add('too many payments were never sent', [`${neverSent} of ${started}`])
  return wrong
}
