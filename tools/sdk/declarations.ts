// The types of the SDK as one file: a package that is imported and required needs them twice, once for each,
// and a file that names others would be of one kind only.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../build/places.ts'

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

/** What the first file exports: names in braces, and all of a file of types. */
function exportsOf(first: string, files: ReadonlyMap<string, string>): readonly string[] {
  const text = files.get(first) ?? ''
  return [...text.matchAll(FROM)].flatMap(([line, from = '']) => {
    if (/^export type \*/.test(line)) return namesOf(files.get(declarationOf(first, from)) ?? '')
    const listed = /\{([^}]*)\}/.exec(line)?.[1] ?? ''
    return listed.split(',').flatMap((name) => name.trim().replace(/^type /, '') || [])
  })
}

function joined(first: string): string {
  const files = reached(first)
  const bodies = [...files].filter(([file]) => file !== first).map(([, text]) => text.replace(FROM, ''))
  const names = bodies.flatMap(namesOf)
  const twice = names.filter((name, at) => names.indexOf(name) !== at)
  if (twice.length > 0) throw new Error(`two files of the SDK declare ${twice.join(', ')}`)
  const text = bodies.join('\n').replace(/^export (?=declare|type|interface|const|class|function)/gm, '')
  const left = /^import\b.*|\bimport\(.*|^export\b.*/m.exec(text.replace(/^export \{\};$/gm, ''))
  if (left) throw new Error(`the types of the SDK still name another file: ${left[0]}`)
  return `${text.replace(/^export \{\};\n/gm, '')}\nexport { ${[...exportsOf(first, files)].toSorted().join(', ')} };\n`
}

/** `folder` is where the compiler puts the single files. */
export function declarations(folder: string): string {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  execFileSync(process.execPath, [tsc, '-p', 'packages/sdk', '--outDir', folder], { cwd: ROOT, stdio: 'inherit' })
  return joined(join(folder, 'index.d.ts'))
}
