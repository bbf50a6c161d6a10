// Two apis and two workers, each a process that is restarted as a deployment would: a signal, its end, and a
// new one that is ready.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { COMPILED, fileOf } from '../../../tools/compiled.ts'
import type { Held } from '../kit/bounded.ts'
import { steadyNumbers } from '../kit/world.ts'
import { type Balancer, type Server, startBalancer } from './balancer.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const READY_LIMIT_MS = 120_000 // with both cores taken by others a start took more than a minute
const LOOK_MS = 50

export type Member = Server & { readonly part: 'api' | 'worker' }
export type Restarted = { readonly stopMs: number; readonly startMs: number; readonly ended: string }
export type Fleet = {
  start(member: Member): Promise<void>
  /** Answers how it ended. */
  end(member: Member, signal: NodeJS.Signals): Promise<string>
  /** Answers how long each took, and how it ended. */
  restart(member: Member, signal: NodeJS.Signals): Promise<Restarted>
  pid(member: Member): number | undefined
  /** What is started from now on: a folder with a build; without one, the build that CI names, or the
   *  sources. */
  use(build: string | undefined): void
  stop(): Promise<void>
}

async function untilReady({ name, privatePort }: Member, child: ChildProcess): Promise<void> {
  const until = Date.now() + READY_LIMIT_MS
  const isReady = () =>
    fetch(`http://127.0.0.1:${privatePort}/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode} before it was ready`)
    if (Date.now() > until) throw new Error(`${name} was not ready within ${READY_LIMIT_MS / 1000} s`)
    await pause(LOOK_MS)
  }
}

export type Env = Readonly<Record<string, string>>

function createFleet(envOf: (member: Member) => Env): Fleet {
  const running = new Map<string, ChildProcess>()
  let build: string | undefined
  const start = async (member: Member): Promise<void> => {
    const { name, part, port, privatePort } = member
    const program = build === undefined ? fileOf(part, `apps/gateway/src/${part}.ts`) : join(build, `${part}.js`)
    const child = spawn(process.execPath, ['--max-semi-space-size=64', program], {
      cwd: ROOT,
      env: {
        ...COMPILED,
        ...envOf(member),
        NODE_NO_WARNINGS: '1',
        PORT: String(port),
        PRIVATE_PORT: String(privatePort),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    running.set(name, child)
    await untilReady(member, child)
  }
  const end = async (child: ChildProcess, signal: NodeJS.Signals): Promise<string> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    }
    return child.signalCode ?? `code ${child.exitCode}`
  }
  return {
    start,
    end: ({ name }, signal) => end(running.get(name) as ChildProcess, signal),
    restart: async (member, signal) => {
      const began = Date.now()
      const ended = await end(running.get(member.name) as ChildProcess, signal)
      const gone = Date.now()
      await start(member)
      return { stopMs: gone - began, startMs: Date.now() - gone, ended }
    },
    pid: ({ name }) => {
      const child = running.get(name)
      return child?.exitCode === null && child.signalCode === null ? child.pid : undefined
    },
    use: (folder) => {
      build = folder
    },
    stop: async () => {
      await Promise.all([...running.values()].map((child) => end(child, 'SIGKILL')))
    },
  }
}

export type RunningFleet = { readonly fleet: Fleet; readonly balancer: Balancer; readonly members: readonly Member[] }

/** Two apis behind the balancer, which listens on `port`, and two workers; `envOf` says what each is started
 *  with, `build` from what (see `Fleet.use`). */
export async function startFleet(
  dir: string,
  port: number,
  held: Held,
  envOf: (member: Member) => Env,
  build?: string,
): Promise<RunningFleet> {
  const numbers = await steadyNumbers(9)
  const members = (['api', 'api', 'worker', 'worker'] as const).map((part, at) => ({
    name: `${part}-${(at % 2) + 1}`,
    part,
    port: numbers[at] as number,
    privatePort: numbers[at + 4] as number,
  }))
  const fleet = createFleet(envOf)
  held.defer(() => fleet.stop())
  fleet.use(build)
  await Promise.all(members.map((member) => fleet.start(member)))
  const apis = members.filter(({ part }) => part === 'api')
  const balancer = await startBalancer(dir, port, numbers[8] as number, apis)
  held.defer(() => balancer.stop())
  const up = async () => (await balancer.rows().catch(() => [])).filter(({ status }) => status === 'UP').length
  while ((await up()) < apis.length + 1) await pause(LOOK_MS) // each, and the backend
  return { fleet, balancer, members }
}
