// Starts all parts of a gateway as separate processes: PostgreSQL, the simulator, api and worker. The
// sandbox, the kill test and the bench stand on it.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Config, cellsText, readConfig } from '../../apps/gateway/src/config.ts'
import type { Logins } from '../../apps/gateway/src/core/cells/logins.ts'
import { openGateway } from '../../apps/gateway/src/gateway.ts'
import { COMPILED, fileOf } from '../compiled.ts'
import { migrate } from '../migrate.ts'
import { freePort } from '../ports.ts'
import { createLogins, createSimulatorLogin } from '../postgres/logins.ts'
import { type Engine, startPostgres } from '../postgres/postgres.ts'
import { bankKeyOf, masterKeyOf } from './seed.ts'

const READY_MS = 30_000

export type Ports = {
  readonly api: number
  /** Of the operator's listener, which is started where `env` sets OPERATOR_PORT. */
  readonly operator: number
  readonly simulator: number
  readonly postgres: number
  readonly smtp: number
}
/** With that of the guides, which the sandbox serves itself. */
export type SandboxPorts = Ports & { readonly guides: number }
export type PartName = 'api' | 'worker' | 'simulator'

export type StackOptions = {
  readonly dir: string
  readonly ports: Ports
  readonly cells: readonly string[]
  readonly seed: string
  readonly parts: readonly PartName[]
  readonly logLevel?: string
  readonly env?: Readonly<Record<string, string>>
  /** What one part is given beside that, asked whenever it is started. */
  readonly envOf?: (part: PartName) => Readonly<Record<string, string>>
  readonly settings?: Readonly<Record<string, string>>
  readonly preferSystem?: boolean
  /** Cells on servers that are not ours: all hosts, and the superuser's address of a database at the
   *  primary. */
  readonly elsewhere?: { readonly hosts: string; readonly url: (database: string) => string }
  /** How a part is started, where it is not as usual: the program and its arguments. */
  readonly launch?: (part: PartName) => readonly [string, ...string[]]
  /** Called when a part ends that nobody asked to end. */
  readonly onExit?: (part: PartName, how: string) => void
}

export type Stack = {
  readonly engine: Engine
  readonly ports: Ports
  readonly config: Config
  readonly env: Readonly<Record<string, string>>
  /** A cell's database for the superuser: to look, and to plant faults. */
  databaseUrl(cell: string): string
  start(part: PartName): Promise<void>
  /** kill -9; answers when the process is gone. */
  kill(part: PartName): Promise<void>
  pid(part: PartName): number | undefined
  stop(): Promise<void>
}

/** First port and those that follow; 0 means any free ones. */
export async function choosePorts(first: number): Promise<SandboxPorts> {
  if (first !== 0)
    return {
      ...{ api: first, operator: first + 1, guides: first + 2 },
      ...{ simulator: first + 100, postgres: first + 200, smtp: first + 300 },
    }
  const [api, operator, guides] = [await freePort(), await freePort(), await freePort()]
  return { api, operator, guides, simulator: await freePort(), postgres: await freePort(), smtp: await freePort() }
}

/** As `cowrie run` starts them: room for the young generation, or a busy api is swept 30 times a second. */
const NODE_FLAGS = ['--max-semi-space-size=64']

const MAIN: Record<PartName, URL> = {
  api: new URL('../../apps/gateway/src/api.ts', import.meta.url),
  worker: new URL('../../apps/gateway/src/worker.ts', import.meta.url),
  simulator: new URL('../../apps/simulator/src/main.ts', import.meta.url),
}

/** As a program of the sources, whatever was built: where its code is to be changed while it is loaded. */
export const fromSource = (part: PartName, flags: readonly string[]): readonly [string, ...string[]] => [
  process.execPath,
  ...NODE_FLAGS,
  ...flags,
  fileURLToPath(MAIN[part]),
]
const asUsual = (part: PartName): readonly [string, ...string[]] => [
  process.execPath,
  ...NODE_FLAGS,
  fileOf(part, fileURLToPath(MAIN[part])),
]

/** The programs' own logins, as in live: none of them is the superuser. */
type Doors = { readonly cells: ReadonlyMap<string, Logins>; readonly simulator: string }

