// The command `cowrie run books` as a process of its own, for tests that look at books from outside.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { COMPILED, fileOf } from '../compiled.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Of the environment it gets what an operator gives it. */
export async function askOutside(
  env: Readonly<Record<string, string>>,
  words: readonly string[] = [],
): Promise<{ code: number; text: string }> {
  const child = spawn(process.execPath, [fileOf('books', 'tools/operator/books.ts'), ...words], {
    cwd: ROOT,
    env: {
      ...COMPILED,
      PATH: process.env['PATH'] ?? '',
      CELLS: env['CELLS'] ?? '',
      ENVIRONMENT: env['ENVIRONMENT'] ?? '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const parts: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code: code ?? -1, text: parts.join('') }
}
