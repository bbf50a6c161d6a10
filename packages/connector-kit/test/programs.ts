// The programs of an adapter and the fake of its bank as processes, for whoever kills them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { COMPILED, fileOf } from '../../../tools/compiled.ts'

export type Env = Readonly<Record<string, string>>
/** What a program says once it can be called. */
type Started = { readonly url: string; readonly webhooks?: string }
export type Program = Started & {
  readonly child: ChildProcess
  /** All that it wrote. */
  readonly log: () => string
  kill(): Promise<void>
  /** SIGTERM. Returns its exit code. */
  stop(): Promise<number | null>
}

const sourceOf = (path: string): string => fileURLToPath(new URL(`../../../connectors/${path}`, import.meta.url))
/** `connectors/<name>/src/main.ts`, or a command beside it: of the build, where there is one. */
export const adapterFile = (name: string, command?: 'settle' | 'recover'): string =>
  fileOf(`connector-${name}${command ? `-${command}` : ''}`, sourceOf(`${name}/src/${command ?? 'main'}.ts`))
/** Fakes are not shipped, so that no build has them. */
export const fakeFile = (name: string): string => sourceOf(`${name}/fake/main.ts`)

function spawned(file: string, args: readonly string[], env: Env) {
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...COMPILED, NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.on('data', (part: Buffer) => {
      written[name] += part.toString()
    })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, written, ended }
}

/** Throws if it ends before it can be called. */
export async function startProgram(file: string, args: readonly string[], env: Env): Promise<Program> {
  const { child, written, ended } = spawned(file, args, env)
  const log = (): string => written.stdout + written.stderr
  const started = once(child, 'message').then(([message]) => message as Started)
  const first = await Promise.race([started, ended])
  if (first === null || typeof first === 'number') throw new Error(`${file} ended with ${first}: ${log()}`)
  const end = (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return ended
  }
  return { ...first, child, log, kill: () => end('SIGKILL').then(() => undefined), stop: () => end('SIGTERM') }
}

/** One that ends when it is done. */
export async function runProgram(file: string, args: readonly string[], env: Env) {
  const { written, ended } = spawned(file, args, env)
  return { code: await ended, ...written }
}
