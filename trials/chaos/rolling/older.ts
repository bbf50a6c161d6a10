// The version that an upgrade begins with: that of a tag or a commit, installed and built in a folder by its
// own lock file and its own tools; or, where nothing was released yet, what is here, built once more under
// another version number.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildInto } from '../../../tools/build/build.ts'
import { ROOT } from '../../../tools/build/places.ts'
import * as ours from '../kit/world.ts'

const MIGRATIONS = 'apps/gateway/migrations'
const LOCK = 'package-lock.json'

export type Older = {
  /** What it is, in words. */
  readonly name: string
  /** What its build made. */
  readonly build: string
  /** Its own ways to set up a database and merchants: with its migrations, and nothing of ours. */
  readonly world: typeof ours
  /** Migrations of ours that it cannot run with. */
  readonly breaking: readonly string[]
}

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
const migrationsOf = (root: string): string[] =>
  readdirSync(join(root, MIGRATIONS)).filter((name) => name.endsWith('.sql'))

export const versionOf = (build: string): string => {
  const { version }: { version: string } = JSON.parse(readFileSync(join(build, 'package.json'), 'utf8'))
  return version
}

/** The newest tag of a release; null before the first, and where this is not a repository. */
export function lastRelease(): string | null {
  if (!existsSync(join(ROOT, '.git'))) return null
  return git('tag', '--list', 'v*', '--sort=-version:refname').split('\n')[0] || null
}

/** Its own packages; those of here, if both lock files name the same. */
function install(tree: string): void {
  const npm = (...args: string[]): void =>
    void execFileSync('npm', args, { cwd: tree, stdio: ['ignore', 'ignore', 'inherit'] })
  const same = readFileSync(join(tree, LOCK)).equals(readFileSync(join(ROOT, LOCK)))
  // Copied, not linked: our own packages are links to beside the folder, and must lead into the older tree.
  if (same) execFileSync('cp', ['--archive', join(ROOT, 'node_modules'), tree])
  else npm('ci', '--no-audit', '--no-fund', '--loglevel=error')
  npm('run', '--silent', 'build')
}

/** Before November 2026 the programmes stood at the root. */
const worldIn = (tree: string): string => {
  const file = ['trials/chaos/kit/world.ts', 'chaos/kit/world.ts']
    .map((path) => join(tree, path))
    .find((path) => existsSync(path))
  if (file === undefined) throw new Error('that version has no programmes that could set up its world')
  return file
}

async function ofCommit(from: string, dir: string): Promise<Older> {
  const commit = git('rev-parse', '--verify', `${from}^{commit}`)
  const tree = join(dir, 'older')
  mkdirSync(tree)
  const archive = join(dir, 'older.tar')
  git('archive', '--output', archive, commit)
  execFileSync('tar', ['--extract', '--file', archive, '--directory', tree])
  install(tree)
  const theirs = new Set(migrationsOf(tree))
  const isBreaking = (name: string) => /^--! breaking/m.test(readFileSync(join(ROOT, MIGRATIONS, name), 'utf8'))
  const build = join(tree, 'dist')
  return {
    name: `${from} (${commit.slice(0, 9)})`,
    build,
    world: (await import(pathToFileURL(worldIn(tree)).href)) as typeof ours,
    breaking: migrationsOf(ROOT).filter((name) => !theirs.has(name) && isBreaking(name)),
  }
}

/** `from`: a tag or a commit; otherwise the last release; otherwise what is here. */
export async function buildOlder(from: string | undefined, dir: string): Promise<Older> {
  const asked = from ?? lastRelease()
  if (asked !== null) return ofCommit(asked, dir)
  const build = join(dir, 'older')
  const version = `${versionOf(ROOT)}-older`
  await buildInto(build, version)
  const name = `this very version as ${version}, because nothing was released yet`
  return { name, build, world: ours, breaking: [] }
}
