// How tidy reads: the files of the tree, a file's code without its comments and strings, its strings, its
// import lines.
import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

export type SourceFile = { readonly path: string; readonly text: string }

type Literal = { readonly start: number; readonly text: string; readonly template: boolean }
/** `code` has the length of the file; comments, regular expressions and the insides of strings are blank in
 *  it. */
type Scan = { readonly code: string; readonly literals: readonly Literal[] }

export const blank = (text: string) => text.replace(/[^\n]/g, ' ')
const SKIPPED = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const QUOTED = /'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*"/y
const REGEX = /\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{;+\-*%<>~^]|\b(?:return|typeof|case|in|of|await|yield))\s*$/

function scanText(text: string): Scan {
  const literals: Literal[] = []
  let code = ''
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = code.length
    return pattern.exec(text)?.[0] ?? null
  }
  const template = () => {
    const start = code.length
    let body = ''
    code += '`'
    while (code.length < text.length && text[code.length] !== '`') {
      if (text.startsWith('${', code.length)) {
        const from = code.length
        code += '${'
        expression()
        body += blank(code.slice(from))
      } else {
        const part = text.slice(code.length, code.length + (text[code.length] === '\\' ? 2 : 1))
        body += part
        code += blank(part)
      }
    }
    code += '`'
    literals.push({ start, text: body, template: true })
  }
  const expression = () => {
    for (let depth = 1; code.length < text.length; ) {
      const next = text[code.length]
      const skipped = next === '/' ? (take(SKIPPED) ?? (BEFORE_REGEX.test(code.slice(-80)) ? take(REGEX) : null)) : null
      const quoted = take(QUOTED)
      if (skipped !== null) code += blank(skipped)
      else if (quoted !== null) {
        literals.push({ start: code.length, text: quoted.slice(1, -1), template: false })
        code += quoted[0] + blank(quoted.slice(1, -1)) + quoted[0]
      } else if (next === '`') template()
      else {
        code += next
        if (next === '{') depth += 1
        if (next === '}' && --depth === 0) return
      }
    }
  }
  // A stray closing brace ends the expression early; the rest is read as a new one.
  while (code.length < text.length) expression()
  return { code, literals }
}

const scans = new WeakMap<SourceFile, Scan>()
export function scan(file: SourceFile): Scan {
  const known = scans.get(file) ?? scanText(file.text)
  scans.set(file, known)
  return known
}

export type Import = {
  readonly index: number
  readonly from: string
  readonly target: string
  readonly names: string[]
  readonly typeOnly: boolean
}
const IMPORT =
  /\b(?:import|export)\b((?:(?!\b(?:import|export)\b)[\w\s{},*$])*?)\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g

export function importsOf(file: SourceFile): Import[] {
  const { code } = scan(file)
  const found: Import[] = []
  for (const match of file.text.matchAll(IMPORT)) {
    if (!/^(?:im|ex)port\b/.test(code.slice(match.index, match.index + 7))) continue
    const clause = match[1]?.trim() ?? ''
    const from = match[2] ?? match[3] ?? ''
    const names = clause.split(/[{},]/).flatMap((name) => name.trim() || [])
    const typeOnly = /^type\s/.test(clause) || (names.length > 0 && names.every((name) => /^type\s/.test(name)))
    found.push({ index: match.index, from, target: resolve(file.path, from), names, typeOnly })
  }
  return found
}

/** The path of the file an import names; a package keeps its own name. */
function resolve(path: string, from: string): string {
  if (from.startsWith('.')) return posix.join(posix.dirname(path), from)
  if (from.startsWith('#')) return from.startsWith('#test/') ? `${HOME}${from.slice(1)}` : `${HOME}src/${from.slice(1)}`
  const [scope = '', name = '', ...rest] = from.split('/')
  const home = WORKSPACES[`${scope}/${name}`] ?? (scope === '@cowrie' ? `packages/${name}/src/` : undefined)
  if (home === undefined) return from
  if (rest.length > 0) return `${home}${rest.join('/')}${from.endsWith('.ts') ? '' : '.ts'}`
  return home + (name === 'checkout' ? 'page.ts' : 'index.ts')
}

/** Whose package.json says where `#core/…` and its like lead. */
const HOME = 'apps/gateway/'

/** Where the import of a workspace leads. */
const WORKSPACES: Readonly<Record<string, string>> = {
  '@cowrie/contract': 'packages/contract/src/',
  '@cowrie/checkout': 'apps/checkout/src/',
  '@cowrie/simulator': 'apps/simulator/src/',
  '@cowrie/gateway': 'apps/gateway/src/',
}

/** Every file that is committed or would be: tracked, or untracked and not ignored. Binary files come with
 *  empty text. */
export function readTree(root: string): SourceFile[] {
  return listFiles(root)
    .sort()
    .flatMap((path) => {
      const full = posix.join(root, path)
      if (lstatSync(full, { throwIfNoEntry: false })?.isFile() !== true) return []
      const text = readFileSync(full, 'utf8')
      return [{ path, text: text.includes('\u0000') ? '' : text }]
    })
}

function listFiles(root: string): string[] {
  try {
    const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
    const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    if (listed !== '') return listed.split('\0').filter((path) => path !== '')
  } catch {
    // An export without git, or no git on this machine: walk instead.
  }
  const ignored = new Set(['node_modules', '.git', '.cowrie', 'coverage', 'dist'])
  const walk = (folder: string): string[] =>
    readdirSync(posix.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      if (ignored.has(entry.name) || entry.name.endsWith('.log')) return []
      const path = posix.join(folder, entry.name)
      return entry.isDirectory() ? walk(path) : [path]
    })
  return walk('')
}
