// The api as a process of its own, on the databases of a harness, with everything it writes kept.
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { COMPILED, fileOf } from '../../../../tools/compiled.ts'
import { freePort } from '../../../../tools/ports.ts'
import { cellsText } from '../../src/config.ts'
import type { Harness } from './harness.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** `stop` ends it, and answers with all it has written: an ending process flushes its log. */
export type Api = {
  url: string
  /** Its output so far. */
  said: () => string
  stop: () => Promise<string>
  /** What the process answers to a message; the api itself answers to none. */
  ask: (question: string) => Promise<any>
}

/** `script`: another one that serves the api, and knows more of itself than its callers do. */
export async function startApi(
  h: Harness,
  level: string,
  {
    script = fileOf('api', 'apps/gateway/src/api.ts'),
    settings = {},
  }: { script?: string; settings?: Record<string, string> } = {},
): Promise<Api> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child: ChildProcess = spawn(process.execPath, [script], {
    cwd: ROOT,
    env: {
      ...COMPILED,
      NODE_NO_WARNINGS: '1',
      ENVIRONMENT: 'sandbox',
      CELLS: cellsText(h.config.cells),
      MASTER_KEY: h.config.keys.master[0].key.toString('base64'),
      BANK_KEY: h.config.keys.bank[0].key,
      BANK_URL: h.config.bankUrl,
      PUBLIC_URL: url,
      PORT: String(port),
      SMTP_URL: h.config.smtpUrl,
      LOG_LEVEL: level,
      CONNECTIONS: '4',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (part: Buffer) => {
      text += part.toString()
    })
  }
  await new Promise<void>((done, reject) => {
    child.once('message', () => done())
    child.once('exit', () => reject(new Error(`the api ended: ${text}`)))
  })
  return {
    url,
    said: () => text,
    stop: () =>
      new Promise((done) => {
        child.once('close', () => done(text)) // its streams have ended too
        child.kill('SIGTERM')
      }),
    ask: (question) =>
      new Promise((answer) => {
        child.once('message', answer)
        child.send(question)
      }),
  }
}
