// Words that docs/glossary.md no longer uses: how often each occurs stands in glossary-left.json, and may only become fewer.
import { type Finding, isShipped, lineAt, type Rule } from './files.ts'
import type { SourceFile } from './scan.ts'

const GLOSSARY = 'docs/glossary.md'
export const LEFT = 'tools/tidy/glossary-left.json'
const HEADING = '## Words we no longer use'

type Word = { readonly word: string; readonly instead: string; readonly line: number }
function retired({ text }: SourceFile): Word[] {
  const from = text.indexOf(HEADING)
  const section = from < 0 ? '' : text.slice(from, (text.indexOf('\n## ', from + 1) + 1 || text.length + 1) - 1)
  return [...section.matchAll(/^\| `([^`]+)` \| ([^|]+) \|$/gm)].map((row) => ({
    word: row[1] ?? '',
    instead: (row[2] ?? '').trim(),
    line: lineAt(text, from + row.index),
  }))
}

/** Words of the contract, which are counted there. */
const COPIED = 'packages/sdk/src/generated/'
/** What people read and write: shipped code and pages. Migrations are never edited; the changelog tells of the past. */
const isCounted = ({ path }: SourceFile) =>
  (isShipped(path) && !path.startsWith(COPIED)) ||
  (path.endsWith('.md') && path !== GLOSSARY && path !== 'CHANGELOG.md')

/** Words in any case, from prose and from identifiers: takenBack and taken_back are "taken back", also across the lines of a
 *  comment. */
const plain = (text: string): string =>
  ` ${text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[^A-Za-z']+/g, ' ')
    .toLowerCase()} `

export function countWords(tree: readonly SourceFile[]): ReadonlyMap<string, number> {
  const glossary = tree.find(({ path }) => path === GLOSSARY)
  const texts = tree.filter(isCounted).map(({ text }) => plain(text))
  const times = (word: string): number => texts.reduce((sum, text) => sum + text.split(` ${word} `).length - 1, 0)
  return new Map((glossary ? retired(glossary) : []).map(({ word }) => [word, times(word)]))
}

export const glossary: Rule = (tree) => {
  const page = tree.find(({ path }) => path === GLOSSARY)
  if (!page) return []
  const left = JSON.parse(tree.find(({ path }) => path === LEFT)?.text ?? '{}') as Record<string, number>
  const counted = countWords(tree)
  return retired(page).flatMap(({ word, instead, line }): Finding[] => {
    const [times, most] = [counted.get(word) ?? 0, left[word] ?? 0]
    const finding = (what: string) => [{ path: GLOSSARY, line, rule: 'glossary', what }]
    if (times > most) return finding(`"${word}" occurs ${times} times, ${most} before; say: ${instead}`)
    return times < most ? finding(`"${word}" occurs ${times} times only: write that into ${LEFT}`) : []
  })
}
