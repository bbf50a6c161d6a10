// `npm run build:sdk`: the npm package @cowrie/sdk, in dist-sdk/: for `import` and for `require`, with types
// for both, and the vectors.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { ROOT } from '../build/places.ts'
import { declarations } from './declarations.ts'

const SOURCE = 'packages/sdk'

/** One file, with everything in it. */
export async function bundled(format: 'esm' | 'cjs', version: string, minify = false): Promise<string> {
  const made = await rolldown({
    cwd: ROOT,
    input: `${SOURCE}/src/index.ts`,
    platform: 'neutral',
    transform: { target: 'es2022', define: { COWRIE_SDK_VERSION: JSON.stringify(version) } },
    external: (id) => {
      if (!id.startsWith('.') && !id.startsWith('/') && !id.startsWith(SOURCE))
        throw new Error(`the SDK imports ${id}, and it depends on nothing`)
      return false
    },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(log.message)
    },
  })
  const { output } = await made.generate({ format, minify, exports: 'named' })
  await made.close()
  const [{ code }] = output
  return code
}

type Manifest = Readonly<Record<'name' | 'version' | 'description' | 'license' | 'type' | 'engines', unknown>>
const given = async (): Promise<Manifest> => JSON.parse(await readFile(join(ROOT, SOURCE, 'package.json'), 'utf8'))

async function manifest(version: string): Promise<string> {
  const { name, description, license, type, engines } = await given()
  const one = (ending: string, types: string) => ({ types: `./index.${types}`, default: `./index.${ending}` })
  const published = {
    name,
    version,
    description,
    license,
    type,
    engines,
    sideEffects: false,
    main: './index.cjs',
    types: './index.d.cts',
    exports: {
      '.': { import: one('js', 'd.ts'), require: one('cjs', 'd.cts') },
      './vectors/*.json': './vectors/*.json',
      './package.json': './package.json',
    },
  }
  return `${JSON.stringify(published, null, 2)}\n`
}

/** The version is that of package.json, but for a release that is tried. */
export async function buildSdk(out: string, released?: string): Promise<void> {
  const version = released ?? String((await given()).version)
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  const folder = await mkdtemp(join(tmpdir(), 'cowrie-sdk-types-'))
  try {
    const types = declarations(folder)
    await writeFile(join(out, 'index.js'), await bundled('esm', version))
    await writeFile(join(out, 'index.cjs'), await bundled('cjs', version))
    for (const file of ['index.d.ts', 'index.d.cts']) await writeFile(join(out, file), types)
    await writeFile(join(out, 'package.json'), await manifest(version))
    for (const part of ['vectors', 'examples']) await cp(join(ROOT, SOURCE, part), join(out, part), { recursive: true })
    await cp(join(ROOT, SOURCE, 'README.md'), join(out, 'README.md'))
    await cp(join(ROOT, 'LICENSE'), join(out, 'LICENSE'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  await buildSdk(join(ROOT, 'dist-sdk'))
  console.log('dist-sdk/ was built')
}
