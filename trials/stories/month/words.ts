// The figures of a month, for whoever reads the test's output.
import type { Evidence } from './evidence.ts'
import type { Lived } from './load.ts'
import { MERCHANTS } from './plan.ts'

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0)
const counted = (rows: readonly (readonly [string, number])[]): string =>
  rows.map(([what, count]) => `${what} ${count}`).join(', ')

export function figures(
  evidence: Evidence,
  { tally, timing }: Lived,
  ends: readonly (readonly [string, number])[],
): string {
  const { lines, postings, views, breaks } = evidence
  const sorted = [...tally].sort(([a], [b]) => (a < b ? -1 : 1))
  const asked = sorted.filter(([what]) => !what.startsWith('credit '))
  const credits = sorted.filter(([what]) => what.startsWith('credit '))
  const kinds = [...Map.groupBy(lines, ({ kind }) => kind)].map(([kind, own]) => [kind, own.length] as const)
  const all = MERCHANTS.map((name) => views[name])
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
  return [
    `operations: ${sum(asked.map(([, count]) => count))}: ${counted(asked)}`,
    `credits by how the bank reported them: ${counted(credits)}`,
    `ends: ${counted(ends)}`,
    `lines of the bank: ${lines.length} against ${postings.length} postings: ${counted(kinds)}`,
    `statements verified: ${sum(all.map(({ statements }) => statements.length))}, with ${sum(all.flatMap(({ statements }) => statements.map((one) => one.lines.length)))} lines`,
    `events delivered: ${sum(all.map(({ feed }) => feed.length))}`,
    `breaks: ${counted(breaks.map(({ class: cls, kind, status, count }) => [`${cls} ${kind} ${status}`, count]))}`,
    `time: operations ${seconds(timing.loadMs)}, walking ${seconds(timing.walkMs)} over ${timing.ran} deadlines`,
  ].join('\n')
}
