// The programs that the guides are cut from, each run as a process of its own, as a reader would run it.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from '../../../apps/gateway/test/kit/waiting.ts'
import { SAMPLES } from '../../../tools/site/fences.ts'

export const ROOT: string = fileURLToPath(new URL('../../../', import.meta.url))
const CI = process.env['CI'] === 'true'

/** Debian's own Python has Debian's Flask and Django. */
const DEBIAN_PYTHON = '/usr/bin/python3'
const works = (command: string, ...args: string[]): boolean =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0

/** What this machine lacks for a file; null: it can be run. In CI nothing may be lacking. */
export function lackedBy(file: string): string | null {
  const needs: readonly (readonly [RegExp, string, () => boolean])[] = [
    [
      /\.php$/,
      'PHP with curl (Debian: php-cli php-curl)',
      () => works('php', '-r', 'exit(extension_loaded("curl") ? 0 : 1);'),
    ],
    [/flask_app\.py$/, 'Flask (Debian: python3-flask)', () => works(DEBIAN_PYTHON, '-c', 'import flask')],
    [/django_app\.py$/, 'Django (Debian: python3-django)', () => works(DEBIAN_PYTHON, '-c', 'import django')],
    [
      /\.py$/,
      'Python 3.11 or newer',
      () => works(DEBIAN_PYTHON, '-c', 'import sys; sys.exit(sys.version_info < (3, 11))'),
    ],
    [/\.sh$/, 'curl', () => works('curl', '--version')],
  ]
  const lacked = needs.find(([pattern, , isThere]) => pattern.test(file) && !isThere())
  return lacked === undefined || CI ? null : `${lacked[1]} is missing on this machine`
}

const commandOf = (file: string, port: number | null): readonly [string, readonly string[]] => {
  const path = isAbsolute(file) ? file : `${SAMPLES}/${file}`
  if (file.endsWith('.php')) return ['php', port === null ? [path] : ['-S', `127.0.0.1:${port}`, path]]
  if (file.endsWith('.py')) return [DEBIAN_PYTHON, [path]]
  if (file.endsWith('.sh')) return ['bash', [path]]
  return [process.execPath, [path]]
}

const PLAIN = {
  ...{ PATH: process.env['PATH'], HOME: process.env['HOME'] },
  ...{ PYTHONPATH: `${ROOT}clients/python`, PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' },
}

/** Files that were run, and ended as they should. */
export const executed = new Set<string>()

type Environment = Readonly<Record<string, string>>
export type Running = { readonly child: ChildProcess; readonly said: () => string }

function start(file: string, args: readonly string[], env: Environment, port: number | null = null): Running {
  const [command, own] = commandOf(file, port)
  const child = spawn(command, [...own, ...args], { cwd: ROOT, env: { ...PLAIN, ...env } })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => {
      text += part.toString()
    })
  return { child, said: () => text }
}

/** Runs a program to its end, which must be a good one, and gives the lines it printed. */
export async function run(file: string, env: Environment, ...args: string[]): Promise<string[]> {
  const { child, said } = start(file, args, env)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${said()}`)
  executed.add(file)
  return said().trimEnd().split('\n')
}

/** A program that serves at that port, once it does. */
export async function serve(file: string, env: Environment, port: number, path = '/hook'): Promise<Running> {
  const running = start(file, [], { ...env, PORT: String(port) }, port)
  await until(`${file} serves`, async () => {
    if (running.child.exitCode !== null) throw new Error(`${file} ended: ${running.said()}`)
    return fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: '{}' })
      .then((answer) => answer.arrayBuffer().then(() => true))
      .catch(() => false)
  })
  return running
}
