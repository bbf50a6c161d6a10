// What an evaluator and a contributor ask first is answered from README in at most two clicks.
import { readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** A folder shows its README. */
const pageAt = (path: string): string =>
  statSync(join(ROOT, path), { throwIfNoEntry: false })?.isDirectory() ? `${path}/README.md` : path

function linksOf(path: string, text: string): Set<string> {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '')
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
  const here = links.filter((link) => !/^(?:[a-z]+:|#)/.test(link)).map((link) => link.replace(/#.*$/, ''))
  return new Set(here.map((link) => pageAt(posix.join(posix.dirname(path), link).replace(/\/$/, ''))))
}

/** How many links are followed from README; three stands for more than two. */
function clicksTo(page: string, readme: string): number {
  if (page === 'README.md') return 0
  const first = linksOf('README.md', readme)
  if (first.has(page)) return 1
  const isBehind = (one: string) => one.endsWith('.md') && linksOf(one, read(one)).has(page)
  return [...first].some(isBehind) ? 2 : 3
}

const QUESTIONS: readonly (readonly [question: string, page: string, answer: string])[] = [
  ['evaluator: which licence?', 'README.md', 'Apache-2.0'],
  ['evaluator: whose interface, for whom, for whom not?', 'README.md', 'It is not for you, today'],
  ['evaluator: has a real bank been connected?', 'README.md', 'no real bank has been connected yet'],
  ['evaluator: which feature has an adapter?', 'docs/status.md', 'none yet'],
  ['evaluator: what do I need besides?', 'docs/guides/run/self-hosting.md', "a licence to handle other people's money"],
  ['evaluator: what does a small installation cost?', 'docs/sizing.md', 'What that costs a month'],
  ['evaluator: what ends first when it grows?', 'docs/operate/growth.md', 'In which order things end'],
  ['evaluator: compared with others?', 'docs/compare.md', 'When to take the other one'],
  ['evaluator: what do the CBN, PCI DSS, NDPA and AML ask?', 'docs/rules.md', 'What stays with people'],
  ['evaluator: upgrades, support, stability?', 'docs/roadmap.md', 'What a version promises'],
  ['evaluator: was it audited, and who can take money out?', 'SECURITY.md', 'No independent audit has been made'],
  ['evaluator: what does a deployment look like?', 'README.md', 'docs/deployment.svg'],
  ['evaluator: what differs from Monnify?', 'docs/guides/move/from-monnify.md', 'What differs'],
  ['contributor: how do I set up?', 'CONTRIBUTING.md', 'npm ci'],
  ['contributor: which command says that I am done?', 'CONTRIBUTING.md', 'npm run check'],
  ['contributor: which tests matter to my change?', 'CONTRIBUTING.md', 'npx vitest run <part of a path>'],
  ['contributor: where does code live?', 'ARCHITECTURE.md', 'Features, room by room'],
  ['contributor: what is a feature made of?', 'CONTRIBUTING.md', 'How a feature looks'],
  ['contributor: how does a payment go through the code?', 'ARCHITECTURE.md', 'One payment, through the files'],
  ['contributor: what can I begin with?', 'docs/first-issues.md', 'Five first issues'],
  ['contributor: who decides?', 'GOVERNANCE.md', 'A change lands'],
  ['contributor: how do we treat each other?', 'CODE_OF_CONDUCT.md', 'Conduct'],
  ['contributor: why this database, and not another?', 'docs/decisions/0001-engine.md', 'PostgreSQL'],
  ['contributor: how do I change the schema?', 'CONTRIBUTING.md', 'Migrations'],
  ['contributor: what do the words mean?', 'docs/glossary.md', 'Our word'],
  ['anybody: where is the guide on splits?', 'docs/guides/collections/splits.md', 'Splits'],
]

test.each(QUESTIONS)('%s is answered within two clicks', (_question, page, answer) => {
  expect(
    read(page)
      .replace(/\n(?:> )?/g, ' ')
      .toLowerCase(),
  ).toContain(answer.toLowerCase())
  expect(clicksTo(page, read('README.md'))).toBeLessThanOrEqual(2)
})

test('planted: without its links to the guides, README is too far from splits', () => {
  const without = read('README.md').replace(/\]\(docs\/guides[^)]*\)/g, '](LICENSE)')
  expect(clicksTo('docs/guides/collections/splits.md', without)).toBe(3)
})
