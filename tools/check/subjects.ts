// What a stage is about: folders and files of the tree, all named here or in the two tables, so that a folder
// which moves is a change of few lines. A feature is named by its name alone and found wherever its folder
// lies.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '..', '..')
const FEATURES = 'apps/gateway/src/features'

/** Folders below `features`, the shallow ones first; two levels, since features may lie in rooms. */
const folders = (root: string): string[] => {
  const inside = (folder: string): string[] =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
          entry.isDirectory() ? `${folder}/${entry.name}` : [],
        )
      : []
  const rooms = inside(FEATURES)
  return [...rooms, ...rooms.flatMap(inside)]
}
const FOLDERS = folders(ROOT)

/** The folder of a feature. A room may have the name of a feature in it; the folder with the declaration
 *  counts. */
export function findFeature(name: string): string | undefined {
  const named = FOLDERS.filter((folder) => folder.endsWith(`/${name}`))
  return named.find((folder) => existsSync(join(ROOT, folder, `${name}.feature.ts`))) ?? named.at(-1)
}
/** One that is not there stands in the table as it would be written, and the test of the table names it. */
export const feature = (name: string): string => findFeature(name) ?? `${FEATURES}/${name}`
export const features = (...names: string[]): string[] => names.map(feature)

/** Text for readers. It changes no program: only a subject that is a page itself, or a folder of pages, is
 *  about it. */
export const isPage = (path: string): boolean =>
  path.endsWith('.md') || path === 'docs' || path.startsWith('docs/') || path === 'LICENSE'

export const lies = (path: string, subject: string): boolean => path === subject || path.startsWith(`${subject}/`)

export const isSubject = (subject: string, path: string): boolean =>
  lies(path, subject) && (!isPage(path) || isPage(subject))

// ---- what several stages share

const GATEWAY = 'apps/gateway/src'
export const CONTRACT = 'packages/contract'
/** What makes, migrates and starts a gateway with its bank, for every programme and for the tests. */
export const STACK = ['tools/sandbox', 'tools/postgres', 'tools/migrate.ts', 'tools/compiled.ts', 'tools/ports.ts']
/** What every programme of kills and faults is made of. */
export const PROGRAMMES = ['trials/chaos/kit', 'tools/sandbox/stack.ts', 'tools/postgres']
export const MIGRATIONS = 'apps/gateway/migrations'
/** How both processes start, work and end. */
export const PROCESSES = [
  'api.ts',
  'app.ts',
  'config.ts',
  'gateway.ts',
  'worker.ts',
  'core/agenda.ts',
  'core/readiness.ts',
  'core/serving.ts',
  'core/work-loop.ts',
  'kit/http',
  'kit/process.ts',
].map((path) => `${GATEWAY}/${path}`)
const inGateway = (...paths: string[]): string[] => paths.map((path) => `${GATEWAY}/${path}`)

export { inGateway }
/** What keeps one thing from being done twice, and money in order. */
export const MONEY = inGateway('core/ledger', 'core/entries.ts', 'core/idempotency.ts', 'core/outgoing.ts')
/** Everything that makes a gateway, as who starts one has it. */
export const WHOLE_GATEWAY = [GATEWAY, MIGRATIONS, `${CONTRACT}/src`, 'apps/simulator', ...STACK]
/** Pages that the site shows, whose blocks of code are run. */
export const SITE_PAGES = [
  'docs/guides',
  'docs/operate',
  'docs/reference',
  'docs/accounting.md',
  'docs/cli.md',
  'docs/compare.md',
  'docs/dashboard.md',
  'docs/live.md',
  'docs/name-match.md',
  'docs/reconciliation.md',
  'docs/rules.md',
  'docs/sandbox-bank.md',
  'docs/secret-keys.md',
  'docs/settlements.md',
  'docs/status.md',
]
/** Everything that is compiled and linted. */
export const PROGRAM = [
  'apps',
  'clients',
  'connectors',
  'deploy',
  'packages',
  'samples',
  'tools',
  'trials',
  '.oxlintrc.json',
  'biome.json',
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'vitest.month.config.ts',
]
/** What everything depends on: versions of what is installed. */
export const DEPENDENCIES = ['package-lock.json', '.npmrc']

/** Rooms of the contract. */
export const rooms = (...names: string[]): string[] => names.map((name) => `${CONTRACT}/src/${name}`)
/** What is written by hand in the clients; the rest follows from the contract, operation by operation. */
export const SDK = ['call', 'client', 'errors', 'index', 'money', 'pages', 'request', 'session', 'webhooks'].map(
  (name) => `packages/sdk/src/${name}.ts`,
)
export const OTHER_CLIENTS = [
  'clients/php/src',
  ...['__init__', '_call', '_client', '_http', '_session', 'webhooks'].map(
    (name) => `clients/python/cowrie_client/${name}.py`,
  ),
]
