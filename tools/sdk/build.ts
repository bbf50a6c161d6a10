// `npm run build:sdk`: the npm packages, each for `import` and for `require`, with types for both: for
// servers @cowrie/sdk in dist-sdk/, for pages @cowrie/checkout in dist-checkout/ and @cowrie/react in
// dist-react/.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { ROOT } from '../build/places.ts'
import { declarations } from './declarations.ts'

export type Package = {
  /** As it is published. */
  readonly name: string
  readonly source: string
  /** Where `npm run build:sdk` puts it. */
  readonly out: string
  /** Files of `src`, each as one file with everything in it: `index` is the package, others are below it. */
  readonly entries: readonly string[]
  /** What its users have already. */
  readonly peers: readonly string[]
  /** Before the first line. */
  readonly banner?: string
  /** Folders that go with it, and how they are imported. */
  readonly folders: readonly string[]
  readonly exports?: Readonly<Record<string, string>>
}
export const SDK: Package = {
  name: '@cowrie/sdk',
  source: 'packages/sdk',
  out: 'dist-sdk',
  entries: ['index'],
  peers: [],
  folders: ['vectors', 'examples'],
  exports: { './vectors/*.json': './vectors/*.json' },
}
export const CHECKOUT: Package = {
  name: '@cowrie/checkout',
  source: 'packages/checkout',
  out: 'dist-checkout',
  entries: ['index', 'vite'],
  peers: [],
  folders: [],
}
export const REACT: Package = {
  name: '@cowrie/react',
  source: 'packages/react',
  out: 'dist-react',
  entries: ['index'],
  peers: ['react'],
  banner: "'use client'",
  folders: [],
}
export const PUBLISHED: readonly Package[] = [SDK, CHECKOUT, REACT]

/** One file, with everything in it. */
export async function bundled(
  format: 'esm' | 'cjs',
  version: string,
  minify = false,
  { name, source, peers, banner }: Package = SDK,
  entry = 'index',
): Promise<string> {
  const made = await rolldown({
    cwd: ROOT,
    input: `${source}/src/${entry}.ts`,
    platform: 'neutral',
    transform: { target: 'es2022', define: { COWRIE_SDK_VERSION: JSON.stringify(version) } },
    external: (id) => {
      if (peers.includes(id)) return true
      if (!id.startsWith('.') && !id.startsWith('/') && !id.startsWith(source))
        throw new Error(`${name} imports ${id}, and it depends on ${peers.join(', ') || 'nothing'}`)
      return false
    },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message)
    },
  })
  const { output } = await made.generate({ format, minify, exports: 'named', ...(banner && { banner }) })
  await made.close()
  const [{ code }] = output
  return code
}

type Manifest = Readonly<
  Record<'version' | 'description' | 'license' | 'type' | 'engines' | 'peerDependencies', unknown>
>
const given = async (source: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(ROOT, source, 'package.json'), 'utf8'))

async function manifest({ name, source, entries, exports }: Package, version: string): Promise<string> {
  const { description, license, type, engines, peerDependencies } = await given(source)
  const files = (entry: string) => {
    const one = (ending: string, types: string) => ({ types: `./${entry}.${types}`, default: `./${entry}.${ending}` })
    return [
      entry === 'index' ? '.' : `./${entry}`,
      { import: one('js', 'd.ts'), require: one('cjs', 'd.cts') },
    ] as const
  }
  const published = {
    name,
    version,
    description,
    license,
    type,
    engines,
    peerDependencies,
    sideEffects: false,
    main: './index.cjs',
    types: './index.d.cts',
    exports: {
      ...Object.fromEntries(entries.map(files)),
      ...exports,
      './package.json': './package.json',
    },
  }
  return `${JSON.stringify(published, null, 2)}\n`
}

/** The version is that of package.json, but for a release that is tried. */
export async function buildPackage(made: Package, out: string, released?: string): Promise<void> {
  const version = released ?? String((await given(made.source)).version)
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  const folder = await mkdtemp(join(tmpdir(), 'cowrie-sdk-types-'))
  try {
    const types = declarations(folder, made)
    for (const entry of made.entries) {
      await writeFile(join(out, `${entry}.js`), await bundled('esm', version, false, made, entry))
      await writeFile(join(out, `${entry}.cjs`), await bundled('cjs', version, false, made, entry))
      for (const ending of ['d.ts', 'd.cts']) await writeFile(join(out, `${entry}.${ending}`), types(entry))
    }
    await writeFile(join(out, 'package.json'), await manifest(made, version))
    for (const part of made.folders) await cp(join(ROOT, made.source, part), join(out, part), { recursive: true })
    await cp(join(ROOT, made.source, 'README.md'), join(out, 'README.md'))
    await cp(join(ROOT, 'LICENSE'), join(out, 'LICENSE'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main)
  for (const made of PUBLISHED) {
    await buildPackage(made, join(ROOT, made.out))
    console.log(`${made.out}/ was built`)
  }
