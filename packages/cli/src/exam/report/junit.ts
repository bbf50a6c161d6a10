// The exam as JUnit's XML, which build hosts show.
import { escaped } from '@cowrie/contract/kit/html'
import type { Exam, Result } from '../run.ts'
import { NO_PROBE } from './lines.ts'

/** Text that XML 1.0 can hold. */
const text = (value: string): string =>
  escaped(value.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ' '))

const seconds = ({ answers }: Result): string => (answers.reduce((sum, { ms }) => sum + ms, 0) / 1000).toFixed(3)

function testCase(result: Result): string {
  const { name, title, passed, sent, came, fault, why, fix } = result
  const head = `    <testcase classname="cowrie.exam" name="${text(`${name}: ${title}`)}" time="${seconds(result)}"`
  if (passed) return `${head}/>\n`
  const body = `Sent: ${sent}\nCame back: ${came}\nWhy it matters: ${why}\nFix: ${fix ?? ''}`
  return `${head}>\n      <failure message="${text(fault ?? came)}">${text(body)}</failure>\n    </testcase>\n`
}

export function junitOf({ results, failed, at, url, creditsNotJudged }: Exam): string {
  const counts = `tests="${results.length}" failures="${failed}" errors="0"`
  const head = `name="cowrie exam ${text(url)}" timestamp="${at.replace(/\.\d+Z$/, '')}" ${counts}`
  const note = creditsNotJudged === 0 ? '' : `    <system-out>${text(NO_PROBE)}</system-out>\n`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${counts}>\n  <testsuite ${head}>\n${results
    .map(testCase)
    .join('')}${note}  </testsuite>\n</testsuites>\n`
}
