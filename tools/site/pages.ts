// What the site shows, in the order of its menu. Guides and pages of docs/ are shown as they lie in the
// repository; the reference is made of the contract.
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { escaped } from './mdx.ts'
import { groupPages, overviewPage, type Written } from './reference.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A page of the repository, and where the site has it. */
export type Source = { readonly file: string; readonly slug: string }
export type Section = { readonly label: string; readonly pages: readonly Source[] }

const guide = (path: string): Source => ({ file: `docs/guides/${path}.md`, slug: `guides/${path}` })
const page = (path: string, slug: string): Source => ({ file: `docs/${path}.md`, slug })

export const SECTIONS: readonly Section[] = [
  {
    label: 'Start',
    pages: ['start/accept-a-payment', 'start/testing-failures', 'start/going-live'].map(guide),
  },
  {
    label: 'Integrate well',
    pages: ['integrate/in-page-checkout', 'integrate/webhooks', 'integrate/idempotency', 'integrate/errors'].map(guide),
  },
  {
    label: 'Get paid',
    pages: [
      'collections/money-that-does-not-fit',
      'collections/reserved-accounts',
      'collections/invoices',
      'collections/stored-cards',
      'collections/direct-debit',
      'collections/splits',
    ].map(guide),
  },
  { label: 'Pay out', pages: ['payouts/payouts', 'payouts/refunds'].map(guide) },
  { label: 'Move here', pages: ['move/from-monnify', 'move/from-paystack'].map(guide) },
  { label: 'Money and safety', pages: ['money/accounting', 'money/security'].map(guide) },
  {
    label: 'Choose',
    pages: [
      page('compare', 'choose/compare'),
      page('status', 'choose/status'),
      page('sizing', 'choose/sizing'),
      page('rules', 'choose/rules'),
      page('roadmap', 'choose/roadmap'),
      page('names', 'choose/names'),
    ],
  },
  { label: 'Run it yourself', pages: ['run/self-hosting', 'run/operating'].map(guide) },
  {
    label: 'Tools',
    pages: [
      page('cli', 'tools/cli'),
      page('sandbox-bank', 'tools/sandbox-bank'),
      page('dashboard', 'tools/dashboard'),
      page('name-match', 'tools/name-match'),
      page('secret-keys', 'tools/secret-keys'),
      page('settlements', 'tools/settlements'),
    ],
  },
  {
    label: 'Operate',
    pages: [
      page('operate/going-live', 'operate/going-live'),
      page('live', 'operate/settings'),
      page('operate/install-debian', 'operate/install-debian'),
      page('operate/containers', 'operate/containers'),
      page('operate/kubernetes', 'operate/kubernetes'),
      page('operate/restarts', 'operate/restarts'),
      page('operate/backup', 'operate/backup'),
      page('operate/failover', 'operate/failover'),
      page('operate/keys', 'operate/keys'),
      page('operate/custodians', 'operate/custodians'),
      page('operate/metrics', 'operate/metrics'),
      page('operate/security-events', 'operate/security-events'),
      page('operate/growth', 'operate/growth'),
      page('reconciliation', 'operate/reconciliation'),
      page('accounting', 'operate/books'),
    ],
  },
]

const TABLES: Section = {
  label: 'Tables',
  pages: ['errors', 'events', 'states', 'bank-connector'].map((name) => page(`reference/${name}`, `reference/${name}`)),
}

export const SOURCES: readonly Source[] = [...SECTIONS, TABLES].flatMap(({ pages }) => pages)
const SLUGS: ReadonlyMap<string, string> = new Map(SOURCES.map(({ file, slug }) => [file, slug]))

/** What the pages of the reference are in the repository; after `#` the group of operations. */
const OPENAPI = 'docs/reference/openapi.json'

/** Drawings of docs/ that the site has too. Screenshots stay in the repository: a site of text is small. */
const DRAWING = /!\[([^\]]*)\]\((?:\.\.\/)*(?:docs\/)?(\w[\w-]*\.svg)\)/g
export const PICTURES = 'pictures'
export const picturesIn = (body: string): readonly string[] =>
  [...body.matchAll(/\/pictures\/([\w-]+\.svg)/g)].map(([, name = '']) => name)

