// Two apis and two workers, each a process that is restarted as a deployment would: a signal, its end, and a new one that is ready.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileOf } from '../../tools/compiled.ts'
import type { Server } from './balancer.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const READY_LIMIT_MS = 60_000
const LOOK_MS = 50

export type Member = Server & { readonly part: 'api' | 'worker' }
export type Restarted = { readonly stopMs: number; readonly startMs: number; readonly ended: string }
export type Fleet = {
  start(member: Member): Promise<void>
  /** Answers how long each took, and how it ended. */
  restart(member: Member, signal: NodeJS.Signals): Promise<Restarted>
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

export function createFleet(env: Readonly<Record<string, string>>): Fleet {
  const running = new Map<string, ChildProcess>()
  const start = async (member: Member): Promise<void> => {
    const { name, part, port, privatePort } = member
    const file = fileOf(part, `apps/gateway/src/${part}.ts`)
    const child = spawn(process.execPath, ['--max-semi-space-size=64', file], {
      cwd: ROOT,
      env: { ...env, NODE_NO_WARNINGS: '1', PORT: String(port), PRIVATE_PORT: String(privatePort) },
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
    restart: async (member, signal) => {
      const began = Date.now()
      const ended = await end(running.get(member.name) as ChildProcess, signal)
      const gone = Date.now()
      await start(member)
      return { stopMs: gone - began, startMs: Date.now() - gone, ended }
    },
    stop: async () => {
      await Promise.all([...running.values()].map((child) => end(child, 'SIGKILL')))
    },
  }
}
