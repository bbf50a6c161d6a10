// A rolling restart under load: two apis behind HAProxy and two workers are restarted one after the other, as
// a deployment does it, while payments arrive by the clock. It must show that no call fails, of merchants or
// of the bank, and that the books hold.
//   npm run trial -- rolling [--restarts 10] [--rate 100] [--drain 2] [--behind 10] [--seed N] [--plant
//     kill|cut]
// Needs haproxy. `--behind` is how many seconds of payments may be under way when the restarts are over: a
// machine that is further behind has not applied the load, and that is a finding too. `kill` ends processes
// with kill -9, `cut` lets them stop listening at once: both must be found.
import { lacks } from '../../../tools/programs.ts'
import { type Held, main, type Report } from '../kit/bounded.ts'
import { readOptions } from '../kit/options.ts'
import { chaosMerchants, seedMerchants, startChaosStack } from '../kit/world.ts'
import { startReceiver } from '../payments/receiver.ts'
import { table, verdict } from './report.ts'
import { CELL, underLoad } from './storm.ts'

type Options = ReturnType<typeof parseOptions>
function parseOptions() {
  const options = readOptions({ restarts: 10, rate: 100, drain: 2, behind: 10 }, ['kill', 'cut'])
  if (options.restarts < 1 || options.rate < 1) throw new Error('--restarts and --rate must be at least 1')
  return options
}

async function run(options: Options, dir: string, held: Held, signal: AbortSignal): Promise<Report> {
  if (lacks('haproxy')) throw new Error('haproxy is not installed')
  const seed = `rolling ${options.seed}`
  const merchants = chaosMerchants(seed, [CELL])
  const receiver = await startReceiver(merchants, () => false)
  held.defer(() => receiver.close())
  const stack = await startChaosStack({ dir, cells: [CELL], seed, parts: ['simulator'] }, (config) =>
    seedMerchants(config, merchants, ({ path }) => receiver.url + path),
  )
  held.defer(() => stack.stop())
  const outcome = await underLoad(
    {
      ...{ ...options, dir, stack, merchants, receiver, wanted: options.restarts * 4 },
      course: async (rolling) => {
        for (let round = 1; round <= options.restarts && !signal.aborted; round += 1) {
          await rolling.roll()
          console.log(`  round ${round} of ${options.restarts}`)
        }
      },
    },
    held,
    signal,
  )
  if (outcome === null) return null
  return { says: table(outcome), wrong: verdict(outcome) }
}

await main(import.meta, () => ({ name: 'rolling', options: parseOptions(), limitMs: null, run }))
