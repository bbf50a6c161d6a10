// The command, with a subject in JSON: an adapter that is a program of its own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../tools/ports.ts'
import { useExamDatabase } from '../test/database.ts'
import type { Plant } from '../test/plants.ts'
import { KEYS } from '../test/tiny.ts'
import type { TinyConfig } from '../test/tiny-adapter.ts'
import { openTinyBank } from '../test/tiny-bank.ts'
import type { Door } from './kit/http.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))
const TINY = fileURLToPath(new URL('../test/tiny-process.ts', import.meta.url))
const database = useExamDatabase()
const ports = { adapter: 0, gateway: 0 }
let [dir, bank]: [string, Door | null] = ['', null]

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'cowrie-exam-'))
  Object.assign(ports, { adapter: await freePort(), gateway: await freePort() })
  bank = await openTinyBank(() => `http://127.0.0.1:${ports.adapter}`)
})
afterAll(async () => {
  await bank?.close()
  await rm(dir, { recursive: true, force: true })
})

async function run(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly out: string; readonly err: string }> {
  const child = spawn(process.execPath, ['--no-warnings', MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.on('data', (part: Buffer) => {
    out += part.toString('utf8')
  })
  child.stderr.on('data', (part: Buffer) => {
    err += part.toString('utf8')
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out, err }
}

async function subject(plants: readonly Plant[], more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const config: TinyConfig = {
    ...{ databaseUrl: database(), schema: 'tiny', bankUrl: bank?.url ?? '', plants, keys: KEYS },
    ...{ gatewayUrl: `http://127.0.0.1:${ports.gateway}`, port: ports.adapter },
  }
  const path = join(dir, 'subject.json')
  const quoted = `'${JSON.stringify(config).replaceAll("'", "'\\''")}'`
  await writeFile(
    path,
    JSON.stringify({
      ...{
        name: 'an adapter of the test',
        url: `http://127.0.0.1:${ports.adapter}`,
        keys: KEYS,
        upstreamUrl: bank?.url,
      },
      ...{
        gatewayPort: ports.gateway,
        start: `exec ${process.execPath} --no-warnings ${TINY} ${quoted} >> ${dir}/log`,
      },
      ...{ log: `cat ${dir}/log`, limits: { answerMs: 2_500, learnMs: 8_000, noticeMs: 15_000, quietMs: 400 } },
      ...more,
    }),
  )
  return path
}

test('an adapter that is started, killed and read by commands: 0 when it has passed', async () => {
  const { code, out, err } = await run('--subject', await subject([]), '--groups', '3,11,13')
  expect(out + err).toContain('Exam of an adapter of the test')
  expect(out).toContain('the subject does not give the rows of the database')
  expect(code, out + err).toBe(0)
})

test('1 when it has not, with the sentence', async () => {
  const { code, out } = await run('--subject', await subject(['ten minutes are allowed to a clock']), '--groups', '13')
  expect(code, out).toBe(1)
  expect(out).toContain('A call signed by a clock that is 315 seconds ahead was answered with 200. Expected 401')
})

test('2 when it could not be held, with the reason', async () => {
  const path = join(dir, 'wrong.json')
  await writeFile(path, '{"name":"x"}')
  expect(await run('--subject', path)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('is not a subject'),
  })
  expect(await run()).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Use: --subject') })
})

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:1'

test.each([
  [
    '"start" ends',
    { start: 'exit 7', url: NOWHERE },
    `"start" of the subject ended with 7, and no adapter answers at ${NOWHERE}`,
  ],
  [
    'no adapter runs',
    { start: undefined, url: NOWHERE },
    `No adapter answers at ${NOWHERE}. Start it, or correct "url"`,
  ],
  ['no fake bank runs', { upstreamUrl: NOWHERE }, `The fake bank did not answer GET ${NOWHERE}/exam. Is it running`],
  [
    'the keys are others',
    { keys: ['a key that the adapter has not'] },
    'The first of "keys" in the subject must be the key',
  ],
])('2 when %s, with what to do', async (_name, more, sentence) => {
  const { code, out, err } = await run('--subject', await subject([], more), '--groups', '13')
  expect([code, out], err).toEqual([2, ''])
  expect(err).toContain(sentence)
})

test('2 when the file is not there, or is not JSON', async () => {
  const path = join(dir, 'half.json')
  await writeFile(path, '{"name":')
  expect((await run('--subject', path)).err).toContain('half.json is not JSON: ')
  expect((await run('--subject', join(dir, 'none.json'))).err).toContain('The subject cannot be read: ENOENT')
})
