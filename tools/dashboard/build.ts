// `npm run build:dashboard`: the files of the two dashboards, in apps/dashboard/dist. They are not committed.
// The sandbox, CI and the tests that need them call `ensureDashboard`, which builds when nothing was built
// yet or the sources changed since.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import react from '@vitejs/plugin-react'
import { build, type Plugin } from 'vite'
import { createPasskeyRoutes } from '../../packages/contract/src/access/passkeys.ts'
import { PEOPLE_ROUTES } from '../../packages/contract/src/access/people.ts'
import { ROUTES as PUBLIC_ROUTES } from '../../packages/contract/src/index.ts'
import { pathForPeople } from '../../packages/contract/src/kit/people-routes.ts'
import type { Side } from '../../packages/contract/src/kit/permissions.ts'
import { pathForViewing } from '../../packages/contract/src/screens/view-as.ts'
import { FAVICON_URL } from '../../packages/design/src/mark.ts'
import { digestOfSources } from '../digest.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const APP = join(ROOT, 'apps/dashboard')
export const DIST = join(APP, 'dist')
/** Where each is served; `features/screens/dashboard` of the gateway serves it there. */
const BASES: Readonly<Record<Side, string>> = { merchant: '/dashboard/', operator: '/operator/' }
const SOURCES = [
  'apps/dashboard/src',
  'apps/dashboard/merchant.html',
  'apps/dashboard/operator.html',
  'packages/contract/src',
  'packages/design/src',
  'tools/dashboard/build.ts',
  'tools/digest.ts',
  'package-lock.json',
]

/** Methods and paths of a side, out of the contract: the schemas beside them stay out of the browser. */
function routesOf(side: Side): Readonly<Record<string, readonly [method: string, path: string]>> {
  const named = { people: PEOPLE_ROUTES[side], passkeys: createPasskeyRoutes(side) }
  const own = Object.entries(named).flatMap(([group, routes]) =>
    Object.entries(routes).map(([name, { method, path }]) => [`${group}.${name}`, [method, path] as const] as const),
  )
  const shared = PUBLIC_ROUTES.flatMap((route) => {
    const path = pathForPeople(route)
    return path === null ? [] : [[route.id, [route.method, path] as const] as const]
  })
  // Those that ask for the key pair itself have no door of their own for people.
  const byKeys = PUBLIC_ROUTES.flatMap(({ auth, id, method, path }) =>
    auth === 'basic' ? [[id, [method, path] as const] as const] : [],
  )
  const viewed = PUBLIC_ROUTES.flatMap((route) => {
    const path = pathForViewing(route)
    return path === null ? [] : [[route.id, [route.method, path] as const] as const]
  })
  return Object.fromEntries(side === 'merchant' ? [...own, ...shared, ...byKeys] : [...own, ...viewed])
}

const ROUTES = 'virtual:routes'
const fromTheContract = (side: Side): Plugin => ({
  name: 'from-the-contract',
  resolveId: (id) => (id === ROUTES ? `\0${ROUTES}` : null),
  load: (id) =>
    id === `\0${ROUTES}`
      ? `export const SIDE = ${JSON.stringify(side)}\nexport const ROUTES = ${JSON.stringify(routesOf(side))}`
      : null,
  transformIndexHtml: () => [{ tag: 'link', attrs: { rel: 'icon', href: FAVICON_URL }, injectTo: 'head' }],
})

async function buildSide(side: Side, outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: APP,
    base: BASES[side],
    logLevel: 'warn',
    plugins: [react(), fromTheContract(side)],
    build: {
      outDir,
      emptyOutDir: true,
      manifest: 'manifest.json',
      assetsInlineLimit: 0, // the policy allows no inline script or style, and hashed files are kept for ever
      modulePreload: { polyfill: false },
      rolldownOptions: { input: join(APP, `${side}.html`) },
    },
  })
  await rename(join(outDir, `${side}.html`), join(outDir, 'index.html'))
}

/** Whoever reads while it is built sees the old files or the new ones; of two who build at once, one wins. */
async function buildDashboard(): Promise<void> {
  const stamp = await digestOfSources(ROOT, SOURCES)
  const made = `${DIST}.${process.pid}`
  await mkdir(made, { recursive: true })
  try {
    for (const side of ['merchant', 'operator'] as const) await buildSide(side, join(made, side))
    await writeFile(join(made, 'stamp'), stamp)
    await rm(DIST, { recursive: true, force: true })
    await rename(made, DIST)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOTEMPTY') throw error
  } finally {
    await rm(made, { recursive: true, force: true })
  }
}

export async function isFresh(): Promise<boolean> {
  const stamp = join(DIST, 'stamp')
  return existsSync(stamp) && (await readFile(stamp, 'utf8')) === (await digestOfSources(ROOT, SOURCES))
}

/** In a process of its own: a test's NODE_ENV would make a build for developers of it, half as large
 *  again. */
export async function ensureDashboard(): Promise<void> {
  if (!(await isFresh())) await promisify(execFile)(process.execPath, [import.meta.filename])
}

if (import.meta.main) {
  process.env['NODE_ENV'] = 'production'
  if (!process.argv.includes('--if-needed') || !(await isFresh())) await buildDashboard()
}
