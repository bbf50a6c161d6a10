// The exam in a terminal: a line per case as it is done, then what failed, with why and how to fix it.
import { stripVTControlCharacters } from 'node:util'
import { bold, dim, paint, wrap } from '../../words.ts'
import type { Exam, Result } from '../run.ts'

const COLUMNS = 80
const TITLE_WIDTH = 36

const cut = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, width - 1)}…`)
/** A handler's own words may hold anything. */
const plain = (text: string): string => stripVTControlCharacters(text).replace(/\p{Cc}/gu, ' ')

/** `pass  The same event twice   200, 200; credited ₦3,000.00` */
export function resultLine({ passed, title, came, fault }: Result, columns = COLUMNS): string {
  const verdict = passed ? paint('green', 'pass') : paint('red', 'FAIL')
  const room = Math.max(COLUMNS, columns) - TITLE_WIDTH - 8
  return `${verdict}  ${title.padEnd(TITLE_WIDTH)}  ${dim(cut(plain(fault ?? came), room))}`.trimEnd()
}

const part = (name: string, text: string): string[] => {
  const [first = '', ...rest] = wrap(plain(text), 10)
  return [`  ${dim(name.padEnd(8))}${first.trimStart()}`, ...rest]
}

const failure = ({ title, name, sent, came, why, fix }: Result): string[] => [
  '',
  `${paint('red', '✗')} ${bold(title)} ${dim(name)}`,
  ...part('Sent', sent),
  ...part('Came', came),
  ...part('Why', why),
  ...part('Fix', fix ?? ''),
]

export const NO_PROBE =
  'Only answers were judged: without --probe nobody could say what your handler credited. Give --probe, the address of your own that says so.'

const FIRST = 'Begin with the first case: where a valid payment is not accepted, the others mostly follow from that.'

const UNKNOWN_ORDERS =
  'Your handler accepted the payments, and the probe says ₦0.00 for every one. Does your shop know these orders? `cowrie exam --list --prefix exam-7` names them; create them, then run the exam with --prefix exam-7.'

/** A valid payment was accepted and not credited, and so was every other. */
const isNothingCredited = ({ results }: Exam): boolean =>
  results[0]?.fault?.startsWith('credited ₦0.00') === true &&
  results.every(({ judged, came }) => judged === 'answers' || !/credited ₦(?!0\.00)/.test(came))

export function summaryLines(exam: Exam): string[] {
  const { results, passed, failed, creditsNotJudged, prefix } = exam
  const lines = results.filter((one) => !one.passed).flatMap(failure)
  if (isNothingCredited(exam)) lines.push('', ...wrap(UNKNOWN_ORDERS, 0).map((line) => paint('yellow', line)))
  else if (results[0]?.passed === false) lines.push('', ...wrap(FIRST, 0))
  const count = `${passed} of ${results.length} cases passed`
  lines.push('', failed === 0 ? paint('green', `${count}.`) : paint('red', `${count}, ${failed} failed.`))
  if (creditsNotJudged > 0)
    lines.push(
      ...wrap(`${NO_PROBE} (${creditsNotJudged} cases are about money.)`, 0).map((line) => paint('yellow', line)),
    )
  lines.push(dim(`All references of this exam begin with ${prefix}.`))
  return lines
}
