// Attacks of the security review, on a gateway of its own: what an insider, a thief of a key or a stranger
// would try, over HTTP. Each says what is tried, what must happen and what happened; one that succeeds is a
// finding.
//   npm run trial -- attacks [--long 0] [--beside 600] [--only NAME] [--plant NAME] [--plants 1]
// `--long 0` leaves out those that take longer than some seconds. In the end a stranger attacks for
// `--beside` seconds beside an honest merchant (beside/); `--only beside` does nothing else. A plant switches
// one protection off in the gateway's code while its processes load it, and the attack that it holds off must
// succeed; `--plants 1` tries all of them, one after the other.
import { join } from 'node:path'
import { type Held, main, type Report } from '../kit/bounded.ts'
import { readOptions } from '../kit/options.ts'
import type { Plant } from '../kit/plants.ts'
import type { Attack, Seen } from './attack.ts'
import { besideHonest } from './beside/beside.ts'
import { ATTACKS, PLANTS } from './list.ts'
import { openWorld } from './world.ts'

const LIMIT_MS = 2_700_000
const BESIDE = 'beside'

type Options = ReturnType<typeof parseOptions>
const parseOptions = () => readOptions({ long: 1, plants: 0, beside: 600 }, [...PLANTS.keys()], ['only'])

const chosen = ({ long, only }: Options): readonly Attack[] => {
  const found = ATTACKS.filter((attack) => (only === undefined ? long > 0 || !attack.long : attack.name === only))
  if (found.length === 0) throw new Error(`there is no attack ${only}: ${ATTACKS.map(({ name }) => name).join(', ')}`)
  return found
}

const told = (attack: Attack, { held, saw }: Seen): string =>
  [
    `${held ? 'held' : 'SUCCEEDED'}  ${attack.finding} ${attack.name}`,
    `  tried:    ${attack.tries}`,
    `  must be:  ${attack.must}`,
    `  happened: ${saw}`,
  ].join('\n')

/** The names of those that succeeded. One that could not be carried out is neither held nor a finding. */
async function attackAll(
  attacks: readonly Attack[],
  dir: string,
  signal: AbortSignal,
  plant?: Plant,
): Promise<string[] | null> {
  await using held = new AsyncDisposableStack()
  const world = await openWorld(dir, held, plant)
  const succeeded: string[] = []
  const broken: string[] = []
  for (const attack of attacks) {
    if (signal.aborted) return null
    try {
      const seen = await attack.run(world)
      console.log(told(attack, seen))
      if (!seen.held) succeeded.push(attack.name)
    } catch (error) {
      console.log(`NOT TRIED  ${attack.finding} ${attack.name}: ${(error as Error).stack}`)
      broken.push(attack.name)
    }
  }
  broken.push(...world.ended)
  if (broken.length > 0) throw new Error(`not carried out: ${broken.join(', ')}`)
  return succeeded
}

async function tryPlants(dir: string, signal: AbortSignal): Promise<Report> {
  const missed: string[] = []
  for (const [name, { attack, plant }] of PLANTS) {
    console.log(`\nplanted ${name}`)
    const succeeded = await attackAll([attack], join(dir, name), signal, plant)
    if (succeeded === null) return null
    if (succeeded.length === 0) missed.push(`planted ${name}: ${attack.name} did not find it`)
  }
  return { says: `\n${PLANTS.size} plants, ${PLANTS.size - missed.length} found`, wrong: missed }
}

/** On a gateway of its own, so that nothing else is at work there. */
async function attackBeside(dir: string, seconds: number): Promise<Report> {
  await using held = new AsyncDisposableStack()
  const world = await openWorld(dir, held, undefined)
  const report = await besideHonest(world, seconds)
  if (world.ended.length > 0) throw new Error(`not carried out: ${world.ended.join(', ')}`)
  return report
}

async function run(options: Options, dir: string, _: Held, signal: AbortSignal): Promise<Report> {
  if (options.only === BESIDE) return attackBeside(dir, options.beside)
  if (options.plants > 0) return tryPlants(dir, signal)
  const planted = options.plant === undefined ? undefined : PLANTS.get(options.plant)
  const attacks = planted ? [planted.attack] : chosen(options)
  const succeeded = await attackAll(attacks, dir, signal, planted?.plant)
  if (succeeded === null) return null
  const wrong = succeeded.map((name) => `  ${name} succeeded`)
  const says = `\n${attacks.length} attacks, ${succeeded.length} succeeded`
  const isAll = planted === undefined && options.only === undefined && options.beside > 0
  const beside = isAll ? await attackBeside(join(dir, BESIDE), options.beside) : { says: '', wrong: [] }
  return beside && { says: `${says}${beside.says}`, wrong: [...wrong, ...beside.wrong] }
}

await main(import.meta, () => ({ name: 'attacks', options: parseOptions(), limitMs: LIMIT_MS, run }))
