// A live gateway as processes: a fresh database with the two logins, the api with the operator's listener,
// the worker, and the commands of whoever runs the machine.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import { cellsText } from '../../../apps/gateway/src/config.ts'
import { loginsTo, unique } from '../../../apps/gateway/test/kit/harness.ts'
import { connected, TEMPLATE } from '../../../apps/gateway/test/kit/postgres.ts'
import { COMPILED, fileOf } from '../../../tools/compiled.ts'
import { freePort } from '../../../tools/ports.ts'
import { masterKeyOf } from '../../../tools/sandbox/seed.ts'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Of the story; removed at its end. */
export const FOLDER = mkdtempSync(join(tmpdir(), 'cowrie-live-story-'))
/** What every process of the story gets. */
export const COMMON = { NODE_NO_WARNINGS: '1', ...COMPILED }

export type Said = { readonly code: number | null; readonly out: string; readonly errors: string }
/** Runs a program to its end. `talk` may answer what it says. */
export async function ran(
  file: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  talk: (child: ChildProcess, said: () => string) => Promise<void> = async (child) => {
    child.stdin?.end()
  },
): Promise<Said> {
  const child = spawn(file, words, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...COMMON, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const said = { out: '', errors: '' }
  child.stdout.on('data', (part: Buffer) => (said.out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (said.errors += part.toString()))
  const ended = once(child, 'close') as Promise<[number | null]>
  await talk(child, () => said.out)
  const [code] = await ended
  return { code, ...said }
}

/** A database of its own, in which the bank's statement of `day`, the day before this one, has still to be
 *  read. */
export async function liveDatabase(day: string): Promise<string> {
  const name = unique('live').replaceAll('-', '_')
  const admin = inject('postgresUrl')
  await connected({ connectionString: `${admin}postgres` }, (c) =>
    c.query(`create database ${name} template ${TEMPLATE}`),
  )
  await connected({ connectionString: admin + name }, async (client) => {
    await client.query('insert into statement_days (day) values ($1::date)', [day])
    await client.query(
      `insert into agenda (kind, merchant_id, subject, due_at) values ('reconciliation.day', 0, $1::date - date '1970-01-01', now())`,
      [day],
    )
  })
  return admin + name
}

export type Live = {
  readonly apiUrl: string
  readonly operatorUrl: string
  /** `npx cowrie run <program> <words>`, with no more than such a command needs. */
  run(program: string, ...words: string[]): Promise<Said>
  /** As if the day were over for which a new account waits before money is settled to it. */
  accountsWaited(): Promise<unknown>
  /** What its processes have logged as errors so far. */
  errors(): string[]
  stop(): Promise<void>
}

type Part = { errors(): string[]; stop(): Promise<void> }
/** Of a line of the log. */
const ERROR = '"level":50'
async function startPart(part: 'api' | 'worker', env: Record<string, string>): Promise<Part> {
  const child = spawn(process.execPath, [fileOf(part, `apps/gateway/src/${part}.ts`)], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (said += part.toString()))
  const ended = once(child, 'close')
  const ready = await Promise.race([once(child, 'message').then(() => true), ended.then(() => false)])
  if (!ready) throw new Error(`the ${part} did not start: ${said}`)
  return {
    errors: () => said.split('\n').filter((line) => line.includes(ERROR)),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

export async function startLive(
  database: string,
  outside: { bankUrl: string; bankKey: string; smtpUrl: string; authority: string },
): Promise<Live> {
  const [port, operatorPort] = [await freePort(), await freePort()]
  const operatorUrl = `http://127.0.0.1:${operatorPort}`
  const own = {
    ENVIRONMENT: 'live',
    CELLS: cellsText(new Map([['01', loginsTo(database)]])),
    OPERATOR_URL: operatorUrl,
  }
  const env = {
    ...own,
    ...COMMON,
    NODE_EXTRA_CA_CERTS: outside.authority,
    MASTER_KEY: masterKeyOf('live story'),
    BANK_URL: outside.bankUrl,
    BANK_KEY: outside.bankKey,
    SMTP_URL: outside.smtpUrl,
    PUBLIC_URL: 'https://pay.example',
    PORT: String(port),
    OPERATOR_PORT: String(operatorPort),
    CONNECTIONS: '4',
  }
  const parts: Part[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(parts.map((one) => one.stop()))
  }
  try {
    for (const part of ['api', 'worker'] as const) parts.push(await startPart(part, env))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    apiUrl: `http://127.0.0.1:${port}`,
    operatorUrl,
    run: (program, ...words) => ran('npx', ['cowrie', 'run', program, ...words], own),
    accountsWaited: () =>
      connected({ connectionString: database }, (client) =>
        client.query('update destinations set in_force_from = added_at'),
      ),
    errors: () => parts.flatMap((one) => one.errors()),
    stop,
  }
}
