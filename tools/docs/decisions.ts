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
    '0021',
    '0025',
    '0029',
    '0031',
    '0066',
    '0067',
    '0068',
    '0069',
    '0070',
    '0073',
    '0074',
    '0075',
    '0082',
    '0083',
  ],
  'Interface and callers': [
    '0004',
    '0026',
    '0032',
    '0035',
    '0040',
    '0051',
    '0065',
    '0071',
    '0076',
    '0077',
    '0078',
    '0079',
    '0080',
    '0081',
    '0085',
  ],
  'People and administration': [
    '0041',
    '0042',
    '0043',
    '0044',
    '0045',
    '0046',
    '0047',
    '0048',
    '0052',
    '0055',
    '0056',
    '0058',
    '0062',
    '0064',
  ],
  'Ledger and correctness': ['0003', '0022', '0024'],
  'Collecting money': ['0007', '0009', '0010', '0014', '0015', '0057', '0061', '0016', '0027', '0033', '0053'],
  'Paying out, refunding, settling': [
    '0012',
    '0017',
    '0018',
    '0023',
    '0028',
    '0034',
    '0036',
    '0037',
    '0038',
    '0039',
    '0049',
    '0050',
    '0060',
    '0087',
    '0090',
    '0092',
    '0093',
    '0095',
    '0096',
    '0099',
    '0100',
    '0101',
    '0102',
    '0103',
    '0104',
    '0097',
    '0089',
    '0088',
    '0094',
  ],
  Reconciliation: ['0019', '0086', '0091', '0098', '0105'],
  'Searching and listing': ['0008', '0013', '0054', '0063'],
  Webhooks: ['0011', '0030', '0072'],
}

const HEAD = `<!-- Generated from the titles of the decisions by \`npm run generate\`; do not edit. -->

# Decisions

Why things are as they are: the context, the decision, its consequences, and what would change our mind. A decision that is
overtaken says by which one. A new one gets the next free number, and its theme in \`tools/docs/decisions.ts\`.
`

/** `titles` has the first line of each page by file name. */
export function decisionsIndex(titles: ReadonlyMap<string, string>): string {
  const byNumber = new Map([...titles].map(([file, title]) => [file.slice(0, 4), { file, title }]))
  const themed = Object.values(THEMES).flat()
  const lost = [...byNumber.keys()].filter((number) => !themed.includes(number))
  if (lost.length > 0) throw new Error(`tools/docs/decisions.ts has no theme for decision ${lost.join(', ')}`)
  const row = (number: string): string => {
    const page = byNumber.get(number)
    if (!page) throw new Error(`tools/docs/decisions.ts names decision ${number}, which is not there`)
    const [, title] = new RegExp(`^# ${number}\\. (.+: .+)$`).exec(page.title) ?? []
    if (!title)
      throw new Error(`docs/decisions/${page.file}: the title must be "# ${number}. Subject: what was decided"`)
    return `- [${number}](${page.file}) ${title}\n`
  }
  const themes = Object.entries(THEMES).map(([theme, numbers]) => `\n## ${theme}\n\n${numbers.map(row).join('')}`)
  return HEAD + themes.join('')
}

export function decisionsPage(): string {
  const files = readdirSync(FOLDER).filter((name) => /^\d{4}-.+\.md$/.test(name))
  const firstLine = (name: string): string => readFileSync(join(FOLDER, name), 'utf8').split('\n')[0] ?? ''
  return decisionsIndex(new Map(files.sort().map((name) => [name, firstLine(name)])))
}
