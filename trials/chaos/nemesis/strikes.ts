// What nemesis does: a part dies and is started again, a part stands still for longer than others wait for
// it, or a backend of the database dies, which makes PostgreSQL recover as after a crash.
import { setTimeout as pause } from 'node:timers/promises'
import type { PartName, Stack } from '../../../tools/sandbox/stack.ts'
import { withClient } from '../kit/database.ts'

const STRIKES = ['kill api', 'kill worker', 'kill simulator', 'kill backend', 'stop worker', 'stop api'] as const
type Strike = (typeof STRIKES)[number]
const STOPPED_MS = { worker: 4_000, api: 2_500 } as const
const DOWN_MS = 200
const START_TRIES = 10

const BACKEND = `select pid from pg_stat_activity where application_name = 'cowrie' and pid <> pg_backend_pid() order by random() limit 1`

/** A start may meet a database that is still recovering. */
async function restart(stack: Stack, part: PartName): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await stack.start(part)
    } catch (error) {
      if (tries === START_TRIES) throw error
      await stack.kill(part)
      await pause(DOWN_MS)
    }
  }
}

async function kill(stack: Stack, part: PartName): Promise<void> {
  await stack.kill(part)
  await pause(DOWN_MS)
  await restart(stack, part)
}

async function stand(stack: Stack, part: 'worker' | 'api'): Promise<void> {
  const pid = stack.pid(part)
  if (pid === undefined) return restart(stack, part)
  process.kill(pid, 'SIGSTOP')
  await pause(STOPPED_MS[part])
  process.kill(pid, 'SIGCONT')
}

async function killBackend(stack: Stack): Promise<void> {
  await withClient(stack.databaseUrl('01'), async (client) => {
    client.on('error', () => undefined) // it goes with the others
    const { rows } = await client.query<{ pid: number }>(BACKEND)
    if (rows[0]) process.kill(rows[0].pid, 'SIGKILL')
  }).catch(() => undefined)
  for (const part of ['api', 'worker', 'simulator'] as const)
    if (stack.pid(part) === undefined) await restart(stack, part)
}

export async function strike(stack: Stack, random: () => number): Promise<Strike> {
  const chosen = STRIKES[Math.floor(random() * STRIKES.length)] as Strike
  const [how, what] = chosen.split(' ') as [string, string]
  if (what === 'backend') await killBackend(stack)
  else if (how === 'stop') await stand(stack, what as 'worker' | 'api')
  else await kill(stack, what as PartName)
  return chosen
}
