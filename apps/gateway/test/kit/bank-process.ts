// The simulator as a process of its own, as in the sandbox: for tests whose load is too much for one thread.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { COMPILED, fileOf } from '../../../../tools/compiled.ts'
import type { Config } from '../../../simulator/src/kit/config.ts'
import { until } from './waiting.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

export async function startBank(config: Config): Promise<{ stop(): Promise<void> }> {
  const child = spawn(process.execPath, [fileOf('simulator', 'apps/simulator/src/main.ts')], {
    cwd: ROOT,
    env: {
      ...COMPILED,
      NODE_NO_WARNINGS: '1',
      SIMULATOR_HOST: config.host,
      SIMULATOR_PORT: String(config.port),
      SIMULATOR_SMTP_PORT: String(config.smtpPort),
      SIMULATOR_DATABASE_URL: config.databaseUrl,
      GATEWAY_URL: config.gatewayUrl,
      BANK_KEY: config.bankKeys()[0],
      LOG_LEVEL: config.logLevel,
      SIMULATOR_PAYOUT_MS: String(config.payoutMs),
      SIMULATOR_SILENCE_MS: String(config.silenceMs),
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'], // it ends with us: the channel tells it
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  const url = `http://${config.host}:${config.port}/api/scenarios`
  await until('the simulator has started', async () => {
    if (child.exitCode !== null) throw new Error('the simulator did not start')
    return (await fetch(url).catch(() => null))?.status === 200
  })
  return {
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
