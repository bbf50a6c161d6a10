// The tests of a change, as .ci/run starts them: the books are asked once at the end of each file. A file
// that leaves them wrong is run again with the question after each test, so that the test is named.
//   node tools/check/tests.ts [FILE …]
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { askBooks } from './books.ts'
import { ROOT } from './subjects.ts'

type Result = { readonly name: string; readonly status: string; readonly message?: string }
export type Report = { readonly testResults: readonly Result[] }

/** What the harness says of books that are wrong (apps/gateway/test/kit/harness.ts). */
const WRONG_BOOKS = /books of cell /

/** Files of which the books were wrong at the end. A test that looked at the books itself says the same, and
 *  is run again too. */
export const withWrongBooks = ({ testResults }: Report, root: string): string[] =>
  testResults
    .filter((result) => result.status === 'failed' && WRONG_BOOKS.test(JSON.stringify(result)))
    .map(({ name }) => relative(root, name))

async function vitest(options: readonly string[], when: Parameters<typeof askBooks>[0]): Promise<number> {
  const child = spawn('npx', ['--no-install', 'vitest', 'run', ...options], {
    cwd: ROOT,
    env: { ...process.env, ...askBooks(when) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = await once(child, 'close')
  return code ?? 1
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'cowrie-tests-'))
  try {
    const report = join(folder, 'report.json')
    const told = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
    const code = await vitest([...told, ...process.argv.slice(2)], 'once a file')
    process.exitCode = code
    if (code === 0) return
    const files = withWrongBooks(JSON.parse(readFileSync(report, 'utf8')), ROOT)
    if (files.length === 0) return
    console.log(`\nThe books were wrong at the end of ${files.join(', ')}: again, with the question after each test.`)
    await vitest(files, 'after each test')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) await main()
