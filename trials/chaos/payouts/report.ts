// The report of a run: the table, and everything that is wrong.
import { INQUIRE_AFTER_MS } from '../../../apps/gateway/src/core/outgoing.ts'
import type { Killer } from '../kit/killer.ts'
import { count, quantile, tableText, tollText, wrongText } from '../kit/report.ts'
import { check, type Evidence } from './checks.ts'
import type { Load } from './load.ts'
import { WAYS } from './plan.ts'

export type Outcome = {
  readonly payouts: number
  readonly kills: number
  readonly load: Load
  readonly killer: Killer
  /** Processes that exited without being killed. */
  readonly ended: readonly string[]
  /** Payouts without an end when the bank healed, and at the end of the wait. */
  readonly openAtHealing: number
  readonly openAtEnd: number
  readonly healedMs: number
  readonly quiet: boolean
  readonly evidence: Evidence
}

export const HEAL_LIMIT_MS = 60_000

const share = (part: number, all: number): string =>
  `${count(part)} (${((100 * part) / Math.max(1, all)).toFixed(0)} %)`

export function table({ load, killer, openAtHealing, openAtEnd, healedMs, evidence }: Outcome): string {
  const { rows, statement, batches } = evidence
  const accepted = [...load.accepted.values()]
  const ways = WAYS.map((way) => `${count(accepted.filter((one) => one.way === way).length)} ${way}`)
  const ended = (status: string) => count(rows.filter((row) => row.status === status).length)
  const at = (test: (booked: (typeof statement)[number]) => boolean) =>
    share(statement.filter(test).length, rows.length)
  const found = rows.filter(({ seconds }) => (seconds ?? 0) * 1000 >= INQUIRE_AFTER_MS - 1_000).length
  return tableText([
    ['payouts', `${count(accepted.length)} accepted (${ways.join(', ')}), ${count(batches.length)} batches`],
    [
      'requests',
      `${count(load.latencies.length)}, p50 ${quantile(load.latencies, 0.5)} ms, p99 ${quantile(load.latencies, 0.99)} ms, max ${quantile(load.latencies, 1)} ms; ${load.repeated()} sent again, all refused`,
    ],
    ['worker', tollText(killer.tolls.worker)],
    [
      'bank',
      `${at(({ status }) => status === 'REVERSED')} reversed, ${at(({ amount }) => amount === null)} barred before they arrived, ${at(({ status, amount }) => status === 'FAILED' && amount !== null)} failed there`,
    ],
    ['', `${count(statement.filter((booked) => booked.asked > 1).length)} orders were received more than once`],
    [
      'ends',
      `${ended('SUCCESS')} SUCCESS, ${ended('FAILED')} FAILED, ${ended('REVERSED')} REVERSED; ${count(found)} only by asking`,
    ],
    ['faults off', `${count(openAtHealing)} payouts open, ${count(openAtEnd)} after ${(healedMs / 1000).toFixed(1)} s`],
  ])
}

/** Everything that is wrong; empty when the run has passed. */
export async function verdict(url: string, outcome: Outcome): Promise<string[]> {
  const { payouts, kills, load, killer, ended, openAtEnd, quiet, evidence } = outcome
  const wrong = [...(await check(url, evidence))].map(([kind, examples]) => wrongText(kind, examples))
  const add = (kind: string, examples: readonly string[]) => {
    if (examples.length > 0) wrong.push(wrongText(kind, examples))
  }
  add('a request got an unexpected response', load.faults)
  add('a process exited unexpectedly', ended)
  add('a process did not start', killer.faults)
  if (openAtEnd > 0)
    add(`not resolved ${HEAL_LIMIT_MS / 1000} s after the bank's faults were turned off`, [`${openAtEnd} payouts`])
  else if (!quiet) add('the queues did not drain', ['events or notices are still pending'])
  // A run that killed or paid less than it was asked to proves less than it claims.
  const done = killer.tolls.worker.kills
  if (done !== kills) add('not all kills took place', [`${done} of ${kills}`])
  if (load.accepted.size !== payouts) add('not all payouts were accepted', [`${load.accepted.size} of ${payouts}`])
  return wrong
}
