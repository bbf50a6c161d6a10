// The types of a package as one file: one that is imported and required needs them twice, once for each, and
// a file that names others would be of one kind only.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../build/places.ts'

/** What stays an import: of a package that the user has already. */
const OUTER = /^import (?:type )?\{[^}]*\} from '[^.'][^']*';\n/gm
const FROM = /^(?:import|export) (?:type )?(?:\{[^}]*\}|\* as \w+|\*) from '(\.[^']+)';\n/gm
const DECLARED = /^(?:export )?(?:declare )?(?:const|class|function|type|interface) (\w+)/gm

const declarationOf = (file: string, from: string): string => join(dirname(file), from.replace(/\.ts$/, '.d.ts'))
const imports = (text: string): readonly string[] => [...text.matchAll(FROM)].map(([, from = '']) => from)

/** The files that the first one leads to, each after those that it names. */
function reached(first: string): ReadonlyMap<string, string> {
  const done = new Map<string, string>()
  const visit = (file: string, on: readonly string[]): void => {
    if (done.has(file) || on.includes(file)) return
    const text = readFileSync(file, 'utf8')
    for (const from of imports(text)) visit(declarationOf(file, from), [...on, file])
    done.set(file, text)
  }
  visit(first, [])
  return done
}

const namesOf = (text: string): readonly string[] => [...text.matchAll(DECLARED)].map(([, name = '']) => name)

const OWN = /^export (?:declare )?(?:const|class|function|type|interface) (\w+)/gm

/** What the first file exports: names in braces, all of a file of types, and what it declares itself. */
function exportsOf(first: string, files: ReadonlyMap<string, string>): readonly string[] {
  const text = files.get(first) ?? ''
  const own = [...text.matchAll(OWN)].map(([, name = '']) => name)
  const others = [...text.matchAll(FROM)].flatMap(([line, from = '']) => {
    if (/^export type \*/.test(line)) return namesOf(files.get(declarationOf(first, from)) ?? '')
    const listed = /\{([^}]*)\}/.exec(line)?.[1] ?? ''
    return listed.split(',').flatMap((name) => name.trim().replace(/^type /, '') || [])
  })
  return [...own, ...others]
}

function joined(first: string, { name, peers }: Declared): string {
  const files = reached(first)
  const own = [...files].map(([, text]) => text.replace(FROM, ''))
  const bodies = own.map((text) => text.replace(OUTER, ''))
  const outer = new Set(own.flatMap((text) => [...text.matchAll(OUTER)].map(([line]) => line)))
  const foreign = [...outer].find((line) => !peers.some((peer) => line.endsWith(`'${peer}';\n`)))
  if (foreign !== undefined) throw new Error(`the types of ${name} import what its users may not have: ${foreign}`)
  const names = bodies.flatMap(namesOf)
  const twice = names.filter((name, at) => names.indexOf(name) !== at)
  if (twice.length > 0) throw new Error(`two files of ${name} declare ${twice.join(', ')}`)
  const text = bodies.join('\n').replace(/^export (?=declare|type|interface|const|class|function)/gm, '')
  const left = /^import\b.*|\bimport\(.*|^export\b.*/m.exec(text.replace(/^export \{\};$/gm, ''))
  if (left) throw new Error(`the types of ${name} still name another file: ${left[0]}`)
  return `${[...outer].join('')}${text.replace(/^export \{\};\n/gm, '')}\nexport { ${[...exportsOf(first, files)].toSorted().join(', ')} };\n`
}

type Declared = { readonly name: string; readonly source: string; readonly peers: readonly string[] }

/** `folder` is where the compiler puts the single files. Answers with the types of an entry. */
export function declarations(folder: string, made: Declared): (entry: string) => string {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  execFileSync(process.execPath, [tsc, '-p', made.source, '--outDir', folder], { cwd: ROOT, stdio: 'inherit' })
  return (entry) => {
    // Where a package has parts of another in it, each lies in a folder of its own.
    const homes = [folder, join(folder, made.source, 'src')]
    const [first = ''] = homes.map((home) => join(home, `${entry}.d.ts`)).filter(existsSync)
    return joined(first, made)
  }
}
