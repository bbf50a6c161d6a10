// How every run writes its figures and what it found.
import type { Toll } from './killer.ts'

const EXAMPLES = 5

export const count = (value: number): string => value.toLocaleString('en')

export function quantile(values: readonly number[], share: number): string {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return value === undefined ? '-' : count(Math.round(value))
}

export const tollText = ({ kills, whileStarting, recoveries }: Toll): string =>
  `${kills} kills (${whileStarting} while starting), recovery p50 ${quantile(recoveries, 0.5)} ms, max ${quantile(recoveries, 1)} ms`

/** One kind of what is wrong, with the first examples of it. */
export function wrongText(kind: string, examples: readonly string[]): string {
  const shown = examples.slice(0, EXAMPLES).map((example) => `    ${example.slice(0, 300)}`)
  const more = examples.length > EXAMPLES ? [`    … ${examples.length - EXAMPLES} more`] : []
  return [`  ${kind} (${examples.length})`, ...shown, ...more].join('\n')
}

export const tableText = (rows: readonly (readonly [string, string])[]): string =>
  ['', ...rows.map(([name, text]) => `  ${name.padEnd(12)} ${text}`), ''].join('\n')
