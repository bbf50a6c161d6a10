// The tables of features in ARCHITECTURE.md, one for each room: what each does, from the comment that its
// story begins with, its files, and whose commands it calls. A feature that does not begin with its story
// stops the generation.
import { featureOf as featureAt, ROOMS } from '../tidy/rooms.ts'
import { importsOf, type SourceFile } from '../tidy/scan.ts'

const FEATURES = 'apps/gateway/src/features/'
/** Files that every feature may have, with the same names and the same meaning (CONTRIBUTING.md). */
const FIXED = /\.(?:sql|routes|due|books|feature)\.ts$/
const featureOf = (path: string): string | undefined =>
  path.endsWith('.ts') && !path.endsWith('.test.ts') ? featureAt(path) : undefined

/** The comment that the file begins with, as one line; empty if it begins with none. */
const headOf = (text: string): string => {
  const [head = ''] = /^(?:\/\/[^\n]*\n)*/.exec(text) ?? []
  return head
    .replace(/^\/\/ ?/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** "Refunds: money is returned. Books: …" of the feature refunds → "money is returned" */
const firstSentence = (name: string, head: string): string => {
  const [sentence = ''] = /^.+?\.(?= |$)/.exec(head) ?? []
  const [subject = '', ...rest] = sentence.slice(0, -1).split(': ')
  return subject.toLowerCase() === name.replaceAll('-', ' ') ? rest.join(': ') : sentence.slice(0, -1)
}

function storyOf(feature: string, files: readonly SourceFile[]): string {
  const [, name = ''] = feature.split('/')
  const at = (suffix: string) => files.find(({ path }) => path === `${FEATURES}${feature}/${name}${suffix}`)
  const own = files.filter(({ path }) => !FIXED.test(path))
  const tellers = [at('.ts'), at('.feature.ts'), at('.routes.ts'), own.length === 1 ? own[0] : undefined]
  const head = tellers.map((file) => headOf(file?.text ?? '')).find((text) => text !== '') ?? ''
  const story = firstSentence(name, head)
  if (story === '')
    throw new Error(`${FEATURES}${feature}: no file begins with a comment that says what the feature does`)
  return story[0]?.toUpperCase() + story.slice(1)
}

function rowOf(feature: string, files: readonly SourceFile[]): string {
  const [, name = ''] = feature.split('/')
  const calls = files.flatMap((file) => importsOf(file).map(({ target }) => featureOf(target) ?? feature))
  const own = files
    .map(({ path }) => path.slice(FEATURES.length + feature.length + 1))
    .filter((path) => !FIXED.test(path))
  const inOrder = [...own.filter((path) => path === `${name}.ts`), ...own.filter((path) => path !== `${name}.ts`)]
  const cells = [
    `[${name}](${FEATURES}${feature})`,
    storyOf(feature, files),
    inOrder.map((path) => path.replace(/\.ts$/, '')).join(', '),
    [...new Set(calls)]
      .filter((other) => other !== feature)
      .map((other) => other.split('/')[1] ?? '')
      .sort()
      .join(', '),
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
}

/** A heading and a table for each room that has features. */
export function featuresTables(tree: readonly SourceFile[]): string {
  const byFeature = [...Map.groupBy(tree, ({ path }) => featureOf(path))]
  return Object.entries(ROOMS)
    .flatMap(([room, subject]) => {
      const rows = byFeature.flatMap(([feature, files]) =>
        feature?.startsWith(`${room}/`) ? [rowOf(feature, files)] : [],
      )
      if (rows.length === 0) return []
      const head = '| Feature | What it does | Files | Calls |\n|---|---|---|---|\n'
      return [`### ${room}: ${subject}\n\n${head}${rows.sort().join('')}`]
    })
    .join('\n')
}

/** Puts generated parts between their marks: `<!-- name -->` and `<!-- /name -->`. */
export function withParts(page: string, parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const [open, close] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`]
    const [from, to] = [text.indexOf(open), text.indexOf(close)]
    if (from < 0 || to < from) throw new Error(`the page has no place for ${name}: ${open.trim()} … ${close}`)
    return `${text.slice(0, from + open.length)}\n${part}\n${text.slice(to)}`
  }, page)
}
