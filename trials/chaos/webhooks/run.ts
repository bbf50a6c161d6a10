// The webhook test: events for many merchants while a good part of their servers is slow, wrong or hostile.
// It must show that nothing is lost, misdirected or out of order, and that honest merchants notice nothing of
// the others.
//   npm run trial -- webhooks [--merchants 50] [--hostile 20] [--events 20000] [--seconds 100] [--kills 0]
//     [--seed N] [--plant …]
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Stack, withGateway } from '../../../tools/sandbox/stack.ts'
import { type Held, main, type Report } from '../kit/bounded.ts'
import { type Killer, planKills, startKiller } from '../kit/killer.ts'
import { readOptions } from '../kit/options.ts'
import { chaosMerchants, seedMerchants, startChaosStack, steadyPorts } from '../kit/world.ts'
import { makeCertificates } from './certificates.ts'
import { isHonest, onTheirWay, readGateway } from './checks.ts'
import { type FedEvent, startFeed } from './feed.ts'
import { startZoo } from './keeper.ts'
import { assignBehaviours, type PlannedEvent, planEvents, type ZooMerchant } from './plan.ts'
import { believe, crossed, falsified, PLANTS } from './plant.ts'
import { type Outcome, table, verdict } from './report.ts'
import { type Sample, startWatch } from './watch.ts'

const QUIET_LIMIT_MS = 60_000

type Options = ReturnType<typeof parseOptions>

function parseOptions() {
  const options = readOptions({ merchants: 50, hostile: 20, events: 20_000, seconds: 100, kills: 0 }, PLANTS)
  const { merchants, hostile, events, seconds } = options
  if (merchants - hostile < 2) throw new Error('--merchants must exceed --hostile by at least 2')
  if (events < 1 || seconds < 1) throw new Error('--events and --seconds must be at least 1')
  return options
}

type SeededMerchants = readonly (ZooMerchant & { readonly id: bigint })[]
type Storm = {
  readonly events: readonly FedEvent[]
  readonly killer: Killer
  readonly samples: readonly Sample[]
  readonly lateMs: number
  readonly quietMs: number
  readonly quiet: boolean
}

/** Events and kills, then the wait until honest merchants have everything. */
async function storm(
  options: Options,
  stack: Stack,
  merchants: SeededMerchants,
  plan: readonly PlannedEvent[],
  signal: AbortSignal,
): Promise<Storm> {
  const startedAt = Date.now()
  const kills = planKills(options.seed, options.kills, options.seconds)
  const killer = startKiller(
    stack,
    kills.map((kill) => ({ ...kill, part: 'worker' })),
    startedAt,
  )
  const watch = startWatch(() => stack.pid('worker'))
  try {
    return await withGateway(stack.config, async (gateway) => {
      const feed = startFeed(gateway, merchants, plan, signal)
      const events = await feed.fed
      watch.stop()
      const { samples } = watch
      await pause(Math.max(0, startedAt + options.seconds * 1000 - Date.now()), undefined, { signal })
      await killer.stop()
      const quietFrom = Date.now()
      const honest = merchants.filter(isHonest).map(({ id }) => id)
      const left = () => onTheirWay(stack.databaseUrl('01'), honest)
      let quiet = (await left()) === 0
      while (!quiet && !signal.aborted && Date.now() < quietFrom + QUIET_LIMIT_MS) {
        await pause(250)
        quiet = (await left()) === 0
      }
      return { events, killer, samples, lateMs: feed.lateMs(), quietMs: Date.now() - quietFrom, quiet }
    })
  } finally {
    watch.stop()
    await killer.stop() // or it would start again what the stack is about to stop
  }
}

async function run(options: Options, dir: string, held: Held, signal: AbortSignal): Promise<Report> {
  const certificates = await makeCertificates(join(dir, 'certificates'))
  if (!certificates) console.log('openssl was not found: this run is without TLS.')
  const seed = `zoo ${options.seed}`
  const seeded = chaosMerchants(seed, ['01'], options.merchants)
  const named = assignBehaviours(options.seed, seeded, options.hostile, certificates !== null)
  const ports = await steadyPorts()
  const zoo = await startZoo(named, certificates, ports.api) // there is no api in this run, so nobody listens there
  held.defer(() => zoo.stop())
  const ended: string[] = []
  let ids: readonly bigint[] = []
  const stack = await startChaosStack(
    {
      dir,
      ports,
      seed,
      parts: ['worker'],
      env: certificates ? { NODE_EXTRA_CA_CERTS: certificates.authority } : {},
      onExit: (part, how) => ended.push(`${part}: ${how}`),
    },
    async (config) => {
      const urlOf = (merchant: ZooMerchant) =>
        zoo.urlOf(options.plant === 'cross' ? crossed(named, merchant) : merchant)
      ids = await seedMerchants(config, named, urlOf)
    },
  )
  held.defer(() => stack.stop())
  const merchants = named.map((merchant, at) => ({ ...merchant, id: ids[at] as bigint }))
  const { events, ...rest } = await storm(options, stack, merchants, planEvents(options.seed, options), signal)
  if (signal.aborted) return null
  const endedAt = Date.now()
  await stack.kill('worker') // nothing moves while the evidence is read
  const url = stack.databaseUrl('01')
  if (options.plant === 'believe') await believe(url)
  const report = falsified(options.plant, await zoo.report(), events, merchants)
  const { kills } = options
  const evidence = { merchants, events, report, ...(await readGateway(url, 'SUCCESSFUL_TRANSACTION')), endedAt, kills }
  const outcome: Outcome = { ...rest, evidence, ended }
  return { says: table(outcome), wrong: await verdict(url, outcome) }
}

await main(import.meta, () => ({ name: 'webhooks', options: parseOptions(), run }))
