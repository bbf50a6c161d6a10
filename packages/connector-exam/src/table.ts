// The result as a table, and below it what was wrong and what was left out, in sentences.
import type { GroupResult, Result } from './exam.ts'

const HEAD = ['', 'group', 'checks', 'passed', 'skipped', 'failed'] as const

const cells = ({ number, name, passed, skipped, failed }: GroupResult): readonly string[] => {
  const checks = passed.length + skipped.length + failed.length
  return [String(number), name, ...[checks, passed.length, skipped.length, failed.length].map(String)]
}

function grid(rows: readonly (readonly string[])[]): string[] {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const isText = (column: number): boolean => column === 1
  return rows.map((row) =>
    row
      .map((cell, column) => (isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

/** The reason, and below it the checks that it keeps from being made. */
const reasons = ({ number, skipped }: GroupResult): string[] =>
  [...Map.groupBy(skipped, ({ reason }) => reason)].map(
    ([reason, all]) => `  ${number}  ${reason}\n     ${all.map(({ check }) => check).join('; ')}`,
  )

/** What was not examined has not passed, and the last line is what people read. */
const verdict = (passed: number, skipped: number): string =>
  skipped === 0
    ? 'Passed.'
    : `Passed: ${passed} of ${passed + skipped} checks. ${skipped} ${skipped === 1 ? 'was' : 'were'} skipped, for the reasons above.`

export function tableOf({ subject, groups }: Result): string {
  const sum = (of: 'passed' | 'skipped' | 'failed'): number => groups.reduce((total, one) => total + one[of].length, 0)
  const sums = { passed: sum('passed'), skipped: sum('skipped'), failed: sum('failed') }
  const checks = sums.passed + sums.skipped + sums.failed
  const all = ['', 'all', ...[checks, sums.passed, sums.skipped, sums.failed].map(String)]
  const wrong = groups.flatMap(({ number, failed }) =>
    failed.map(({ check, sentence }) => `  ${number}  ${check}\n     ${sentence}`),
  )
  const skipped = groups.flatMap(reasons)
  return [
    `Exam of ${subject}`,
    '',
    ...grid([HEAD, ...groups.map(cells), all]),
    ...(skipped.length === 0 ? [] : ['', 'Skipped', ...skipped]),
    ...(wrong.length === 0 ? ['', verdict(sums.passed, sums.skipped)] : ['', 'Wrong', ...wrong, '', 'Not passed.']),
    '',
  ].join('\n')
}
