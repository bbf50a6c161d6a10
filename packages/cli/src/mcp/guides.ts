// The guides, section by section, for `search_docs`: the Markdown of the repository, which the build puts
// beside this command. Read when it is first asked for.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../../../docs/guides', import.meta.url))
/** What is shown of a section; the rest is where `title` says. */
const SHOWN_MAX = 700

export type Section = {
  /** `integrate/webhooks.md, The handler`. */
  readonly title: string
  readonly says: string
  /** All of it, code too, to be searched. */
  readonly text: string
}

/** Prose as it is read: no code, no marks of links. */
const proseOf = (markdown: string): string =>
  markdown
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()

export function sectionsOf(path: string, markdown: string): readonly Section[] {
  const [first = '', ...rest] = markdown.split(/^## /m)
  const [, page = path, lead = ''] = /^# (.*)\n([\s\S]*)$/.exec(first) ?? []
  const parts = rest.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n'))] as const)
  return [[null, lead] as const, ...parts].map(([heading, text]) => {
    const prose = proseOf(text)
    return {
      title: `guides/${path}: ${page}${heading === null ? '' : `, ${heading}`}`,
      says: prose.length > SHOWN_MAX ? `${prose.slice(0, SHOWN_MAX)}…` : prose,
      text,
    }
  })
}

let known: readonly Section[] | null = null

/** None where this command was installed without them. */
export function guideSections(): readonly Section[] {
  known ??= existsSync(FOLDER)
    ? readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md') && name !== 'README.md') // that one only lists the others
        .sort()
        .flatMap((name) => sectionsOf(name, readFileSync(join(FOLDER, name), 'utf8')))
    : []
  return known
}
