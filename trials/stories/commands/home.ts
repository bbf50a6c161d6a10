// A folder as a developer has it: a sandbox runs in it, and the command finds it from there. Everything is a
// process of its own.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { COMPILED, fileOf } from '../../../tools/compiled.ts'
import type { Handle } from '../../../tools/sandbox/handle.ts'

const inTree = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))
export const COWRIE = fileOf('cowrie', inTree('packages/cli/src/main.ts'))
const SANDBOX = fileOf('sandbox', inTree('tools/sandbox/sandbox.ts'))

export type Said = { readonly code: number; readonly out: string; readonly err: string; readonly all: string }
export type Env = Readonly<Record<string, string | undefined>>

export const bareEnv = (folder: string): Env => ({
  PATH: process.env['PATH'],
  HOME: folder,
  NO_COLOR: '1',
  ...COMPILED,
})

/** Runs the command to its end; `input` is what is typed. */
export const runIn = (folder: string, args: readonly string[], more: Env = {}, input = ''): Promise<Said> =>
  new Promise((done) => {
    const child = execFile(
      process.execPath,
      [COWRIE, ...args],
      { cwd: folder, env: { ...bareEnv(folder), ...more }, timeout: 100_000 },
      (error, out, err) => done({ code: error ? Number(error.code ?? 1) : 0, out, err, all: out + err }),
    )
    child.stdin?.end(input)
  })

/** What no command may ever print. */
export const STACK = /\n\s+at .+[(:]|node:internal|UnhandledPromise/

export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-home-'))
  chmodSync(folder, 0o755) // PostgreSQL runs as another user when we are root
  return folder
}

export type Home = {
  readonly folder: string
  readonly handle: Handle
  run(...args: string[]): Promise<Said>
  /** Its one line of JSON; fails where the command did. */
  json<T>(...args: string[]): Promise<T>
  stop(): Promise<void>
}

export async function openHome(...options: string[]): Promise<Home> {
  const folder = newFolder()
  const child: ChildProcess = spawn(process.execPath, [SANDBOX, '--json', '--port', '0', ...options], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: bareEnv(folder),
  })
  const exited = once(child, 'close')
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => text as string),
    exited.then(([code]) => Promise.reject(new Error(`the sandbox ended with ${code}`))),
  ])
  const run = (...args: string[]) => runIn(folder, args)
  return {
    folder,
    handle: JSON.parse(line) as Handle,
    run,
    json: async <T>(...args: string[]) => {
      const { code, out, err } = await run(...args, '--json')
      if (code !== 0) throw new Error(`cowrie ${args.join(' ')} ended with ${code}: ${out}${err}`)
      return JSON.parse(out) as T
    },
    stop: async () => {
      child.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
