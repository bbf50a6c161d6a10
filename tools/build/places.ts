// What the build makes of the sources, and where each file lies in it:
//   api.js, worker.js, migrate.js, cowrie.js …   a few lines each: which Node is needed, then the program
//   lib/                                         the programs, with everything of ours and of others that
//     they import
//   migrations/ dashboard/ fonts/ pages/         files that are read while they run
//   samples/                                     handlers that `cowrie samples` copies
//   guides/                                      what `search_docs` of `cowrie mcp` reads
//   package.json README.md LICENSE THIRD-PARTY-LICENCES.txt
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PROGRAMS } from '../../packages/cli/src/programs/programs.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** A path of the repository, as it is written everywhere here. */
export const inTree = (path: string): string => relative(ROOT, path)

/** Programs by name; each gets a file of its own at the top. */
export const ENTRIES: Readonly<Record<string, string>> = {
  cowrie: 'packages/cli/src/main.ts',
  ...Object.fromEntries(Object.entries(PROGRAMS).map(([name, url]) => [name, inTree(fileURLToPath(url))])),
}
/** Started as a thread of a program. */
export const THREADS: Readonly<Record<string, string>> = {
  'pdf-thread': 'apps/gateway/src/features/collections/invoices/pdf-thread.ts',
}

/** Files that are read while a program runs, or folders of them: where they come from, and where they go. */
export const FILES: Readonly<Record<string, string>> = {
  'apps/gateway/migrations': 'migrations',
  'apps/dashboard/dist': 'dashboard',
  'apps/checkout/src/browser.js': 'pages/checkout.js',
  'apps/checkout/src/screens/sealing.js': 'pages/sealing.js',
  'apps/checkout/src/screens/framed.js': 'pages/framed.js',
  'apps/checkout/src/screens/solving.js': 'pages/solving.js',
  'apps/checkout/src/screens/puzzle.js': 'pages/puzzle.js',
  'packages/design/src/tokens.css': 'pages/tokens.css',
  'samples/handlers': 'samples',
  'docs/guides': 'guides',
}
export const FONTS = ['DejaVuSansCondensed', 'DejaVuSansCondensed-Bold'] as const

/** Where lib/ finds what a source names beside itself. Anything that is not here fails the build: it would be
 *  missing at run time. */
export const FROM_LIB: ReadonlyMap<string, string> = new Map([
  ...Object.entries(FILES).map(([from, to]) => [from, `../${to}`] as const),
  ...Object.entries(ENTRIES).map(([name, source]) => [source, `../${name}.js`] as const),
  ...Object.entries(THREADS).map(([name, source]) => [source, `./${name}.js`] as const),
  ['apps/gateway/package.json', '../package.json'],
  ['packages/cli/package.json', '../package.json'],
  // Not shipped: the dashboard is, and whoever would start this looks whether it is there.
  ['tools/dashboard/build.ts', '../build-dashboard.js'],
  // Nor is the site of the guides: the sandbox then says where they are.
  ['apps/docs/dist', '../site'],
])
