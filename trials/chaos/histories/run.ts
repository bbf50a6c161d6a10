// Histories of a gateway's month in the large: thousands of merchants, each with a history of its own, lived
// through a real gateway with two banks and compared with a small model that is written from the rules. Its
// one sentence: our own loss is never more than what two people signed.
//   npm run trial -- histories [--histories 2000] [--together 100] [--processes 2] [--seed N] [--only K]
//     [--shrink 5] [--plant NAME | --plants 1]
// So many live together: nights are shared by them, and the clock is that of all. A history that fails is
// printed with its seed and a list of steps that was made shorter while it still failed; `--seed N --only K`
// lives it again. A plant is a fault in the gateway's code (plants.ts), put in while a process loads it, and
// ends with the first stretch that finds it; `--plants 1` tries each of them, which all must be found.
import { main } from '../kit/bounded.ts'
import { readOptions } from '../kit/options.ts'
import { hunt, type Options } from './hunt.ts'
import { PLANTS } from './plants.ts'

const LIMIT_MS = 10_800_000

function parseOptions(): Options {
  const defaults = { histories: 2_000, together: 100, processes: 2, shrink: 5, plants: 0 }
  const options = readOptions(defaults, Object.keys(PLANTS), ['only'])
  if (options.together === 0 || options.processes === 0)
    throw new Error('--together and --processes must be at least 1')
  return options
}

await main(import.meta, () => ({
  ...{ name: 'histories', options: parseOptions(), limitMs: LIMIT_MS },
  run: (options, _dir, held, signal) => hunt(options, held, signal),
}))
