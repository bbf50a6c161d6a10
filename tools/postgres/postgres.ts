// A PostgreSQL of our own for the sandbox, the tests and the figures: no Docker, no installed database, no
// root rights.
//   find binaries → (root: choose another user, make all reachable) → initdb once → postgres in the
//     foreground → Engine
// The server is a plain child: a signal to our process group reaches it too, so nothing stays behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../ports.ts'
import {
  type Binaries,
  chooseBinaries,
  publicFolder,
  reachable,
  refuseForeign,
  type User,
  unprivilegedUser,
} from './binaries.ts'
import { newPassword, verifierOf } from './logins.ts'

export type Engine = {
  readonly port: number
  readonly dataDir: string
  /** The superuser's address: to migrate, to look, to plant faults. The programs have logins of their own
   *  (logins.ts). */
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
  // No statement and no value may reach a log. Errors quote values in their message ("invalid input syntax:
  // …"), and `log` ranks above `error` here: the server's own events and fatal ones are kept, the errors of
  // statements are not.
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
  const passwordFile = path.join(dir, 'password')
  const trusting = clusterMajor(dataDir) !== null && !fs.existsSync(passwordFile)
  if (clusterMajor(dataDir) === null) await initialise(cluster, keepPassword(passwordFile))
  clearStaleLock(dataDir)

  const password = trusting ? '' : fs.readFileSync(passwordFile, 'utf8')
  const running = await serve(cluster, path.join(dir, 'postgres.log'), options, password)
  const urlWith = (secret: string, database: string): string =>
    `postgres://${ROLE}:${secret}@127.0.0.1:${running.port}/${encodeURIComponent(database)}`
  if (trusting) await askForPasswords(cluster, urlWith('', 'postgres'), passwordFile)
  const secret = fs.readFileSync(passwordFile, 'utf8')
  const url = (database: string): string => urlWith(secret, database)
  return {
    port: running.port,
    dataDir,
    url,
    createDatabase: (name, template) => createDatabase(url('postgres'), name, template),
    dropDatabase: (name) => query(url('postgres'), `drop database if exists ${pg.escapeIdentifier(name)} with (force)`),
    stop: () => stop(running.child),
  }
}

// ---- The superuser's password. Whoever can reach a port of this machine could otherwise run programs as the
// server's user.

function keepPassword(file: string): string {
  const password = newPassword()
  fs.writeFileSync(file, password, { mode: 0o600 })
  return password
}

/** A cluster of an earlier version let everybody in. */
async function askForPasswords({ dataDir }: Cluster, url: string, passwordFile: string): Promise<void> {
  const password = keepPassword(`${passwordFile}.new`)
  await query(url, `alter role ${ROLE} password ${pg.escapeLiteral(verifierOf(password))}`)
  fs.writeFileSync(path.join(dataDir, 'pg_hba.conf'), 'host all all samehost scram-sha-256\n')
  await query(url, 'select pg_reload_conf()')
  fs.renameSync(`${passwordFile}.new`, passwordFile)
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

/** Where the cluster lives: `dir/data`, or a public folder with a link from there when the user cannot walk
 *  to `dir`. */
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

async function initialise(cluster: Cluster, password: string): Promise<void> {
  const { dataDir, user } = cluster
  // Made under another name and renamed, so that an interrupted initdb never looks like a cluster.
  const unfinished = `${dataDir}.${randomUUID()}`
  const logFile = `${unfinished}.log`
  fs.mkdirSync(unfinished, { mode: 0o700 })
  if (user) fs.chownSync(unfinished, user.uid, user.gid)
  const log = fs.openSync(logFile, 'w', 0o600)
  const verifierFile = `${unfinished}.verifier`
  try {
    fs.writeFileSync(verifierFile, verifierOf(password), { mode: 0o600 })
    if (user) fs.chownSync(verifierFile, user.uid, user.gid)
    const access = ['-A', 'scram-sha-256', '-U', ROLE, '--pwfile', verifierFile]
    const args = ['-D', unfinished, '--encoding=UTF8', '--locale=C', '--data-checksums', ...access]
    const child = launch(cluster, 'initdb', args, log)
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`initdb failed:\n${lastLines(logFile, 0)}`)
    fs.rmSync(dataDir, { recursive: true, force: true })
    fs.renameSync(unfinished, dataDir)
  } finally {
    fs.closeSync(log)
    fs.rmSync(logFile, { force: true })
    fs.rmSync(verifierFile, { force: true })
    fs.rmSync(unfinished, { recursive: true, force: true })
  }
}

/** PostgreSQL forgives a lock file whose process is dead, but not one whose number was given to another
 *  process. */
function clearStaleLock(dataDir: string): void {
  const lock = path.join(dataDir, 'postmaster.pid')
  if (!fs.existsSync(lock)) return
  const pid = Number.parseInt(fs.readFileSync(lock, 'utf8'), 10)
  const commandFile = `/proc/${pid}/cmdline`
  const command = fs.existsSync(commandFile) ? fs.readFileSync(commandFile, 'utf8').split('\0') : []
  if (!command[0]) return // Dead, or a system without /proc: PostgreSQL decides.
  const served = command[0].includes('postgres') ? command[command.indexOf('-D') + 1] : undefined
  if (served && fs.existsSync(served) && fs.realpathSync(served) === fs.realpathSync(dataDir)) {
    throw new Error(`A PostgreSQL server (process ${pid}) is still running on ${dataDir}; stop it first`)
  }
  fs.rmSync(lock, { force: true })
}

function lastLines(file: string, from: number): string {
  const text = fs.existsSync(file) ? fs.readFileSync(file).subarray(from).toString('utf8') : ''
  return text.trimEnd().split('\n').slice(-15).join('\n')
}

async function serve(cluster: Cluster, logFile: string, options: StartOptions, password: string): Promise<Running> {
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
    if (await accepts(child, { port, password }, cluster.dataDir, giveUpAt)) return { child, port }

    await stop(child)
    const said = lastLines(logFile, from)
    // After a kill -9 the children of the dead server need a moment to leave; a free port may have been taken
    // since.
    const passing = said.includes('shared memory block') || (!options.port && said.includes('could not bind'))
    if (!passing || Date.now() > giveUpAt) throw new Error(`PostgreSQL did not start on port ${port}:\n${said}`)
    await pause(100)
  }
}

async function accepts(
  child: ChildProcess,
  door: { readonly port: number; readonly password: string },
  dataDir: string,
  giveUpAt: number,
): Promise<boolean> {
  let failed = false
  child.once('error', () => {
    failed = true
  })
  while (!failed && child.exitCode === null && child.signalCode === null && Date.now() < giveUpAt) {
    const client = new pg.Client({
      host: '127.0.0.1',
      ...door,
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
