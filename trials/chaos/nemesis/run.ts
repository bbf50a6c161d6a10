// Nemesis: payments, payouts with every ending and refunds run while api, worker, simulator and backends of
// the database are killed (SIGKILL) or stopped (SIGSTOP) by seed. Then the clock moves two days. Nothing that
// was acknowledged may be lost, every transfer sums to zero, our BANK is the bank's own books to the kobo,
// and `cowrie run books` finds nothing.
//   npm run trial -- nemesis [--seconds 60] [--seed N] [--plant lose|kobo]
import { setTimeout as pause } from 'node:timers/promises'
import { HOUR_SECONDS } from '../../../packages/contract/src/kit/durations.ts'
import type { Stack } from '../../../tools/sandbox/stack.ts'
import { type Held, main, type Report } from '../kit/bounded.ts'
import { createHttp } from '../kit/http.ts'
import { readOptions } from '../kit/options.ts'
import { mulberry32 } from '../kit/random.ts'
import { chaosMerchants, seedMerchants, startChaosStack } from '../kit/world.ts'
import { faults, figures, PLANTS, plant } from './checks.ts'
import { createCaller, runClients, type Seen } from './load.ts'
import { strike } from './strikes.ts'

const MERCHANTS = 3
const CLIENTS = 4
/** So that what a client waits for at the end is not what was struck last. */
const CALM_MS = 3_000
const TWO_DAYS_SECONDS = 2 * 86_400

type Options = ReturnType<typeof parseOptions>

function parseOptions() {
  const options = readOptions({ seconds: 60 }, PLANTS)
  if (options.seconds < 10) throw new Error('--seconds must be at least 10')
  return options
}

async function strikeOften(stack: Stack, { seed }: Options, until: number, signal: AbortSignal): Promise<string[]> {
  const random = mulberry32(seed)
  const struck: string[] = []
  while (!signal.aborted && Date.now() < until - CALM_MS) {
    await pause(1_500 + random() * 2_000)
    struck.push(await strike(stack, random))
  }
  return struck
}

async function run(options: Options, dir: string, held: Held, signal: AbortSignal): Promise<Report> {
  const seed = `nemesis ${options.seed}`
  const merchants = chaosMerchants(seed, ['01'], MERCHANTS)
  let ids: readonly bigint[] = []
  const stack = await startChaosStack({ dir, seed, parts: ['simulator', 'api', 'worker'] }, async (config) => {
    ids = await seedMerchants(config, merchants)
  })
  held.defer(() => stack.stop())
  const http = createHttp()
  held.defer(() => http.close())
  const caller = createCaller(http.send, stack, merchants, signal)
  const seen: Seen = { paid: new Set(), payouts: new Set(), refunds: new Set() }
  const until = Date.now() + options.seconds * 1_000
  const [struck] = await Promise.all([
    strikeOften(stack, options, until, signal),
    runClients(caller, merchants, ids, CLIENTS, until, seen),
  ])
  for (const part of ['simulator', 'api', 'worker'] as const) if (stack.pid(part) === undefined) await stack.start(part)
  // By the hour first, as payouts are asked about; then past two nights, with reconciliation and settlements.
  for (const seconds of [HOUR_SECONDS, HOUR_SECONDS, HOUR_SECONDS, TWO_DAYS_SECONDS]) await caller.advance(seconds)
  if (signal.aborted) return null
  if (options.plant) await plant(stack, seen, options.plant)
  return { says: await figures(stack, seen, struck), wrong: await faults(stack, seen) }
}

await main(import.meta, () => ({ name: 'nemesis', options: parseOptions(), run }))
