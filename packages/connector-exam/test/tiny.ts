// The tiny adapter between its bank and the gateway of the exam, as a subject.
import { type ChildProcess, spawn } from 'node:child_process'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { COMPILED } from '../../../tools/compiled.ts'
import type { Limits, Open } from '../src/subject/subject.ts'
import type { Plant } from './plants.ts'
import { rowsOf } from './rows.ts'
import type { TinyConfig } from './tiny-adapter.ts'
import { CLIENT_SECRET, openTinyBank, WEBHOOK_SECRET } from './tiny-bank.ts'

const FILE = fileURLToPath(new URL('./tiny-process.ts', import.meta.url))
export const KEYS = ['a key that both sides share', 'the key that comes after it'] as const

const CARD_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()

async function launch(
  config: TinyConfig,
  onLog: (text: string) => void,
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [FILE, JSON.stringify(config)], {
    env: { ...COMPILED, NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  child.stdout?.on('data', (part: Buffer) => onLog(part.toString('utf8')))
  const ended = once(child, 'exit').then(() => null)
  const message = await Promise.race([once(child, 'message'), ended])
  if (message === null) throw new Error('The tiny adapter ended before it was ready')
  return { child, url: (message[0] as { url: string }).url }
}

/** Short ones: the bank is in this process. */
const LIMITS: Limits = { answerMs: 2_500, learnMs: 8_000, noticeMs: 15_000, quietMs: 400 }

export const openTiny =
  (databaseUrl: string, plants: readonly Plant[] = [], limits: Partial<Limits> = {}): Open =>
  async ({ gatewayUrl }) => {
    const schema = `tiny_${randomUUID().replaceAll('-', '').slice(0, 20)}`
    let running: { child: ChildProcess; url: string } | null = null
    let log = ''
    const bank = await openTinyBank(() => running?.url ?? 'http://127.0.0.1:1')
    const config: TinyConfig = {
      databaseUrl,
      schema,
      bankUrl: bank.url,
      gatewayUrl,
      keys: KEYS,
      plants,
      port: 0,
      cardKey: CARD_KEY,
    }
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 2 })
    pool.on('error', () => undefined)
    const start = async (): Promise<void> => {
      running = await launch(config, (text) => {
        log += text
      })
    }
    const kill = async (): Promise<void> => {
      const child = running?.child
      running = null
      if (child === undefined) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    }
    await start()
    return {
      name: 'the tiny adapter',
      url: () => running?.url ?? 'http://127.0.0.1:1',
      ...{ keys: KEYS, upstreamUrl: bank.url, limits: { ...LIMITS, ...limits }, process: { kill, start } },
      log: async () => log,
      rows: () => rowsOf(databaseUrl, schema),
      secrets: [CLIENT_SECRET, WEBHOOK_SECRET],
      close: async () => {
        await kill()
        await bank.close()
        await pool.query(`drop schema if exists ${schema} cascade`)
        await pool.end()
      },
    }
  }
