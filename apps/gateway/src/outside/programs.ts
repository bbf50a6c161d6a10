// Programs that are started for one answer: their standard input is what they are asked, their standard
// output what they answer. Without a shell. One that does not end in time is ended, with what it has started.
import { type ChildProcess, spawn } from 'node:child_process'
import type { Env } from '#kit/process.ts'

const LIMIT_MS = 10_000
const ANSWER_BYTES = 65_536

/** What the system says of it. */
export const toCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'

/** The last line that it has written to standard error, which an operator can read; never its input. */
const lastLine = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .findLast((line) => line !== '' && line !== 'Aborting.')
    ?.slice(0, 200) ?? 'it said nothing'

function end({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL') // its group: a script may wait for another program
  } catch {
    // It has ended meanwhile.
  }
}

/** Answers standard output. Throws why there is none, in words for an operator. */
export function runProgram(
  [program, ...words]: readonly [string, ...string[]],
  { input, env, limitMs = LIMIT_MS }: { readonly input: Buffer; readonly env: Env; readonly limitMs?: number },
): Promise<Buffer> {
  return new Promise((done, reject) => {
    const child = spawn(program, words, { env, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
    const fail = (why: string): void => reject(new Error(`${program}: ${why}`))
    const parts: Buffer[] = []
    let [bytes, said] = [0, '']
    const timer = setTimeout(() => {
      end(child)
      fail(`did not end within ${limitMs / 1000} seconds`)
    }, limitMs)
    child.stdout.on('data', (part: Buffer) => {
      parts.push(part)
      bytes += part.length
      if (bytes > ANSWER_BYTES) end(child)
    })
    child.stderr.on('data', (part: Buffer) => {
      said = `${said}${part.toString('utf8')}`.slice(-2_000)
    })
    child.once('error', (error) => {
      clearTimeout(timer)
      fail(`cannot be started (${toCode(error)})`)
    })
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      if (bytes > ANSWER_BYTES) fail(`answered more than ${ANSWER_BYTES} bytes`)
      else if (code !== 0) fail(`ended with ${signal ?? `code ${code}`}: ${lastLine(said)}`)
      else done(Buffer.concat(parts))
    })
    child.stdin.on('error', () => undefined) // it has ended without reading
    child.stdin.end(input)
  })
}
