// The simulator as the subject of the connector exam: it is the reference. `npm run exam:connector`.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { createControls, openDoor, type Setting, type Subject } from '../../packages/connector-exam/src/index.ts'
import { COMPILED, fileOf } from '../compiled.ts'
import { freePort } from '../ports.ts'
import { simulatorBooks } from './books.ts'
import { withPostgres } from './postgres.ts'

const MAIN = fileURLToPath(new URL('../../apps/simulator/src/main.ts', import.meta.url))
const KEYS = ['a key that both sides share', 'the key that comes after it'] as const
const START_MS = 30_000
const LOOK_MS = 25

/** Answers once it listens: its tables are there then. */
async function ready(url: string, child: ChildProcess): Promise<void> {
  const end = Date.now() + START_MS
  for (;;) {
    const ok = await fetch(`${url}/health`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (ok) return
    if (child.exitCode !== null || Date.now() > end) throw new Error('The simulator did not start')
    await new Promise((done) => setTimeout(done, LOOK_MS))
  }
}

/** On an empty database. */
export async function openSimulator(databaseUrl: string, { gatewayUrl }: Setting): Promise<Subject> {
  const dir = await mkdtemp(join(tmpdir(), 'cowrie-exam-'))
  const keysFile = join(dir, 'keys')
  await writeFile(keysFile, KEYS.map((key, at) => `${KEYS.length - at}:${key.replaceAll(' ', '-')}`).join(','))
  const keys = KEYS.map((key) => key.replaceAll(' ', '-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    ...COMPILED,
    NODE_NO_WARNINGS: '1',
    SIMULATOR_PORT: String(port),
    SIMULATOR_SMTP_PORT: String(await freePort()),
    SIMULATOR_DATABASE_URL: databaseUrl,
    SIMULATOR_BANK_KEYS_FILE: keysFile,
    SIMULATOR_CARDS: '2',
    GATEWAY_URL: gatewayUrl,
    LOG_LEVEL: 'trace',
  }
  let child: ChildProcess | null = null
  let log = ''
  const start = async (): Promise<void> => {
    const started = spawn(process.execPath, [fileOf('simulator', MAIN)], {
      env,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    started.stderr?.on('data', (part: Buffer) => {
      log += part.toString('utf8')
    })
    child = started
    await ready(url, started)
  }
  const kill = async (): Promise<void> => {
    const running: ChildProcess | null = child
    child = null
    if (running === null || running.exitCode !== null) return
    const ended = once(running, 'exit')
    running.kill('SIGKILL')
    await ended
  }
  await start()
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 })
  pool.on('error', () => undefined)
  const controls = createControls(simulatorBooks({ pool, url: () => url, key: keys[0] ?? '' }))
  const fake = await openDoor(async (request, response) => {
    if (!(await controls.handle(request, response))) response.writeHead(404).end()
  })
  return {
    ...{ name: 'the simulator', url: () => url, keys, upstreamUrl: fake.url, process: { kill, start } },
    capabilities: ['payout', 'name', 'credits', 'statement', 'card'],
    log: async () => log,
    lacks: { rows: 'its database is that of the bank, which keeps what it books' },
    limits: { answerMs: 2_000, quietMs: 1_000 },
    close: async () => {
      await kill()
      await fake.close()
      await pool.end()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** With a PostgreSQL of its own. */
export const open = withPostgres('simulator', openSimulator)
