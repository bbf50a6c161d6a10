// Nemesis: payments, payouts with every ending and refunds run while api, worker, simulator and backends of the database are killed
// (SIGKILL) or stopped (SIGSTOP) by seed. Then the clock moves two days. Nothing that was acknowledged may be lost, every transfer
// sums to zero, our BANK is the bank's own books to the kobo, and `npm run books` finds nothing.
//   npm run chaos:nemesis -- [--seconds 60] [--seed N] [--plant lose|kobo]
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { joinMerchant } from '../../apps/gateway/src/features/merchants/merchants.ts'
import { type Stack, startStack, withGateway } from '../../tools/stack.ts'
import { createHttp } from '../http.ts'
import { mulberry32 } from '../kit/random.ts'
import { runBounded } from '../main.ts'
import { chaosMerchants, compiledOnce, steadyPorts } from '../world.ts'
import { faults, figures, PLANTS, type Plant, plant } from './checks.ts'
import { createCaller, runClients, type Seen } from './load.ts'
import { strike } from './strikes.ts'

const MERCHANTS = 3
const CLIENTS = 4
/** So that what a client waits for at the end is not what was struck last. */
const CALM_MS = 3_000
const TWO_DAYS_SECONDS = 2 * 86_400
const HOUR_SECONDS = 3_600

type Options = { readonly seconds: number; readonly seed: number; readonly plant: Plant | undefined }

function readOptions(): Options {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '60' },
      seed: { type: 'string', default: String(randomInt(2 ** 32)) },
      plant: { type: 'string' },
    },
  })
  const wished = PLANTS.find((name) => name === values.plant)
  if (wished !== values.plant) throw new Error(`--plant is one of ${PLANTS.join(', ')}`)
  const options = { seconds: Number(values.seconds), seed: Number(values.seed), plant: wished }
  if (![options.seconds, options.seed].every((value) => Number.isSafeInteger(value) && value >= 0))
    throw new Error('--seconds and --seed are whole numbers')
  if (options.seconds < 10) throw new Error('--seconds is 10 at least')
  return options
}

type Held = { stack?: Stack; http?: ReturnType<typeof createHttp> }

async function strikeOften(stack: Stack, { seed }: Options, until: number, signal: AbortSignal): Promise<string[]> {
  const random = mulberry32(seed)
  const struck: string[] = []
  while (!signal.aborted && Date.now() < until - CALM_MS) {
    await pause(1_500 + random() * 2_000)
    struck.push(await strike(stack, random))
  }
  return struck
}

async function run(options: Options, dir: string, held: Held, signal: AbortSignal): Promise<boolean> {
  const seed = `nemesis ${options.seed}`
  const merchants = chaosMerchants(seed, ['01'], MERCHANTS)
  const ids: bigint[] = []
  const stack = await startStack(
    {
      dir,
      ports: await steadyPorts(),
      cells: ['01'],
      seed,
      parts: ['simulator', 'api', 'worker'],
      logLevel: 'fatal', // what the strikes cause is counted below, not told line by line
      env: await compiledOnce(join(dir, 'compiled')),
    },
    (config) =>
      withGateway(config, async ({ ctx }) => {
        for (const merchant of merchants) ids.push(await joinMerchant(ctx, merchant.cell, merchant))
      }),
  )
  held.stack = stack
  const http = createHttp()
  held.http = http
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
  if (signal.aborted) return false
  if (options.plant) await plant(stack, seen, options.plant)
  const wrong = await faults(stack, seen)
  console.log(await figures(stack, seen, struck))
  if (wrong.length > 0) console.log(wrong.join('\n'))
  return wrong.length === 0
}

async function release(held: Held): Promise<void> {
  await held.http?.close()
  await held.stack?.stop()
}

if (import.meta.main) {
  const options = readOptions()
  const bounded = (dir: string, held: Held, signal: AbortSignal) => run(options, dir, held, signal)
  process.exit(await runBounded<Held>({ name: 'chaos:nemesis', options, run: bounded, release }))
}