async function openDoors(engine: Engine, { cells, elsewhere }: StackOptions): Promise<Doors> {
  const url = (database: string): string => (elsewhere ?? engine).url(database)
  const logins = await createLogins(url('postgres'))
  const at = (one: string): string => (elsewhere ? one.replace(/@[^/]+\//, `@${elsewhere.hosts}/`) : one)
  return {
    cells: new Map(
      cells.map((cell) => {
        const { app, engine: across } = logins(url(`cell_${cell}`))
        return [cell, { app: at(app), engine: at(across) }]
      }),
    ),
    simulator: await createSimulatorLogin(engine.url('simulator')),
  }
}

function environment(options: StackOptions, doors: Doors): Record<string, string> {
  const { ports, seed } = options
  return {
    ENVIRONMENT: 'sandbox',
    CELLS: cellsText(doors.cells),
    MASTER_KEY: masterKeyOf(seed),
    BANK_KEY: bankKeyOf(seed),
    BANK_URL: `http://127.0.0.1:${ports.simulator}`,
    PUBLIC_URL: `http://127.0.0.1:${ports.api}`,
    PORT: String(ports.api),
    SMTP_URL: `smtp://127.0.0.1:${ports.smtp}`,
    LOG_LEVEL: options.logLevel ?? 'warn',
    SIMULATOR_PORT: String(ports.simulator),
    SIMULATOR_SMTP_PORT: String(ports.smtp),
    SIMULATOR_DATABASE_URL: doors.simulator,
    GATEWAY_URL: `http://127.0.0.1:${ports.api}`,
    ...options.env,
  }
}

async function answers(url: string, alive: () => boolean): Promise<void> {
  const until = Date.now() + READY_MS
  for (;;) {
    const ok = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ok) return
    if (!alive()) throw new Error(`${url} stopped before it answered`)
    if (Date.now() > until) throw new Error(`${url} did not answer within ${READY_MS / 1000} s`)
    await new Promise((done) => setTimeout(done, 25))
  }
}

async function createDatabases(engine: Engine, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await engine.createDatabase(name).catch((error: { code?: string }) => {
      if (error.code !== '42P04') throw error // it is there from an earlier run
    })
  }
}

/** PostgreSQL up, cells migrated, `prepare` run with a gateway on them, then the parts. */
export async function startStack(options: StackOptions, prepare: (config: Config) => Promise<void>): Promise<Stack> {
  const { ports, cells, settings, preferSystem } = options
  const engine = await startPostgres({
    dir: join(options.dir, 'postgres'),
    port: ports.postgres,
    ...(settings ? { settings: { ...settings } } : {}),
    ...(preferSystem === undefined ? {} : { preferSystem }),
  })
  const running = new Map<PartName, ChildProcess>()
  const stop = async () => {
    const ended = [...running].map(([part, child]) => {
      running.delete(part)
      return new Promise<void>((done) => {
        if (child.exitCode !== null || child.signalCode !== null) return done()
        child.once('exit', () => done())
        child.kill('SIGTERM')
        setTimeout(() => child.kill('SIGKILL'), 6_000).unref()
      })
    })
    await Promise.all(ended)
    await engine.stop()
  }
  try {
    const { elsewhere } = options
    const url = (database: string): string => (elsewhere ?? engine).url(database)
    await createDatabases(engine, [...(elsewhere ? [] : cells.map((cell) => `cell_${cell}`)), 'simulator'])
    for (const cell of cells) await migrate(url(`cell_${cell}`))
    const env = environment(options, await openDoors(engine, options))
    const config = readConfig(env)
    await prepare(config)
    const start = (part: PartName) => startPart(part, env, running, options)
    await Promise.all(options.parts.map(start))
    return {
      engine,
      ports,
      config,
      env,
      databaseUrl: (cell) => url(`cell_${cell}`),
      start,
      kill: (part) => killPart(part, running),
      pid: (part) => running.get(part)?.pid,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startPart(
  part: PartName,
  env: Readonly<Record<string, string>>,
  running: Map<PartName, ChildProcess>,
  { launch = asUsual, envOf, onExit }: StackOptions,
): Promise<void> {
  const [program, ...args] = launch(part)
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'] ?? '', NODE_NO_WARNINGS: '1', ...COMPILED, ...env, ...envOf?.(part) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  running.set(part, child)
  const readyMessage = new Promise<void>((done) => child.once('message', () => done()))
  child.once('exit', (code, signal) => {
    if (running.get(part) === child) {
      running.delete(part)
      onExit?.(part, signal ?? `code ${code}`)
    }
  })
  const alive = () => child.exitCode === null && child.signalCode === null
  if (part === 'worker') {
    await Promise.race([
      readyMessage,
      new Promise<never>((_, reject) =>
        child.once('exit', () => reject(new Error('the worker stopped before it was ready'))),
      ),
    ])
    return
  }
  await answers(`http://127.0.0.1:${part === 'api' ? env['PORT'] : env['SIMULATOR_PORT']}/health`, alive)
}

async function killPart(part: PartName, running: Map<PartName, ChildProcess>): Promise<void> {
  const child = running.get(part)
  if (!child) return
  running.delete(part)
  await new Promise<void>((done) => {
    child.once('exit', () => done())
    child.kill('SIGKILL')
  })
}

/** A gateway in this process, on the stack's cells: for seeding and for looking at the books. */
export async function withGateway<T>(
  config: Config,
  work: (gateway: Awaited<ReturnType<typeof openGateway>>) => Promise<T>,
): Promise<T> {
  const gateway = await openGateway({ ...config, connections: 4, logLevel: 'error' }, 'tool')
  try {
    return await work(gateway)
  } finally {
    await gateway.close()
  }
}
