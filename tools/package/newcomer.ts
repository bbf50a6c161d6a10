// The first minute of a newcomer, by the commands that the sandbox names and nothing else: `cowrie sandbox`,
// `cowrie samples handler`, the handler, `cowrie listen`, `cowrie pay 5000`, until the handler has verified
// the webhook and credited the order. Timed.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Command } from './story.ts'

/** From the first key press to the verified webhook. */
export const GOAL_S = 60
const LIMIT_MS = 150_000
const run = promisify(execFile)

export type Times = { readonly up: number; readonly paid: number; readonly webhook: number }
type Handle = { readonly apiUrl: string; readonly merchants: { readonly main: { readonly secretKey: string } } }

/** The first line that has these words, of either stream. */
async function lineOf(child: ChildProcess, words: RegExp): Promise<string> {
  const found = Promise.withResolvers<string>()
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream as NodeJS.ReadableStream }).on('line', (line) => {
      if (words.test(line)) found.resolve(line)
    })
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`ended with ${code} before ${words}`)))
  const late = pause(LIMIT_MS, undefined, { ref: false }).then(() => Promise.reject(new Error(`nothing says ${words}`)))
  return Promise.race([found.promise, ended, late])
}

async function credited(port: string, reference: string): Promise<void> {
  for (const until = Date.now() + LIMIT_MS; ; await pause(25)) {
    const answer = await fetch(`http://127.0.0.1:${port}/credited?reference=${encodeURIComponent(reference)}`)
    if (((await answer.json()) as { credited: number }).credited === 5000) return
    if (Date.now() > until) throw new Error('the sample handler has credited nothing')
  }
}

/** `node` runs the handler; the command runs everything else. Answers with seconds since the first command
 *  was typed, and where the gateway was. */
export async function firstMinute(command: Command, node: string): Promise<{ times: Times; apiUrl: string }> {
  const { program, args, env, cwd } = command
  const began = Date.now()
  const seconds = (): number => (Date.now() - began) / 1000
  const running: ChildProcess[] = []
  const start = (file: string, words: readonly string[], more: NodeJS.ProcessEnv = {}): ChildProcess => {
    const child = spawn(file, words, { cwd, env: { ...env, ...more }, stdio: ['ignore', 'pipe', 'pipe'] })
    running.push(child)
    return child
  }
  const cowrie = (...words: string[]) => run(program, [...args, ...words], { cwd, env, timeout: LIMIT_MS })
  try {
    const sandbox = start(program, [...args, 'sandbox', '--json', '--port', '0'])
    const { apiUrl, merchants } = JSON.parse(await lineOf(sandbox, /^\{/)) as Handle
    const up = seconds()
    await cowrie('samples', 'handler')
    const handler = start(node, ['handler.mjs', '0'], { COWRIE_SECRET_KEY: merchants.main.secretKey })
    const port = /\d+$/.exec(await lineOf(handler, /^listening on/))?.[0] ?? ''
    await lineOf(start(program, [...args, 'listen', port, '--path', '/hook', '--json']), /Waiting for events/)
    const { stdout } = await cowrie('pay', '5000', '--json')
    const { paymentStatus, paymentReference } = JSON.parse(stdout) as Record<string, string>
    if (paymentStatus !== 'PAID' || paymentReference === undefined) throw new Error(`the payment is ${paymentStatus}`)
    const paid = seconds()
    await credited(port, paymentReference)
    return { times: { up, paid, webhook: seconds() }, apiUrl }
  } finally {
    await Promise.all(
      running.reverse().map(async (child) => {
        if (child.exitCode !== null || child.signalCode !== null) return
        const ended = once(child, 'exit')
        child.kill('SIGTERM')
        await ended
      }),
    )
  }
}

export const timesText = ({ up, paid, webhook }: Times): string =>
  `sandbox up ${up.toFixed(1)} s, PAID ${paid.toFixed(1)} s, webhook verified by the sample handler ${webhook.toFixed(1)} s (goal ${GOAL_S} s)`
