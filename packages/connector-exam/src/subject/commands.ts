// A subject in JSON: its adapter is started, killed and looked into by commands, whatever language it is
// written in.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { BANK_PATHS } from '@cowrie/contract/bank/connector'
import { within } from '../kit/clock.ts'
import { send } from '../kit/http.ts'
import type { Setting, Subject, SubjectFile } from './subject.ts'

export type Environment = (setting: Setting, keys: readonly string[]) => Readonly<Record<string, string | undefined>>

const START_MS = 60_000
/** One that is said to run already is not waited for as one that starts. */
const RUNNING_MS = 5_000

/** All that a command writes to standard output. */
async function outputOf(command: string, env: ReturnType<Environment>): Promise<string> {
  const child = spawn('sh', ['-c', command], { env: { ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  const parts: Buffer[] = []
  child.stdout.on('data', (part: Buffer) => parts.push(part))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`The command "${command}" ended with ${code ?? 'a signal'}`)
  return Buffer.concat(parts).toString('utf8')
}

/** `failed` is true once there is nothing left to wait for. */
async function answers(url: string, limitMs: number, failed: () => boolean): Promise<boolean> {
  // Any answer will do, also 401: it listens.
  const look = async () => (await send(url + BANK_PATHS.self, { method: 'GET' }, 1_000)) !== null
  return (await within(limitMs, async () => ((await look()) ? true : failed() ? false : null))) === true
}

async function mustRun(url: string): Promise<void> {
  if (await answers(url, RUNNING_MS, () => false)) return
  throw new Error(
    `No adapter answers at ${url}. Start it, or correct "url" in the subject; with "start" the exam starts it.`,
  )
}

async function mustStart(url: string, started: ChildProcess): Promise<void> {
  // One that ends with 0 may have left the adapter running behind it.
  const failed = (): boolean => (started.exitCode ?? 0) !== 0 || started.signalCode !== null
  if (await answers(url, START_MS, failed)) return
  throw new Error(
    failed()
      ? `"start" of the subject ended with ${started.exitCode ?? started.signalCode}, and no adapter answers at ${url}.`
      : `No adapter answers at ${url} ${START_MS / 1000} s after "start" of the subject. Is "url" where it listens?`,
  )
}

export async function openCommands(file: SubjectFile, setting: Setting, environment: Environment): Promise<Subject> {
  const env = environment(setting, file.keys)
  let child: ChildProcess | null = null

  const start = async (command: string): Promise<void> => {
    // A group of its own: what the shell starts is killed with it.
    const started = spawn('sh', ['-c', command], {
      env: { ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
      detached: true,
    })
    child = started
    await mustStart(file.url, started)
  }
  const end = (): ChildProcess | null => {
    const running: ChildProcess | null = child
    child = null
    if (running?.pid === undefined || running.exitCode !== null || running.signalCode !== null) return null
    try {
      process.kill(-running.pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile, by the command that kills it.
    }
    return running
  }
  const kill = async (): Promise<void> => {
    if (file.kill !== undefined) await outputOf(file.kill, env)
    const running = end()
    if (running !== null && running.exitCode === null && running.signalCode === null) await once(running, 'exit')
  }
  // An exam that is broken off leaves no adapter behind.
  process.once('exit', end)

  const { start: command, log, rows } = file
  if (command === undefined) await mustRun(file.url)
  else
    await start(command).catch(async (error: unknown) => {
      await kill()
      throw error
    })
  return {
    ...{ name: file.name, keys: file.keys, upstreamUrl: file.upstreamUrl, url: () => file.url },
    ...(file.capabilities === undefined ? {} : { capabilities: file.capabilities }),
    ...(command === undefined ? {} : { process: { kill, start: () => start(command) } }),
    ...(log === undefined ? {} : { log: () => outputOf(log, env) }),
    ...(rows === undefined ? {} : { rows: () => outputOf(rows, env) }),
    ...(file.secrets === undefined ? {} : { secrets: file.secrets }),
    ...(file.lacks === undefined ? {} : { lacks: file.lacks }),
    ...(file.limits === undefined ? {} : { limits: file.limits }),
    close: command === undefined ? async () => undefined : kill,
  }
}
