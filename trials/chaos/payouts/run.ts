// The payout test: a bank that loses, delays, doubles and reverses by seed, and a worker that is killed at
// random. It must show that no reference is paid twice in the bank's own books, that every hold is settled or
// released, and that every unknown is resolved within a minute after the faults are turned off. No clock is
// moved.
//   npm run trial -- payouts [--payouts 1000] [--kills 100] [--seconds 90] [--seed N] [--plant
//     lose|double|hold]
import { setTimeout as pause } from 'node:timers/promises'
import type { Stack } from '../../../tools/sandbox/stack.ts'
import { type Held, main, type Report } from '../kit/bounded.ts'
import { createHttp } from '../kit/http.ts'
import { planKills, startKiller } from '../kit/killer.ts'
import { readOptions } from '../kit/options.ts'
import { type ChaosMerchant, chaosMerchants, logIn, seedMerchants, startChaosStack } from '../kit/world.ts'
import { left, readEvidence, unsent } from './checks.ts'
import { runLoad } from './load.ts'
import { FAULTS, planRequests } from './plan.ts'
import { PLANTS, plant } from './plant.ts'
import { HEAL_LIMIT_MS, type Outcome, table, verdict } from './report.ts'

const MERCHANTS = 5
/** A worker that is slow to restart is not killed again before; the kills may take this much longer than
 *  planned. */
const KILLS_OVERTIME_MS = 50_000
/** What the killed workers had in hand is free again after the lease of the agenda. */
const SEND_LIMIT_MS = 22_000

type Options = ReturnType<typeof parseOptions>

function parseOptions() {
  const options = readOptions({ payouts: 1000, kills: 100, seconds: 90 }, PLANTS)
  if (options.payouts < 1 || options.seconds < 1) throw new Error('--payouts and --seconds must be at least 1')
  return options
}

async function setFaults(bankUrl: string, faults: Readonly<Record<string, number>>): Promise<void> {
  const answer = await fetch(`${bankUrl}/api/payout-faults`, { method: 'POST', body: JSON.stringify(faults) })
  if (answer.status !== 200) throw new Error(`the bank refused the faults: ${await answer.text()}`)
}

type Storm = Omit<Outcome, 'payouts' | 'kills' | 'evidence' | 'ended'>

/** Payouts and kills at a faulty bank; then the faults are turned off, and it waits until nothing is open. */
async function storm(
  options: Options,
  stack: Stack,
  http: ReturnType<typeof createHttp>,
  merchants: readonly ChaosMerchant[],
  signal: AbortSignal,
): Promise<Storm> {
  const [apiUrl, bankUrl] = [stack.ports.api, stack.ports.simulator].map((port) => `http://127.0.0.1:${port}`) as [
    string,
    string,
  ]
  const callers: { token: string; walletNumber: string }[] = []
  for (const merchant of merchants)
    callers.push({ token: await logIn(apiUrl, merchant), walletNumber: merchant.walletNumber })
  await setFaults(bankUrl, { seed: options.seed, ...FAULTS })
  const { seed, kills, seconds } = options
  const startedAt = Date.now()
  const planned = planKills(seed, kills, seconds).map((kill) => ({ ...kill, part: 'worker' as const }))
  const killer = startKiller(stack, planned, startedAt)
  try {
    const plan = planRequests(seed, options.payouts, seconds, merchants.length)
    const load = await runLoad(http.send, apiUrl, callers, plan, signal)
    const killsEnd = startedAt + seconds * 1000 + KILLS_OVERTIME_MS
    while (!signal.aborted && killer.tolls.worker.kills < kills && Date.now() < killsEnd) await pause(50)
    await killer.stop()
    // What the worker sends is to meet the bad bank too; under the kills it hardly comes to that.
    const sendEnd = Date.now() + SEND_LIMIT_MS
    while (!signal.aborted && Date.now() < sendEnd && (await unsent(stack.databaseUrl('01'))) > 0) await pause(250)
    await setFaults(bankUrl, {})
    const healedAt = Date.now()
    const look = () => left(stack.databaseUrl('01'), stack.engine.url('simulator'))
    let now = await look()
    const openAtHealing = now.open
    let resolvedMs = now.open === 0 ? 0 : null
    while (!signal.aborted && now.open + now.onTheirWay > 0 && Date.now() < healedAt + HEAL_LIMIT_MS) {
      await pause(250)
      now = await look()
      if (now.open === 0) resolvedMs ??= Date.now() - healedAt
    }
    const healedMs = resolvedMs ?? Date.now() - healedAt
    return { load, killer, openAtHealing, openAtEnd: now.open, healedMs, quiet: now.onTheirWay === 0 }
  } finally {
    await killer.stop() // or it would start again what the stack is about to stop
  }
}

async function run(options: Options, dir: string, held: Held, signal: AbortSignal): Promise<Report> {
  const seed = `payouts ${options.seed}`
  const merchants = chaosMerchants(seed, ['01'], MERCHANTS)
  let merchantIds: readonly bigint[] = []
  const ended: string[] = []
  const onExit = (part: string, how: string) => ended.push(`${part}: ${how}`)
  const stack = await startChaosStack({ dir, seed, parts: ['simulator', 'api', 'worker'], onExit }, async (config) => {
    merchantIds = await seedMerchants(config, merchants)
  })
  held.defer(() => stack.stop())
  const http = createHttp()
  held.defer(() => http.close())
  const rest = await storm(options, stack, http, merchants, signal)
  if (signal.aborted) return null
  await stack.kill('worker') // nothing moves while the evidence is read
  const url = stack.databaseUrl('01')
  if (options.plant) console.log(`planted: ${await plant(url, stack.engine.url('simulator'), options.plant)}`)
  const { accepted } = rest.load
  const walletKobo = merchants[0]?.walletKobo ?? 0n
  const seen = await readEvidence(url, `http://127.0.0.1:${stack.ports.simulator}`)
  const { payouts, kills } = options
  const outcome: Outcome = { payouts, kills, ended, ...rest, evidence: { accepted, merchantIds, walletKobo, ...seen } }
  return { says: table(outcome), wrong: await verdict(url, outcome) }
}

await main(import.meta, () => ({ name: 'payouts', options: parseOptions(), run }))
