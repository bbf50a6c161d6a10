// docs/decisions/README.md: the decisions by theme, with the titles of their pages. A decision without a
// theme, or a theme with a decision that is not there, stops the generation.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '..', '..', 'docs', 'decisions')

const THEMES: Readonly<Record<string, readonly string[]>> = {
  'Foundations: database, cells, processes': [
    '0001',
    '0002',
    '0005',
    '0006',
    '0029',
    '0031',
    '0066',
    '0067',
    '0068',
    '0069',
    '0074',
    '0106',
    '0107',
    '0110',
  ],
  'Interface and callers': ['0004', '0026', '0032', '0035', '0040', '0071', '0077', '0079', '0080', '0081'],
  'People and administration': ['0041', '0042', '0044', '0045', '0046', '0048', '0056', '0062', '0108'],
  'Ledger and correctness': ['0003', '0022', '0024'],
  'Collecting money': ['0007', '0009', '0010', '0014', '0015', '0057', '0016', '0109'],
  'Paying out, refunding, settling': ['0012', '0017', '0018', '0023', '0034', '0036'],
  'Banks and their connectors': ['0086', '0087', '0090', '0092', '0093'],
  Reconciliation: ['0019'],
  'Searching and listing': ['0008', '0055'],
  Webhooks: ['0011'],
}

const HEAD = `<!-- Generated from the titles of the decisions by \`npm run generate\`; do not edit. -->

# Decisions

Why things are as they are: the context, the decision, its consequences, and what would change our mind. A decision that is
overtaken says by which one. One that belongs to the story of another stands on its page, and the page names both numbers.
A new one gets the next free number, and its theme in \`tools/docs/decisions.ts\`.
`

const TAKES_IN = /^Status: .* Takes in ((?:\d{4}(?:, )?)+)\.$/m
/** The numbers that a page took in when it was merged with others. */
const takenIn = (text: string): string[] => TAKES_IN.exec(text)?.[1]?.split(', ') ?? []

/** `pages` has the texts by file name. */
export function decisionsIndex(pages: ReadonlyMap<string, string>): string {
  const byNumber = new Map(
    [...pages].map(([file, text]) => [
      file.slice(0, 4),
      { file, title: text.split('\n')[0] ?? '', taken: takenIn(text) },
    ]),
  )
  const numbers = [...byNumber].flatMap(([number, { taken }]) => [number, ...taken])
  const twice = numbers.find((number, place) => numbers.indexOf(number) !== place)
  if (twice) throw new Error(`decision ${twice} is in two pages`)
  const themed = Object.values(THEMES).flat()
  const lost = [...byNumber.keys()].filter((number) => !themed.includes(number))
  if (lost.length > 0) throw new Error(`tools/docs/decisions.ts has no theme for decision ${lost.join(', ')}`)
  const row = (number: string): string => {
    const page = byNumber.get(number)
    if (!page) throw new Error(`tools/docs/decisions.ts names decision ${number}, which is not there`)
    const [, title] = new RegExp(`^# ${number}\\. (.+: .+)$`).exec(page.title) ?? []
    if (!title)
      throw new Error(`docs/decisions/${page.file}: the title must be "# ${number}. Subject: what was decided"`)
    const taken = page.taken.length > 0 ? ` (with ${page.taken.join(', ')})` : ''
    return `- [${number}](${page.file}) ${title}${taken}\n`
  }
  const themes = Object.entries(THEMES).map(([theme, numbers]) => `\n## ${theme}\n\n${numbers.map(row).join('')}`)
  return HEAD + themes.join('')
}

/** The texts of all pages by file name. */
export function readDecisions(): ReadonlyMap<string, string> {
  const files = readdirSync(FOLDER).filter((name) => /^\d{4}-.+\.md$/.test(name))
  return new Map(files.sort().map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]))
}

export const decisionsPage = (): string => decisionsIndex(readDecisions())
