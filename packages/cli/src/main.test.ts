// The command as a process: what it says and how it ends when it is used wrongly, or when nobody answers.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { COMPILED, fileOf } from '../../../tools/compiled.ts'

const MAIN = fileOf('cowrie', fileURLToPath(new URL('./main.ts', import.meta.url)))
const FOLDER = mkdtempSync(join(tmpdir(), 'cowrie-cli-'))
afterAll(() => rmSync(FOLDER, { recursive: true }))

/** A port that was free a moment ago. */
const closed = createServer().listen(0, '127.0.0.1')
await once(closed, 'listening')
const { port } = closed.address() as AddressInfo
closed.close()

const KEYS = ['--url', `http://127.0.0.1:${port}`, '--api-key', 'a', '--secret-key', 'secret-1234']

function start(args: readonly string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: FOLDER,
    env: COMPILED,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      said.text += part.toString()
    })
  return { child, said, exit: once(child, 'close').then(([code]) => code as number | null) }
}

test.each([
  [['--help'], 0, 'forward events to a local address'],
  [['--help'], 0, 'examine your webhook handler'],
  [['exam', '--help'], 0, '--probe <url>'],
  [['completion', 'bash'], 0, '"exam") echo "--probe '],
  [['listen', '--help'], 0, '--no-diagnose'],
  [[], 2, 'Usage: cowrie'],
  [['lissen', '3000'], 2, 'Did you mean listen?'],
  [['listen'], 2, "missing required argument 'port|url'"],
  [['listen', '70000'], 2, 'A port is a number from 1 to 65535.'],
  [['listen', '3000', '--events', 'NOTHING'], 2, 'NOTHING is not an event type'],
  [['listen', '3000', '--merchant', 'nobody'], 2, 'Allowed choices are main, direct, other.'],
  [['listen', '3000'], 2, 'No keys found: start `cowrie sandbox`'],
  [['events', 'replay', '9..3'], 2, 'write 3..9'],
  [['events', 'replay', '3', '--to', '3000', '--endpoint', 'ep_1'], 2, 'cannot be used with'],
  [['events', 'show', '3', ...KEYS], 1, 'does not answer (connection refused)'],
  [['events', 'replay', '3', ...KEYS], 1, 'does not answer (connection refused)'],
] as const)('cowrie %j ends with %i and says so', async (args, code, words) => {
  const { said, exit } = start(args)
  expect(await exit, said.text).toBe(code)
  expect(said.text).toContain(words)
})

test('a gateway that cuts every call is named once, however often it is tried; Ctrl-C ends that with 0', async () => {
  let calls = 0
  const cutting = createServer((socket) => {
    calls++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(cutting, 'listening')
  const url = `http://127.0.0.1:${(cutting.address() as AddressInfo).port}`
  const { child, said, exit } = start(['listen', '3000', ...KEYS, '--url', url])
  await expect.poll(() => calls).toBeGreaterThanOrEqual(4) // from now on it pauses for eight seconds
  const started = Date.now()
  child.kill('SIGINT')
  expect(await exit).toBe(0)
  expect(Date.now() - started).toBeLessThan(6_000)
  cutting.close()
  expect(said.text.match(/does not answer/g)).toHaveLength(1)
  expect(said.text).toContain('secret key …1234')
  expect(said.text).not.toContain('secret-1234')
  expect(said.text).not.toContain('\u001b')
})

test('what npx has started ends with npx, which passes no signal on', async () => {
  const words = ['listen', '3000', ...KEYS].join(' ')
  const shell = spawn('sh', ['-c', `${process.execPath} ${MAIN} ${words} >&2 & echo $!; read line`], {
    cwd: FOLDER,
    env: { npm_lifecycle_event: 'npx', PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const said = { text: '' }
  shell.stderr.on('data', (part: Buffer) => {
    said.text += part.toString()
  })
  const [line] = (await once(shell.stdout, 'data')) as [Buffer]
  await expect.poll(() => said.text).toContain('Retrying until it does')
  shell.stdin.end() // the shell ends, and the command has another parent
  await once(shell, 'exit')
  const runs = (): boolean => {
    try {
      return process.kill(Number(line.toString()), 0)
    } catch {
      return false
    }
  }
  await expect.poll(runs).toBe(false)
})
