// The simulator as a process of its own, as in the sandbox: for tests whose load is too much for one thread.
import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Config } from '../../../simulator/src/kit/config.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const START_LIMIT_MS = 30_000

export async function startBank(config: Config): Promise<{ stop(): Promise<void> }> {
  const child = spawn(process.execPath, ['apps/simulator/src/main.ts'], {
    cwd: ROOT,
    env: {
      NODE_NO_WARNINGS: '1',
      SIMULATOR_HOST: config.host,
      SIMULATOR_PORT: String(config.port),
      SIMULATOR_SMTP_PORT: String(config.smtpPort),
      SIMULATOR_DATABASE_URL: config.databaseUrl,
      GATEWAY_URL: config.gatewayUrl,
      BANK_KEY: config.bankKey,
      LOG_LEVEL: config.logLevel,
      SIMULATOR_PAYOUT_MS: String(config.payoutMs),
      SIMULATOR_SILENCE_MS: String(config.silenceMs),
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'], // it ends with us: the channel tells it
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const url = `http://${config.host}:${config.port}/api/scenarios`
  for (const until = Date.now() + START_LIMIT_MS; ; await pause(50)) {
    if ((await fetch(url).catch(() => null))?.status === 200) break
    if (child.exitCode !== null || Date.now() > until) throw new Error('the simulator did not start')
  }
  return {
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
