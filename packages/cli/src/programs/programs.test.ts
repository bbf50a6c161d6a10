// `cowrie db` and `cowrie run` as processes: they hand over to a program of the gateway, and say so where
// that is missing.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { COMPILED } from '../../../../tools/compiled.ts'
import { PROGRAMS, runProgram } from './programs.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

const cowrie = (...args: string[]) =>
  new Promise<{ code: unknown; out: string; said: string }>((done) => {
    execFile(process.execPath, [MAIN, ...args], { cwd: '/', env: COMPILED }, (error, out, said) =>
      done({ code: error?.code ?? 0, out, said }),
    )
  })

test('setup prints the SQL and nothing else on standard output, for every cell that is named, from any folder', async () => {
  const { code, out } = await cowrie('db', 'setup', '01', '02')
  expect(code).toBe(0)
  expect(out).toMatch(/^-- As a superuser/)
  for (const name of ['cell_01', 'cell_02']) expect(out).toContain(`create database ${name} owner cowrie_owner`)
})

test('check without settings names what is missing, and ends with 2', async () => {
  const { code, out } = await cowrie('db', 'check')
  expect({ code, out }).toEqual({ code: 2, out: expect.stringContaining('CELLS is missing') })
})

test('db add prints the SQL of a cell, without new passwords', async () => {
  const { code, out } = await cowrie('db', 'add', '02')
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('create database cell_02') })
  expect(out).not.toContain('SCRAM')
})

test.each([
  [['db'], 'Usage: cowrie db'],
  [['db', 'chekc'], 'Did you mean check?'],
])('%j is wrong use: 2', async (args, words) => {
  const { code, said } = await cowrie(...args)
  expect({ code, said }).toEqual({ code: 2, said: expect.stringContaining(words) })
})

test('run hands every word to the program, also what looks like an option of ours, and ends as it ended', async () => {
  const { code, out } = await cowrie('run', 'db', '--help')
  expect({ code, out }).toEqual({ code: 2, out: expect.stringMatching(/^Usage: cowrie db <setup\|add\|check>/) })
})

test('run --help says what it is for and names every program', async () => {
  const { code, out } = await cowrie('run', '--help')
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^Usage: cowrie run .*<program>/) })
  for (const name of Object.keys(PROGRAMS)) expect(out).toContain(`"${name}"`)
})

test('--version is the version of the repository, and every package has that one', async () => {
  const root = new URL('../../../../', import.meta.url)
  const versionOf = (folder: string): string =>
    JSON.parse(readFileSync(new URL(`${folder}package.json`, root), 'utf8')).version
  const { out } = await cowrie('--version')
  expect(out).toBe(`${versionOf('')}\n`)
  const packages = ['apps/', 'packages/'].flatMap((home) =>
    readdirSync(new URL(home, root)).map((name) => `${home}${name}/`),
  )
  for (const folder of packages) expect(versionOf(folder), folder).toBe(versionOf(''))
})

test('where the program is not there, that is said', async () => {
  const nowhere = { ...PROGRAMS, db: new URL('./nowhere/db.ts', import.meta.url) }
  await expect(runProgram('db', ['check'], new AbortController().signal, nowhere)).rejects.toThrow(
    'nowhere/db.ts: this command was installed without a gateway',
  )
})
