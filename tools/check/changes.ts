// What changed, as git knows it, and since when.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './subjects.ts'

/** The last commit of which the whole check was seen green. */
export const CHECKED = '.ci/checked'

export type Git = (...args: string[]) => string | null
/** `null` where git says no, or is not there. */
export const git: Git = (...args) => {
  try {
    return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return null
  }
}

export type Base = { readonly commit: string; readonly because: string }

const read = (): string => {
  try {
    return readFileSync(join(ROOT, CHECKED), 'utf8').trim()
  } catch {
    return ''
  }
}

/** COWRIE_BASE; else, on a branch, where it left main; else the commit that was last checked whole. */
export function findBase(given = process.env['COWRIE_BASE'], run: Git = git, checked = read()): Base | null {
  const commitOf = (name: string) => run('rev-parse', '--verify', '--quiet', `${name}^{commit}`)
  if (given !== undefined && given !== '') {
    const commit = commitOf(given)
    if (commit === null) throw new Error(`COWRIE_BASE is ${given}, which is no commit here`)
    return { commit, because: `COWRIE_BASE, ${given}` }
  }
  const head = commitOf('HEAD')
  for (const main of ['origin/main', 'main']) {
    const tip = commitOf(main)
    if (tip === null) continue
    const left = run('merge-base', 'HEAD', main)
    if (left !== null && left !== head) return { commit: left, because: `where this branch left ${main}` }
    if (tip !== head) break
  }
  const commit = checked === '' ? null : commitOf(checked)
  if (commit === null || run('merge-base', '--is-ancestor', commit, 'HEAD') === null) return null
  return { commit, because: `the last commit that was checked whole, in ${CHECKED}` }
}

const lines = (text: string | null): string[] => (text ?? '').split('\n').filter((line) => line !== '')

/** Committed since the base, changed and not committed, or new and not ignored. What moved counts at both
 *  places. */
export const findChanges = (base: Base | null, run: Git = git): string[] | null =>
  base === null
    ? null
    : [
        ...new Set([
          ...lines(run('diff', '--name-only', '--no-renames', base.commit)),
          ...lines(run('ls-files', '--others', '--exclude-standard')),
        ]),
      ].sort()

/** Every file that is committed or would be, and is there. */
export function listFiles(run: Git = git): string[] {
  const gone = new Set(lines(run('ls-files', '--deleted')))
  return lines(run('ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate')).filter(
    (path) => !gone.has(path),
  )
}
export const isTestFile = (path: string): boolean => path.endsWith('.test.ts')
