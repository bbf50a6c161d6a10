// Histories of a gateway's month in the large: thousands of merchants, each with a history of its own, lived
// through a real gateway with two banks and compared with a small model that is written from the rules. Its
// one sentence: our own loss is never more than what two people signed.
//   npm run trial -- histories [--histories 2000] [--together 100] [--seed N] [--only K] [--shrink 5]
//     [--plant NAME]
// So many live together: nights are shared by them, and the clock is that of all. A history that fails is
// printed with its seed and a list of steps that was made shorter while it still failed; `--seed N --only K`
// lives it again. A plant is a fault in the gateway's code (plants.ts), put in while this process loads it,
// and ends at the first stretch that finds it.
import { main } from '../kit/bounded.ts'
import { readOptions } from '../kit/options.ts'
import { type Plant, plantIn } from '../kit/plants.ts'
import type { Options } from './hunt.ts'
import { PLANTS } from './plants.ts'

const LIMIT_MS = 5_400_000

function parseOptions(): Options {
  const options = readOptions({ histories: 2_000, together: 100, shrink: 5 }, Object.keys(PLANTS), ['only'])
  if (options.together === 0) throw new Error('--together must be at least 1')
  return options
}

await main(import.meta, () => ({
  ...{ name: 'histories', options: parseOptions(), limitMs: LIMIT_MS },
  run: async (options, _dir, held, signal) => {
    if (options.plant !== undefined) plantIn(PLANTS[options.plant] as Plant)
    // Not before: what is loaded by then has no plant.
    const { hunt } = await import('./hunt.ts')
    return hunt(options, held, signal)
  },
}))
