// Starts adapters, and kills them.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { COMPILED } from '../../../tools/compiled.ts'
import type { AdapterConfig } from './adapter-process.ts'

const FILE = fileURLToPath(new URL('./adapter-process.ts', import.meta.url))

export type Adapter = {
  readonly url: string
  kill(): void
  /** SIGTERM, as whoever restarts it sends it. Returns its exit code. */
  stop(): Promise<number | null>
  readonly ended: Promise<number | null>
}

export async function startAdapter(config: AdapterConfig): Promise<Adapter> {
  const child: ChildProcess = spawn(process.execPath, [FILE, JSON.stringify(config)], {
    env: { ...COMPILED, NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  const started = once(child, 'message').then(([message]) => (message as { url: string }).url)
  const url = await Promise.race([started, ended.then(() => null)])
  // One that dies of what the one before it left has no address any more, and needs none.
  return {
    url: url ?? 'http://127.0.0.1:1',
    kill: () => void child.kill('SIGKILL'),
    stop: () => {
      child.kill('SIGTERM')
      return ended
    },
    ended,
  }
}
