// The languages that the clients in clients/ are written in, and how a test starts their programs. Where an
// interpreter is missing its tests are skipped and say so; in CI they fail.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { until } from '../../../apps/gateway/test/kit/waiting.ts'

export type Language = {
  readonly name: 'PHP' | 'Python'
  readonly folder: string
  readonly ending: 'php' | 'py'
  readonly command: string
  /** Why its tests cannot run; null: they can. */
  readonly missing: string | null
}

export const ROOT: string = fileURLToPath(new URL('../../../', import.meta.url))
const CI = process.env['CI'] === 'true'

/** Ends with 0 where everything is there that the client needs. */
const lacks = (command: string, args: readonly string[], needs: string): string | null =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0 ? null : `${needs} is missing on this machine`

const PHP = 'exit(PHP_VERSION_ID >= 80200 && extension_loaded("curl") && extension_loaded("json") ? 0 : 1);'
const PYTHON = 'import sys; sys.exit(sys.version_info < (3, 11))'

export const LANGUAGES: readonly Language[] = [
  {
    ...({ name: 'PHP', ending: 'php', command: 'php', folder: 'clients/php' } as const),
    missing: lacks('php', ['-r', PHP], 'PHP 8.2 or newer with curl (Debian: php-cli php-curl)'),
  },
  {
    ...({ name: 'Python', ending: 'py', command: 'python3', folder: 'clients/python' } as const),
    missing: lacks('python3', ['-c', PYTHON], 'Python 3.11 or newer'),
  },
]

/** Whether to pass over a language; in CI never, so that what is missing is a failure. */
export function isSkipped({ missing }: Language): boolean {
  if (missing === null || CI) return false
  console.warn(`skipped: ${missing}`)
  return true
}

const ENVIRONMENT = {
  ...{ PATH: process.env['PATH'], HOME: process.env['HOME'] },
  ...{ PYTHONPATH: `${ROOT}clients/python`, PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1' },
}

/** A program of the language; its path is from the root of the repository. */
export function start(
  { command, missing }: Language,
  args: readonly string[],
  env: Record<string, string> = {},
): ChildProcess {
  if (missing !== null) throw new Error(missing)
  return spawn(command, args, { cwd: ROOT, env: { ...ENVIRONMENT, ...env } })
}

export type Ended = { readonly code: number | null; readonly out: string; readonly error: string }

/** Runs a program to its end. */
export async function run(
  language: Language,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Ended> {
  const child = start(language, args, env)
  const said = { out: '', error: '' }
  child.stdout?.on('data', (part: Buffer) => {
    said.out += part.toString()
  })
  child.stderr?.on('data', (part: Buffer) => {
    said.error += part.toString()
  })
  const [code] = await once(child, 'close')
  return { code: code as number | null, ...said }
}

/** A program that serves at that port, once it does. */
export async function serve(
  language: Language,
  file: string,
  port: number,
  env: Record<string, string>,
): Promise<ChildProcess> {
  const args = language.name === 'PHP' ? ['-S', `127.0.0.1:${port}`, file] : [file]
  const child = start(language, args, { PORT: String(port), ...env })
  let said = ''
  child.stderr?.on('data', (part: Buffer) => {
    said += part.toString()
  })
  child.stdout?.resume()
  await until(`${file} to serve`, async () => {
    if (child.exitCode !== null) throw new Error(`${file} ended before it served: ${said}`)
    const asked = fetch(`http://127.0.0.1:${port}/webhook`, { method: 'POST', body: '{}' })
    return asked.then((answer) => answer.text().then(() => true)).catch(() => false)
  })
  return child
}