/** Links between pages lead to where the site has them. What it does not have is named, without a link: a
 *  reader of the site has no repository. */
function withLinks(markdown: string, file: string): string {
  const parts = markdown.split(/(^```[\s\S]*?^```$|`[^`\n]*`)/m)
  const relinked = (prose: string) =>
    prose
      .replace(DRAWING, `![$1](/${PICTURES}/$2)`)
      .replace(/!\[[^\]]*\]\((?!\/)[^)]*\)\n*/g, '')
      .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (whole, text: string, link: string) => {
        if (/^(?:[a-z][a-z0-9+.-]*:|#|\/)/i.test(link)) return whole
        const [path = '', anchor] = link.split('#')
        const target = posix.join(posix.dirname(file), path)
        if (target === OPENAPI) return `[${text}](/reference/${anchor ?? 'overview'}/)`
        const slug = SLUGS.get(target)
        return slug === undefined ? text : `[${text}](/${slug}/${anchor ? `#${anchor}` : ''})`
      })
  return whole(parts, relinked)
}

/** Code between back-ticks may be the text of a link, so parts are joined first where a link spans them. */
function whole(parts: readonly string[], change: (prose: string) => string): string {
  const kept: string[] = []
  const hidden = parts.map((part, index) => {
    if (index % 2 === 0) return part
    kept.push(part)
    return `⟦${kept.length - 1}⟧`
  })
  return change(hidden.join('')).replace(/⟦(\d+)⟧/g, (_, index: string) => kept[Number(index)] ?? '')
}

/** The first sentence of what follows the title. */
function descriptionOf(body: string): string {
  const paragraph = body.split('\n\n').find((part) => /^[A-Z`]/.test(part.trim())) ?? ''
  const text = paragraph.replace(/\s+/g, ' ').replace(/[`*]|\[([^\]]+)\]\([^)]*\)/g, '$1')
  return /^.*?[.!?](?= |$)/.exec(text)?.[0] ?? text
}

export function written({ file, slug }: Source): Written {
  const text = readFileSync(join(ROOT, file), 'utf8').replace(/^<!--[\s\S]*?-->\n+/, '')
  const title = /^# (.+)\n/.exec(text)?.[1]
  if (title === undefined) throw new Error(`${file} does not begin with a title`)
  const body = withLinks(text.slice(text.indexOf('\n') + 1).trim(), file)
  return { slug, title: title.replaceAll('`', ''), description: descriptionOf(body), body: `${body}\n` }
}

/** What the first page says as README does, so that they cannot differ: `{/* README: How to get it *\/}`
 *  stands for the section of that title, `{/* README *\/}` for what README quotes as its status. */
export function firstPage(home: string, readme: string): string {
  const sectionOf = (title: string): string => {
    const [, body] = readme.split(`\n## ${title}\n`)
    if (body === undefined) throw new Error(`README has no section ${title}`)
    return body.split('\n## ')[0]?.trim() ?? ''
  }
  const status = (): string => [...readme.matchAll(/^> (.*)$/gm)].map(([, line]) => line).join('\n')
  return home.replace(/\{\/\* README(?:: (.+?))? \*\/\}/g, (_, title?: string) =>
    escaped(withLinks(title === undefined ? status() : sectionOf(title), 'README.md')),
  )
}

export const allPages = (): readonly Written[] => [...SOURCES.map(written), overviewPage(), ...groupPages()]

type Link = { readonly label: string; readonly items: readonly string[]; readonly collapsed?: boolean }
/** The menu. Titles are those of the pages. */
export const sidebar = (): readonly Link[] => [
  ...SECTIONS.map(({ label, pages }) => ({
    label,
    items: pages.map(({ slug }) => slug),
    collapsed: label === 'Tools' || label === 'Operate',
  })),
  { label: 'Reference', items: [overviewPage(), ...groupPages()].map(({ slug }) => slug), collapsed: true },
  { label: TABLES.label, items: TABLES.pages.map(({ slug }) => slug), collapsed: true },
]
