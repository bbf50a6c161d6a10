// docs/recording.svg: a first payment in a terminal, as README shows it. The text is that of a real run
// (docs/recording.txt); the test of README's blocks compares its form with a run of today.
//   node tools/docs/recording.ts     plays it anew in the sandbox of this folder, and keeps the text
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const ROOT = join(import.meta.dirname, '../..')
export const RECORDING = 'docs/recording.txt'

/** One character is so wide in every monospace font that is likely to be there: 0.6 of its size. */
const SIZE = 13
const WIDTH = SIZE * 0.6
const LINE = 20
const EDGE = 20
const BAR = 36
/** Longer lines go on in the next, as a terminal does it. */
const COLUMNS = 112

const STYLE = `
    svg { color-scheme: light dark }
    text { font: ${SIZE}px ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre }
    .paper { fill: #fff; stroke: #d5dad6 } .bar { fill: #f5f6f3 } .dot { fill: #c3cac5 }
    .ink { fill: #13201b } .typed { fill: #13201b; font-weight: 600 }
    .prompt { fill: #0b5c48; font-weight: 600 } .paid { fill: #14653d; font-weight: 600 }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #141b18; stroke: #2e3833 } .bar { fill: #0d1311 } .dot { fill: #3d4842 }
      .ink { fill: #e8eeea } .typed { fill: #e8eeea }
      .prompt { fill: #75d0b6 } .paid { fill: #7fd69b }
    }`

const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

function folded(line: string): readonly string[] {
  if (line.length <= COLUMNS) return [line]
  const space = line.lastIndexOf(' ', COLUMNS)
  const end = space > COLUMNS / 2 ? space : COLUMNS
  const indent = ' '.repeat(/^\s*/.exec(line)?.[0].length ?? 0)
  return [line.slice(0, end), ...folded(`${indent}${line.slice(end).trimStart()}`)]
}

function inColour(line: string): string {
  if (line.startsWith('$ '))
    return `<tspan class="prompt">$</tspan><tspan class="typed">${escaped(line.slice(1))}</tspan>`
  const [, before = '', word = '', after = ''] = /^(.*?)\b(PAID)\b(.*)$/.exec(line) ?? ['', line]
  return `${escaped(before)}${word === '' ? '' : `<tspan class="paid">${word}</tspan>${escaped(after)}`}`
}

export function recordingPicture(text: string): string {
  const lines = text.trimEnd().split('\n').flatMap(folded)
  const width = Math.ceil(Math.max(...lines.map((line) => line.length)) * WIDTH + 2 * EDGE)
  const height = BAR + lines.length * LINE + EDGE
  const commands = lines.flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : []))
  const said = lines.flatMap((line) => (line.startsWith('$ ') || line === '' ? [] : [line.trim()]))
  const rows = lines.map((line, index) =>
    line === ''
      ? ''
      : `  <text class="ink" x="${EDGE}" y="${BAR + (index + 1) * LINE}" xml:space="preserve">${inColour(line)}</text>\n`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title desc">
  <!-- Generated from ${RECORDING} by \`npm run generate\`; do not edit. -->
  <title id="title">A first payment in a terminal</title>
  <desc id="desc">${escaped(`What ${commands.join(' and ')} print: ${said.join(' ')}`)}</desc>
  <style>${STYLE}
  </style>
  <rect class="paper" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="12"/>
  <path class="bar" d="M1 ${BAR - 8}V12A11 11 0 0 1 12 1H${width - 12}a11 11 0 0 1 11 11v${BAR - 20}Z"/>
  <g class="dot"><circle cx="20" cy="15" r="5"/><circle cx="38" cy="15" r="5"/><circle cx="56" cy="15" r="5"/></g>
${rows.join('')}</svg>
`
}

/** What differs from run to run, and from machine to machine: numbers, names that are drawn, addresses. */
export const formOf = (text: string): string =>
  text
    .replace(/https?:\/\/\S+/g, '<address>')
    .replace(/[A-Z]+\|[\w|]+/g, '<reference>')
    .replace(/order-\w+/g, 'order-0')
    .replace(/\d+/g, '0')
    .replace(/ at [^\n]+ is issued/, ' at a bank is issued')
    .replace(/\s+/g, ' ')
    .trim()

/** The two commands, as a reader types them; the second is given what the first ends with. */
export function played(run: (words: readonly string[]) => string): string {
  const paid = run(['pay', '5000']).trimEnd()
  const reference = /cowrie explain '([^']+)'/.exec(paid)?.[1] ?? ''
  const told = run(['explain', reference]).trimEnd()
  return `$ npx cowrie pay 5000\n${paid}\n\n$ npx cowrie explain '${reference}'\n${told}\n`
}

if (import.meta.main) {
  const main = join(ROOT, 'packages/cli/src/main.ts')
  const run = (words: readonly string[]) =>
    stripVTControlCharacters(execFileSync(process.execPath, [main, ...words], { cwd: ROOT, encoding: 'utf8' }))
  writeFileSync(join(ROOT, RECORDING), played(run))
  console.log(readFileSync(join(ROOT, RECORDING), 'utf8'))
}
