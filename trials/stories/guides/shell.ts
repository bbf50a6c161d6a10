// Blocks of a page, taken as they stand and run by a shell: what a reader would paste, with only the places
// filled in that the page leaves open.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { until } from '../../../apps/gateway/test/kit/waiting.ts'
import { COMPILED } from '../../../tools/compiled.ts'
import { fencesOf } from '../../../tools/site/fences.ts'
import { ROOT } from './programs.ts'

const keyOf = (page: string, text: string): string => `${page}\n${text}`
/** `checked`: not executed, but the program that it is for was asked about it. `absent`: this machine has no
 *  such program. */
export type Done = 'run' | 'checked' | 'absent'
const done = new Map<string, Done>()

export const doneTo = (page: string, text: string): Done | null => done.get(keyOf(page, text)) ?? null

/** The only block of a page that begins so. Taking it is not yet having run it. */
export function blockOf(page: string, begins: string): string {
  const found = fencesOf(readFileSync(ROOT + page, 'utf8')).filter(({ text }) => text.startsWith(begins))
  if (found.length !== 1) throw new Error(`${found.length} blocks of ${page} begin with "${begins}"`)
  return found[0]?.text ?? ''
}
export const isDone = (page: string, text: string, how: Done = 'run'): void => void done.set(keyOf(page, text), how)

/** With what a reader puts in the place of what a page leaves open. What is not there cannot be replaced. */
export function filledIn(text: string, places: Readonly<Record<string, string>>): string {
  let filled = text
  for (const [from, to] of Object.entries(places)) {
    if (!filled.includes(from)) throw new Error(`"${from}" is not in the block:\n${text}`)
    filled = filled.replaceAll(from, to)
  }
  return filled
}

type Environment = Readonly<Record<string, string>>
export type Ran = { readonly code: number | null; readonly said: string }
const PLAIN = {
  ...COMPILED,
  PATH: process.env['PATH'] ?? '',
  NODE_NO_WARNINGS: '1',
  npm_config_update_notifier: 'false',
}

function start(text: string, env: Environment, cwd: string): { child: ChildProcess; said: () => string } {
  const child = spawn('bash', ['-c', `set -eo pipefail\n${text}`], {
    cwd,
    env: { ...PLAIN, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true, // a group of its own: npm does not pass every signal on
  })
  let words = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => {
      words += part.toString()
    })
  return { child, said: () => words }
}

/** Written last of all: what a program has said may be read after it has ended. */
const END = '--- the block is over ---'

export async function shell(text: string, env: Environment, cwd = ROOT): Promise<Ran> {
  const { child, said } = start(`exec 2>&1\ntrap 'echo "${END}"' EXIT\n${text}`, env, cwd)
  // Not `close` alone: a server that a block starts keeps the pipe.
  let isClosed = false
  child.once('close', () => {
    isClosed = true
  })
  const [code] = await once(child, 'exit')
  await until('all that the block said', async () => isClosed || said().includes(END))
  return { code, said: said().replace(`${END}\n`, '') }
}

/** What goes on until it is stopped, once it says these words. */
export async function background(
  text: string,
  env: Environment,
  words: string,
): Promise<{ said: () => string; stop(): Promise<void> }> {
  const { child, said } = start(text, env, ROOT)
  const ended = once(child, 'close')
  await until(`"${words}"`, async () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${said()}`)
    return said().includes(words)
  })
  return {
    said,
    stop: async () => {
      process.kill(-(child.pid ?? 0), 'SIGTERM')
      await ended
    },
  }
}
